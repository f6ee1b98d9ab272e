import type { Output } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { StatusIcon } from '../../../ui/work/states.tsx'
import { FaceStack } from '../../tasks/list/chips.tsx'
import styles from '../planning.module.css'

const lists = ['completed', 'carried_over', 'added_after_start', 'removed_after_start'] as const

export function ReportTasks({ report }: { report: Output<'get_sprint_report'> }) {
  return lists.map(
    (name) =>
      report[name].length > 0 && (
        <section key={name} className={styles.section}>
          <h2>
            {t.planning.sprint.lists[name]}
            <span className={styles.note}>{report.counts[name]}</span>
          </h2>
          <ul className={styles.rows}>
            {report[name].map((task) => (
              <li key={task.id}>
                <RouterLink to={`/tasks/${task.key}`} className={styles.row}>
                  <StatusIcon category={task.status_category} />
                  <span className={styles.key}>{task.key}</span>
                  <span className={styles.name} dir="auto">
                    {task.title}
                  </span>
                  {task.points !== undefined && (
                    <span className={styles.points}>{task.points}</span>
                  )}
                  <FaceStack items={task.assignees} size={18} />
                </RouterLink>
              </li>
            ))}
          </ul>
        </section>
      ),
  )
}
