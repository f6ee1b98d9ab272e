import type { Output } from '../../../api/client.ts'
import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { DimmedText } from '../../items/Facts.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import { changeGraph } from './data.ts'
import styles from './knowledge.module.css'

const { note: words } = knowledgeTexts

/** The notes about an entity, newest first. */
export function Notes({ entity: { name, observations } }: { entity: Output<'get_entity'> }) {
  return observations.map(({ id, body, observed_at: observedAt, source }) => (
    <LinkTarget key={id} id={id}>
      <div className={styles.known}>
        <div>
          <PlainText text={body} />
          <DimmedText>
            {formatDate(observedAt)}
            {source === 'hidden' && ` · ${t.items.entity.hidden}`}
            {source !== undefined && source !== 'hidden' && (
              <>
                {' '}
                <ItemLink item={source} />
              </>
            )}
          </DimmedText>
        </div>
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() =>
            void changeGraph(
              'delete_observation',
              { observation_id: id },
              t.tasks.changed(name, words.removed),
            )
          }
        >
          {words.remove}
        </button>
      </div>
    </LinkTarget>
  ))
}
