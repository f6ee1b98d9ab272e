import { t } from '../../../texts/index.ts'
import { Loading, Problem } from '../../../ui/states.tsx'
import { PeekHead } from '../../items/peek/PeekHead.tsx'
import styles from './item.module.css'
import { TaskDetail } from './TaskDetail.tsx'
import { useTask } from './useTask.ts'

/** A task beside the list. */
export function Peek({ id, close }: { id: string; close: () => void }) {
  const { task, row, error, refetch } = useTask(id)
  return (
    <aside className={styles.peek} aria-label={t.tasks.peek}>
      <PeekHead itemId={row?.id} page={`/tasks/${id}`} close={close}>
        <span className={styles.key}>{id}</span>
      </PeekHead>
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
