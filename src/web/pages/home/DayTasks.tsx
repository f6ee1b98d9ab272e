import { useEffect } from 'react'
import { t } from '../../texts/index.ts'
import { table, storeRows } from '../../store/index.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { PriorityIcon, StatusIcon } from '../../ui/work/states.tsx'
import { useRow, type TaskRow } from '../tasks/data/rows.ts'
import { DueChip } from '../tasks/list/chips.tsx'
import { openPicker } from '../tasks/pick/open.ts'
import { isClosed } from '../tasks/data/due.ts'
import styles from './day.module.css'

interface DayTasksProps {
  overdue: readonly TaskRow[]
  due: readonly TaskRow[]
  started: readonly TaskRow[]
}

/** The reader's overdue tasks, those due today and started ones; all task keys work on them. */
export function DayTasks({ overdue, due, started }: DayTasksProps) {
  const dueIds = new Set([...overdue, ...due].map((task) => task.id))
  const groups = [
    { title: t.home.tasks.overdue, tasks: overdue },
    { title: t.home.tasks.due, tasks: due },
    { title: t.home.tasks.started, tasks: started.filter((task) => !dueIds.has(task.id)) },
  ].filter((group) => group.tasks.length > 0)
  useEffect(() => {
    storeRows(
      'task',
      [...overdue, ...due, ...started].filter((task) => !table('task').has(task.id)),
    )
  }, [overdue, due, started])
  if (groups.length === 0) return <p className={styles.none}>{t.home.tasks.none}</p>
  return groups.map(({ title, tasks }) => (
    <div key={title}>
      <h3 className={styles.group}>
        {title} <span>{tasks.length}</span>
      </h3>
      <ul className={styles.rows}>
        {tasks.map((task) => (
          <li key={task.id}>
            <DayTask task={task} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

function DayTask({ task }: { task: TaskRow }) {
  const row = useRow(task.id) ?? task
  return (
    <div className={styles.task} data-done={isClosed(row.status_category) || undefined}>
      <button
        type="button"
        className={styles.status}
        aria-label={t.tasks.fieldIs(t.tasks.fields.status, row.status)}
        onClick={(event) =>
          openPicker({ field: 'status', ids: [row.id], anchor: event.currentTarget })
        }
      >
        <StatusIcon category={row.status_category} />
      </button>
      <RouterLink to={`/tasks/${row.key}`} className={styles.row} data-row data-task={row.id}>
        <PriorityIcon priority={row.priority} />
        <span className={styles.key}>{row.key}</span>
        <span className={styles.name} dir="auto">
          {row.title}
        </span>
        {row.blocked && <span className={styles.blocked}>{t.tasks.blocked}</span>}
        <DueChip row={row} />
      </RouterLink>
    </div>
  )
}
