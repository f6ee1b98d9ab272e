import type { Input } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { taskRowOf } from '../data/rows.ts'
import { writeTasks } from '../data/write.ts'
import { valueText } from './words.ts'
import type { FieldChange } from './useTask.ts'

/** A field of a change, from the history or the latest change of the field. */
type ChangedField = Pick<FieldChange, 'field' | 'from'>

type Update = Omit<Input<'update_task'>, 'task_id'>

/** Values that can be restored by a new change; of `due_at` and `due_on`, the day is the one that people chose. */
const revertableFields = [
  'status',
  'priority',
  'title',
  'due_on',
  'due_at',
  'start_on',
  'start_at',
  'estimate_minutes',
  'points',
] as const

const revertableChange = (changes: readonly ChangedField[]) =>
  revertableFields
    .map((field) => changes.find((change) => change.field === field))
    .find((change) => change !== undefined)

/** True if a value can be reset to that before a change. */
export function canRevert(changes: readonly ChangedField[]): boolean {
  const entry = revertableChange(changes)
  const needsValue = entry && ['status', 'priority', 'title'].includes(entry.field)
  return entry !== undefined && !(needsValue && entry.from === null)
}

/** Resets a value to that before a change. This is a new change by the person, which can be undone. */
export async function revertChange(
  taskId: string,
  changes: readonly ChangedField[],
): Promise<void> {
  const entry = revertableChange(changes)
  const row = taskRowOf(taskId)
  if (!entry || !row) return
  const argument = entry.field.replace(/_on$/, '_at')
  await writeTasks({
    operation: 'update_task',
    input: { task_id: taskId, ...({ [argument]: entry.from } as Update) },
    rows: new Map([[taskId, {}]]),
    text: t.tasks.changed(row.key, t.tasks.set.back(valueText(entry.field, entry.from))),
  })
}
