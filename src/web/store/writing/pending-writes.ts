import type { Input, OperationName } from '../../api/client.ts'
import { idempotentOperations, outboundOperations } from '../../api/operations.ts'
import { table } from '../rows.ts'
import { randomId } from '../stream/tabs.ts'
import type { RowChange } from '../types.ts'

/** A change that someone made here: sent until the server has answered. Plain data, since it waits on the disk. */
export interface PendingWrite {
  /** Its idempotency key, the same for every try. */
  readonly id: string
  readonly person: string
  readonly operation: OperationName
  readonly input: Input<OperationName>
  readonly changes: readonly RowChange[]
  /** The values that its fields had, by row. */
  readonly before: readonly FieldsBefore[]
  /** Description of the change. */
  readonly text: string
  /** Whether undo_api_call takes it back. */
  readonly canUndo: boolean
  /** Writes of one lane go one after the other; default: those of the same rows. */
  readonly lane?: string | undefined
  /** Writes that have the same are undone together. */
  readonly group?: string | undefined
  /** Temporary ids of rows that earlier writes still make: it goes after those, with the ids that the server gave. */
  readonly follows?: readonly string[] | undefined
  /** When it was done, in milliseconds. */
  readonly at: number
  /** Its place among the writes of this browser. */
  readonly order: number
}

interface FieldsBefore {
  type: RowChange['type']
  id: string
  fields: Record<string, unknown>
}

/** Longer than this a write is not sent any more: the server forgets idempotency keys after a day. */
export const maxWriteAgeMs = 23 * 3600_000
/** A later try of an operation that knows no idempotency keys first looks whether the field is still as it was. */
const surePeriodMs = 5000

const idempotent: ReadonlySet<string> = new Set(idempotentOperations)
const outbound: ReadonlySet<string> = new Set(outboundOperations)

let last = 0

export function newPendingWrite(
  write: Pick<
    PendingWrite,
    'person' | 'operation' | 'input' | 'changes' | 'text' | 'canUndo' | 'lane' | 'group'
  >,
): PendingWrite {
  const at = Date.now()
  last = Math.max(last + 1, at * 1000)
  return { ...write, id: randomId(), before: write.changes.flatMap(fieldsBefore), at, order: last }
}

/** Puts what a write changes over the rows. */
export function applyWrite({ id, changes }: PendingWrite): void {
  for (const change of changes) table(change.type).apply(id, change)
}

/** Takes it off again. */
export function hideWrite({ id, changes }: PendingWrite): void {
  for (const { type } of changes) table(type).drop(id)
}

function fieldsBefore(change: RowChange): FieldsBefore[] {
  if (!('set' in change)) return []
  const row = table(change.type).get(change.id) as Record<string, unknown> | undefined
  if (!row) return []
  const fields = Object.fromEntries(
    Object.keys(change.set).map((name) => [name, row[name] ?? null]),
  )
  return [{ type: change.type, id: change.id, fields }]
}

/** Whether it leaves the workspace: such a thing is never sent later, without the person looking. */
export function isOutbound(operation: OperationName): boolean {
  return outbound.has(operation)
}

/** Whether the server could do it twice if it is sent again now. */
export function needsLook({ operation, at, before }: PendingWrite): boolean {
  return idempotent.has(operation) && before.length > 0 && Date.now() - at > surePeriodMs
}

export type RowComparison = 'untouched' | 'done' | 'changed'

/** Compares refetched rows with a write: as before it, as after it, or changed by someone else. */
export function compareRows(
  pending: PendingWrite,
  rows: ReadonlyMap<string, object>,
): RowComparison {
  let isDone = true
  for (const { id, fields } of pending.before) {
    const row = rows.get(id) as Record<string, unknown> | undefined
    if (!row) return 'changed'
    const change = pending.changes.find((item) => item.id === id && 'set' in item)
    const set = change && 'set' in change ? change.set : {}
    const differs = (values: Record<string, unknown>) =>
      Object.keys(fields).some((name) => !isSameFieldValue(row[name], values[name]))
    if (differs(set)) isDone = false
    if (differs(fields) && differs(set)) return 'changed'
  }
  return isDone ? 'done' : 'untouched'
}

/** Whether two values of a field mean the same: of references only the ids count. */
function isSameFieldValue(a: unknown, b: unknown): boolean {
  return comparableText(a) === comparableText(b)
}

function comparableText(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(comparableText).sort())
  if (typeof value === 'object' && value !== null)
    return 'id' in value ? String(value.id) : JSON.stringify(value)
  return value === undefined || value === null ? '' : String(value)
}

/** Lane of writes sent one after the other: the changes of one item, and all creations. */
export function laneOf({ changes, operation, lane }: PendingWrite): string {
  return (
    lane ??
    (changes
      .map((change) => change.id)
      .sort()
      .join() ||
      operation)
  )
}
