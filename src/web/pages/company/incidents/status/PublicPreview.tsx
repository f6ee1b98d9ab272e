import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '../../../../api/client.ts'
import { incidentTexts as words } from '../../../../texts/en/company/incidents.ts'
import { errorMessage } from '../../../../api/problem.ts'
import { Markdown } from '../../../../ui/Markdown.tsx'
import { formatMoment } from '../../../../ui/times.tsx'
import planning from '../../../planning/planning.module.css'
import styles from '../incidents.module.css'
import {
  previewPage,
  type PreviewedPage,
  type StatusPage,
  type StatusUpdate,
  type StatusUpdateInput,
} from './status-update.ts'

const { updates } = words

interface PublicPreviewProps {
  page: StatusPage
  /** Update being written; undefined while there is nothing to publish. */
  input: StatusUpdateInput | undefined
  previousUpdates: readonly StatusUpdate[]
}

/** A preview of the public page: the server runs the update as a dry run. */
export function PublicPreview({ page, input, previousUpdates }: PublicPreviewProps) {
  const dryRun = useQuery({
    queryKey: ['call', 'publish_status_update', input ?? {}],
    queryFn:
      input === undefined
        ? skipToken
        : ({ signal }) => call('publish_status_update', { ...input, dry_run: true }, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <section className={styles.preview} aria-label={updates.preview}>
      <h3>{updates.preview}</h3>
      {input === undefined && <p className={planning.quiet}>{updates.waiting}</p>}
      {input !== undefined && dryRun.error && (
        <p role="alert" className={styles.refused}>
          {errorMessage(dryRun.error)}
        </p>
      )}
      {input !== undefined && !dryRun.error && !dryRun.data && (
        <p className={planning.quiet}>{updates.previewing}</p>
      )}
      {input !== undefined && !dryRun.error && dryRun.data && (
        <PreviewedText page={previewPage(page, dryRun.data, previousUpdates)} />
      )}
    </section>
  )
}

function PreviewedText({ page }: { page: PreviewedPage }) {
  return (
    <div className={styles.public} data-preview>
      <p className={styles.overall} data-state={page.overall}>
        {updates.overall[page.overall]}
      </p>
      <h4>{updates.sections[page.section]}</h4>
      <article className={styles.thread}>
        <strong dir="auto">{page.thread[0]?.title}</strong>
        {page.thread.map((update) => (
          <PreviewedUpdate key={update.id} update={update} />
        ))}
      </article>
      {page.services.length > 0 ? (
        <>
          <h4>{updates.sections.services}</h4>
          <ul className={styles.publicServices}>
            {page.services.map(({ name, state }) => (
              <li key={name}>
                <span dir="auto">{name}</span>
                <span className={styles.state} data-state={state}>
                  {updates.serviceStates[state]}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className={planning.note}>{updates.noPublic}</p>
      )}
    </div>
  )
}

/** Summarizes an update in a word or two, as the page does. */
export const updateWord = ({ state, phase }: StatusUpdate) =>
  state === 'maintenance' ? updates.phases[phase ?? 'planned'] : updates.states[state]

function PreviewedUpdate({ update }: { update: StatusUpdate }) {
  return (
    <div className={styles.publicUpdate}>
      <p>
        <span className={styles.state} data-state={update.state}>
          {updateWord(update)}
        </span>
        <span className={planning.note}>{formatMoment(update.published_at)}</span>
      </p>
      {update.starts_at !== undefined && update.ends_at !== undefined && (
        <p className={planning.note}>
          {updates.period(formatMoment(update.starts_at), formatMoment(update.ends_at))}
        </p>
      )}
      <Markdown text={update.body_markdown} parentLevel={4} />
    </div>
  )
}
