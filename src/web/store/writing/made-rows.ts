// Writes that change or refer to a row which an earlier write is still creating: they are sent after it, with the id
// assigned by the server.

import type { PendingWrite } from './pending-writes.ts'

type Ids = ReadonlyMap<string, string>

/** Ids of created rows, by the temporary ids that screens may still use. */
const madeIds = new Map<string, string>()

/** The temporary id of a row until the server has created it. */
export const temporaryIdOf = ({ changes }: PendingWrite): string | undefined =>
  changes.find((change) => 'add' in change)?.id

/** Finds the temporary ids of rows still being created that a write changes or names in its input. */
export function followsOf(
  { input, changes }: Pick<PendingWrite, 'input' | 'changes'>,
  temporary: ReadonlySet<string>,
): string[] {
  if (temporary.size === 0) return []
  const referenced = stringsIn([input, changes.filter((change) => !('add' in change))])
  return [...new Set(referenced)].filter((text) => temporary.has(text))
}

/** Remembers the server's id for a created row. */
export function rememberMade(write: PendingWrite, created: { id: string } | undefined): void {
  const temporary = temporaryIdOf(write)
  if (temporary !== undefined && created) madeIds.set(temporary, created.id)
}

/** The server's id for a temporary one; any other id is returned unchanged. */
export const madeIdOf = (id: string): string => madeIds.get(id) ?? id

/** Replaces temporary ids in a write by those of rows created meanwhile. */
export function withMadeIds<W extends Pick<PendingWrite, 'input' | 'changes'>>(write: W): W {
  if (followsOf(write, new Set(madeIds.keys())).length === 0) return write
  return { ...write, ...replaced(write, madeIds) }
}

/**
 * A write that follows a completed one: replaces the temporary id with that of the created row, also in the previous
 * values shown on its screen.
 */
export function withMadeRow(
  write: PendingWrite,
  first: PendingWrite,
  created: { id: string },
): PendingWrite {
  const temporary = temporaryIdOf(first)
  if (temporary === undefined) return write
  rememberMade(first, created)
  const change = first.changes.find((item) => item.id === temporary)
  const addedFields = change && 'add' in change ? change.add : {}
  const before = write.before.map((item) =>
    item.id === temporary
      ? { ...item, id: created.id, fields: fieldsMade(item.fields, addedFields, { ...created }) }
      : item,
  )
  const follows = write.follows?.filter((id) => id !== temporary)
  return { ...write, ...replaced(write, madeIds), before, follows }
}

/** The created row in an answer. */
export function madeIn(value: unknown): { id: string } | undefined {
  const { id } = (value ?? {}) as { id?: unknown }
  return typeof id === 'string' ? { ...(value as object), id } : undefined
}

function fieldsMade(
  fields: Record<string, unknown>,
  addedFields: Record<string, unknown>,
  created: Record<string, unknown>,
): Record<string, unknown> {
  const isAsShown = (name: string, value: unknown) =>
    JSON.stringify(value ?? null) === JSON.stringify(addedFields[name] ?? null)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isAsShown(name, value) ? (created[name] ?? null) : value,
    ]),
  )
}

function replaced({ input, changes }: Pick<PendingWrite, 'input' | 'changes'>, ids: Ids) {
  return { input: withIds(input, ids), changes: withIds(changes, ids) }
}

function withIds<V>(value: V, ids: Ids): V {
  if (typeof value === 'string') return (ids.get(value) ?? value) as V
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids)) as V
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withIds(part, ids)]),
  ) as V
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isPlainObject(value) ? Object.values(value).flatMap(stringsIn) : []
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
