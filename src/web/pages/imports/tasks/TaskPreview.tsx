import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import styles from '../imports.module.css'
import type { TaskPlan } from './data.ts'

/** A preview of a file's first tasks. */
export function TaskPreview({ plan: { preview = [] } }: { plan: TaskPlan }) {
  if (preview.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
    <section className={styles.scroll} aria-label={words.first} tabIndex={0}>
      <table className={styles.table}>
        <caption>{words.first}</caption>
        <thead>
          <tr>
            {words.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map((task) => (
            <tr key={task.line} data-there={task.imported_before || undefined}>
              <td>{task.line}</td>
              <td dir="auto">
                {task.title}
                {task.imported_before && ` (${words.there})`}
              </td>
              <td dir="auto">{task.status}</td>
              <td>{task.priority}</td>
              <td>{task.due}</td>
              <td dir="auto">{task.assignees.join(', ')}</td>
              <td dir="auto">{task.labels.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
