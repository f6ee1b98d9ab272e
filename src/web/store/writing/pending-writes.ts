import type { Input, OperationName } from '../../api/client.ts'
import { idempotentOperations, outboundOperations } from '../../api/operations.ts'
import { table } from '../rows.ts'
import { randomId } from '../stream/tabs.ts'
import type { RowChange } from '../types.ts'

/** A local change: sent until the server has answered. Plain data, since it is stored on disk. */
export interface PendingWrite {
  /** Its idempotency key, the same for every attempt. */
  readonly id: string
  readonly person: string
  readonly operation: OperationName
  readonly input: Input<OperationName>
  readonly changes: readonly RowChange[]
  /** Previous values of its fields, by row. */
  readonly before: readonly FieldsBefore[]
  /** Description of the change. */
  readonly text: string
  /** True if undo_api_call supports it. */
  readonly canUndo: boolean
  /** Writes in the same lane are sent in sequence; default: those of the same rows. */
  readonly lane?: string | undefined
  /** Writes in the same group are undone together. */
  readonly group?: string | undefined
  /** Temporary ids of rows that earlier writes are still creating: it is sent after those, with the server's ids. */
  readonly follows?: readonly string[] | undefined
  /** Time of the change, in milliseconds. */
  readonly at: number
  /** Its sequence number in this browser. */
  readonly order: number
}

interface FieldsBefore {
  type: RowChange['type']
  id: string
  fields: Record<string, unknown>
}

/** Maximum age of a write: the server forgets idempotency keys after a day. */
export const maxWriteAgeMs = 23 * 3600_000
/** After this time, a retry of an operation without idempotency keys first checks that the field is unchanged. */
const safeRetryMs = 5000

const idempotentSet: ReadonlySet<string> = new Set(idempotentOperations)
const outboundSet: ReadonlySet<string> = new Set(outboundOperations)

let lastOrder = 0

export function newPendingWrite(
  write: Pick<
    PendingWrite,
    'person' | 'operation' | 'input' | 'changes' | 'text' | 'canUndo' | 'lane' | 'group'
  >,
): PendingWrite {
  const at = Date.now()
  lastOrder = Math.max(lastOrder + 1, at * 1000)
  return {
    ...write,
    id: randomId(),
    before: write.changes.flatMap(fieldsBefore),
    at,
    order: lastOrder,
  }
}

/** Overlays the changes of a write on the rows. */
export function applyWrite({ id, changes }: PendingWrite): void {
  for (const change of changes) table(change.type).apply(id, change)
}

/** Removes the overlay of a write from the rows. */
export function removeWrite({ id, changes }: PendingWrite): void {
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

/** True if it sends something outside: such a write is never sent later without the person's attention. */
export function isOutbound(operation: OperationName): boolean {
  return outboundSet.has(operation)
}

/** True if sending it again now could execute it twice. */
export function needsRowCheck({ operation, at, before }: PendingWrite): boolean {
  return idempotentSet.has(operation) && before.length > 0 && Date.now() - at > safeRetryMs
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
    const newValues = change && 'set' in change ? change.set : {}
    const differs = (values: Record<string, unknown>) =>
      Object.keys(fields).some((name) => !isSameFieldValue(row[name], values[name]))
    if (differs(newValues)) isDone = false
    if (differs(fields) && differs(newValues)) return 'changed'
  }
  return isDone ? 'done' : 'untouched'
}

/** True if two field values are equal; references are compared by id. */
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
