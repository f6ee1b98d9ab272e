import { IconHistory } from '@tabler/icons-react'
import { useList } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { shownValue, shownChanges, whoOf } from '../../tasks/item/words.ts'
import type { Change } from '../../tasks/item/useTask.ts'
import styles from '../planning.module.css'

/** Changes in a project, latest first. */
export function ProjectActivity({ projectId }: { projectId: string }) {
  const changes = useList('list_activity', { project_id: projectId, limit: 50 })
  const listed = changes.items.filter(
    (change) => change.verb !== 'updated' || shownChanges(change).length > 0,
  )
  return (
    <div className={styles.history}>
      <Shown query={changes}>
        {() =>
          listed.length === 0 ? (
            <Empty icon={IconHistory} {...t.planning.empty.activity} />
          ) : (
            <ol className={styles.rows}>
              {listed.map((change) => (
                <ProjectChangeEntry key={change.id} change={change} />
              ))}
            </ol>
          )
        }
      </Shown>
      <MoreButton query={changes} />
    </div>
  )
}

function ProjectChangeEntry({ change }: { change: Change }) {
  const who = whoOf(change)
  return (
    <li className={styles.entry} data-kind={who.kind}>
      <Face id={change.actor.id} name={who.name} kind={who.kind} />
      <span className={styles.entryText}>
        <strong dir="auto">{who.name}</strong> {t.items.word(change.verb).toLowerCase()}{' '}
        <ItemLink item={change.item} withIcon={false} />
        {change.verb === 'updated' &&
          shownChanges(change).map(({ field, to }) => (
            <span key={field} className={styles.note}>
              {t.items.field(field)}: {shownValue(field, to)}
            </span>
          ))}
      </span>
      <span className={styles.note}>
        <Ago at={change.at} />
      </span>
    </li>
  )
}
