import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import type { SprintRow } from '../data.ts'
import styles from '../planning.module.css'
import { Days } from './Days.tsx'

/** Past sprints, latest first. */
export function SprintList({ sprints }: { sprints: readonly SprintRow[] }) {
  if (sprints.length === 0) return null
  return (
    <section>
      <h2 className={styles.groupHead}>
        {t.planning.sprint.past} <span>{sprints.length}</span>
      </h2>
      <ul className={styles.rows}>
        {sprints.map((sprint) => (
          <li key={sprint.id}>
            <RouterLink to={`/sprints/${sprint.id}`} className={styles.row}>
              <span className={styles.name} dir="auto">
                {sprint.name}
              </span>
              <span className={styles.fact}>{t.planning.sprint.states[sprint.status]}</span>
              <span className={styles.fact}>
                {t.planning.doneOf(sprint.done.tasks, sprint.committed.tasks)}
              </span>
              <span className={styles.fact}>
                <Days sprint={sprint} />
              </span>
            </RouterLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
