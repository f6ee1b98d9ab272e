import { useOperation } from '../../../../api/queries.ts'
import { runCommand } from '../../../../keys/commands.ts'
import { incidentTexts as words } from '../../../../texts/en/company/incidents.ts'
import { Markdown } from '../../../../ui/Markdown.tsx'
import { Ago } from '../../../../ui/times.tsx'
import { LinkTarget } from '../../../items/Section.tsx'
import planning from '../../../planning/planning.module.css'
import type { FullIncident } from '../data.ts'
import styles from '../incidents.module.css'
import { updateWord } from './PublicPreview.tsx'

const { updates } = words

/** Public updates on an incident, latest first. */
export function StatusUpdates({ full }: { full: FullIncident }) {
  const page = useOperation('get_status_page', { days: 1 })
  const published = full.status_updates ?? []
  return (
    <section className={planning.section}>
      <h2>
        {updates.title}
        {page.data && (
          <a href={page.data.public_url} target="_blank" rel="noopener" className={styles.side}>
            {updates.publicPage}
          </a>
        )}
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() => runCommand('incident.publish')}
        >
          {words.actions.publish}
        </button>
      </h2>
      {published.length === 0 && <p className={planning.quiet}>{updates.none}</p>}
      {published.map((update) => (
        <LinkTarget key={update.id} id={update.id}>
          <div className={planning.update}>
            <div className={planning.updateHead}>
              <span className={styles.state} data-state={update.state}>
                {updateWord(update)}
              </span>
              <span dir="auto">{update.title}</span>
              <Ago time={update.published_at} />
            </div>
            <Markdown text={update.body_markdown} parentLevel={2} />
          </div>
        </LinkTarget>
      ))}
    </section>
  )
}
