import { IconHistory } from '@tabler/icons-react'
import { useList } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { valueText, visibleChanges, authorOf } from '../../tasks/item/words.ts'
import type { Change } from '../../tasks/item/useTask.ts'
import styles from '../planning.module.css'

/** Changes in a project, latest first. */
export function ProjectActivity({ projectId }: { projectId: string }) {
  const changes = useList('list_activity', { project_id: projectId, limit: 50 })
  const listedChanges = changes.items.filter(
    (change) => change.verb !== 'updated' || visibleChanges(change).length > 0,
  )
  return (
    <div className={styles.history}>
      <QueryContent query={changes}>
        {() =>
          listedChanges.length === 0 ? (
            <EmptyState icon={IconHistory} {...t.planning.empty.activity} />
          ) : (
            <ol className={styles.rows}>
              {listedChanges.map((change) => (
                <ProjectChangeEntry key={change.id} change={change} />
              ))}
            </ol>
          )
        }
      </QueryContent>
      <MoreButton query={changes} />
    </div>
  )
}

function ProjectChangeEntry({ change }: { change: Change }) {
  const author = authorOf(change)
  return (
    <li className={styles.entry} data-kind={author.kind}>
      <Face id={change.actor.id} name={author.name} kind={author.kind} />
      <span className={styles.entryText}>
        <strong dir="auto">{author.name}</strong> {t.items.word(change.verb).toLowerCase()}{' '}
        <ItemLink item={change.item} withIcon={false} />
        {change.verb === 'updated' &&
          visibleChanges(change).map(({ field, to }) => (
            <span key={field} className={styles.note}>
              {t.items.field(field)}: {valueText(field, to)}
            </span>
          ))}
      </span>
      <span className={styles.note}>
        <Ago time={change.at} />
      </span>
    </li>
  )
}
