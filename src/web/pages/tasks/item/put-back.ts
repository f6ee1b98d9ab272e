import type { Input } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { rowOf } from '../data/rows.ts'
import { writeTasks } from '../data/write.ts'
import { shownValue } from './words.ts'
import type { Change } from './useTask.ts'

type Update = Omit<Input<'update_task'>, 'task_id'>

/** The values that are set as they were by one's own change; of `due_at` and `due_on`, the day is the one that people chose. */
const restorable = [
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

const entryOf = (change: Change, fields: readonly string[]) =>
  restorable
    .filter((field) => fields.includes(field))
    .map((field) => change.changes.find((entry) => entry.field === field))
    .find((entry) => entry !== undefined)

/** Whether a value can be set to what it was before a change. */
export function canPutBack(change: Change, fields: readonly string[]): boolean {
  const entry = entryOf(change, fields)
  const needsValue = entry && ['status', 'priority', 'title'].includes(entry.field)
  return entry !== undefined && !(needsValue && entry.from === null)
}

/** Sets a value to what it was before a change, as a change of one's own that can itself be undone. */
export async function putBack(
  taskId: string,
  change: Change,
  fields: readonly string[],
): Promise<void> {
  const entry = entryOf(change, fields)
  const row = rowOf(taskId)
  if (!entry || !row) return
  const argument = entry.field.replace(/_on$/, '_at')
  await writeTasks({
    operation: 'update_task',
    input: { task_id: taskId, ...({ [argument]: entry.from } as Update) },
    rows: new Map([[taskId, {}]]),
    text: t.tasks.changed(row.key, t.tasks.set.back(shownValue(entry.field, entry.from))),
  })
}
