import { t } from '../../../texts/index.ts'
import type { TaskRow } from '../../tasks/data/rows.ts'
import styles from '../planning.module.css'

/** Total work of tasks: their number, points and estimates. */
export function Sums({ tasks }: { tasks: readonly TaskRow[] }) {
  const points = tasks.reduce((sum, row) => sum + (row.points ?? 0), 0)
  const minutes = tasks.reduce((sum, row) => sum + (row.estimate_minutes ?? 0), 0)
  const sums = [
    t.tasks.count(tasks.length),
    ...(points > 0 ? [t.planning.points(points)] : []),
    ...(minutes > 0 ? [t.items.minutes(minutes)] : []),
  ]
  return (
    <span className={styles.sums} role="status">
      {sums.join(' · ')}
    </span>
  )
}
