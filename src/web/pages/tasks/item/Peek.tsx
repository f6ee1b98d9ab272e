import { IconArrowsDiagonal, IconX } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Loading, Problem } from '../../../ui/states.tsx'
import { Lookers } from '../../../ui/work/Lookers.tsx'
import styles from './item.module.css'
import { TaskDetail } from './TaskDetail.tsx'
import { useTask } from './useTask.ts'

/** A task beside the list. */
export function Peek({ id, close }: { id: string; close: () => void }) {
  const { task, row, error, refetch } = useTask(id)
  return (
    <aside className={styles.peek} aria-label={t.tasks.peek}>
      <header className={styles.bar}>
        <span className={styles.key}>{id}</span>
        <span className={styles.tools}>
          {row && <Lookers itemId={row.id} />}
          <RouterLink
            to={`/tasks/${id}`}
            className={styles.tool}
            aria-label={t.tasks.openPage}
            title={t.tasks.openPage}
          >
            <IconArrowsDiagonal size={15} aria-hidden />
          </RouterLink>
          <button
            type="button"
            className={styles.tool}
            onClick={close}
            aria-label={t.app.close}
            title={t.app.close}
          >
            <IconX size={15} aria-hidden />
          </button>
        </span>
      </header>
      {!task || !row ? (
        <div className={styles.content}>
          {error ? <Problem error={error} retry={() => void refetch()} /> : <Loading />}
        </div>
      ) : (
        <TaskDetail key={task.id} task={task} row={row} isPeek />
      )}
    </aside>
  )
}
