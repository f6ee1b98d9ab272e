import { useEffect } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { table, storeRows } from '../../../store/index.ts'
import { useRow } from '../data/rows.ts'

export type FullTask = Output<'get_task'>
export type Change = Output<'list_activity'>['items'][number]
export type FieldChange = Output<'list_field_changes'>['items'][number]

/**
 * A task with all details, by id or key. Its values come from the row, which shows the reader's changes immediately.
 */
export function useTask(id: string) {
  const taskQuery = useOperation('get_task', {
    task_id: id,
    include: ['subtasks', 'dependencies', 'comments', 'attachments'],
  })
  const task = taskQuery.data
  useEffect(() => {
    const rows = task ? [task, ...(task.subtasks ?? [])] : []
    storeRows(
      'task',
      rows.filter((row) => !table('task').has(row.id)), // stored rows have a more complete last_change
    )
  }, [task])
  const row = useRow(task?.id)
  return { ...taskQuery, task, row: row ?? task }
}

/** History of a task, latest first. */
export function useChanges(id: string) {
  return useOperation('list_activity', { item_id: id, limit: 100 })
}

/** Last change of each field of a task, with its previous value. */
export function useFieldChanges(id: string): FieldChange[] {
  return useOperation('list_field_changes', { item_id: id, limit: 100 }).data?.items ?? []
}

/** The last change of a value with these names in the history; several if it set more than one of them. */
export function lastChangesOf(
  changes: readonly FieldChange[],
  names: readonly string[],
): FieldChange[] {
  const fieldChanges = changes.filter(({ field }) => names.includes(field))
  const lastTime = fieldChanges
    .map(({ at }) => at)
    .sort()
    .at(-1)
  return fieldChanges.filter(({ at }) => at === lastTime)
}
