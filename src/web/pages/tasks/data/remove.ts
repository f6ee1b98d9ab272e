import { writeTogether, writing } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import type { TaskRow } from './rows.ts'

/** Moves tasks to the trash; undone as one. */
export async function removeTasks(rows: readonly TaskRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  await writeTogether(
    t.tasks.changed(
      rows.length === 1 ? first.key : t.tasks.count(rows.length),
      t.tasks.set.deleted,
    ),
    rows.map(({ id }) =>
      writing('delete_task', { task_id: id }, [{ type: 'task', id, remove: true }]),
    ),
  )
}
