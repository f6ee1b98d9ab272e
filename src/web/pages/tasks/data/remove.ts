import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import type { TaskRow } from './rows.ts'

/** Moves tasks to the trash; each can be undone. */
export function removeTasks(rows: readonly TaskRow[]): void {
  for (const row of rows)
    void write(
      'delete_task',
      { task_id: row.id },
      {
        rows: [{ type: 'task', id: row.id, remove: true }],
        text: t.tasks.changed(row.key, t.tasks.set.deleted),
      },
    )
}
