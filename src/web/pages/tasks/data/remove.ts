import { writeGroup, groupedWrite } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import type { TaskRow } from './rows.ts'

/** Moves tasks to the trash; undone as one. */
export async function removeTasks(rows: readonly TaskRow[]): Promise<void> {
  const [firstRow] = rows
  if (!firstRow) return
  await writeGroup(
    t.tasks.changed(
      rows.length === 1 ? firstRow.key : t.tasks.count(rows.length),
      t.tasks.set.deleted,
    ),
    rows.map(({ id }) =>
      groupedWrite('delete_task', { task_id: id }, [{ type: 'task', id, remove: true }]),
    ),
  )
}
