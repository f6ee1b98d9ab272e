// Writes that change or refer to a row which an earlier write is still creating: they are sent after it, with the id
// assigned by the server.

import type { PendingWrite } from './pending-writes.ts'

type IdMap = ReadonlyMap<string, string>

/** Ids of created rows, by the temporary ids that screens may still use. */
const createdIds = new Map<string, string>()

/** The temporary id of a row until the server has created it. */
export const temporaryIdOf = ({ changes }: PendingWrite): string | undefined =>
  changes.find((change) => 'add' in change)?.id

/** Finds the temporary ids of rows still being created that a write changes or names in its input. */
export function dependenciesOf(
  { input, changes }: Pick<PendingWrite, 'input' | 'changes'>,
  temporaryIds: ReadonlySet<string>,
): string[] {
  if (temporaryIds.size === 0) return []
  const referenced = stringsIn([input, changes.filter((change) => !('add' in change))])
  return [...new Set(referenced)].filter((id) => temporaryIds.has(id))
}

/** Remembers the server's id for a created row. */
export function rememberCreatedId(write: PendingWrite, created: { id: string } | undefined): void {
  const temporaryId = temporaryIdOf(write)
  if (temporaryId !== undefined && created) createdIds.set(temporaryId, created.id)
}

/** The server's id for a temporary one; any other id is returned unchanged. */
export const serverIdOf = (id: string): string => createdIds.get(id) ?? id

/** Replaces temporary ids in a write by those of rows created meanwhile. */
export function withServerIds<W extends Pick<PendingWrite, 'input' | 'changes'>>(write: W): W {
  if (dependenciesOf(write, new Set(createdIds.keys())).length === 0) return write
  return { ...write, ...replaceIds(write, createdIds) }
}

/**
 * A write that follows a completed one: replaces the temporary id with that of the created row, also in the previous
 * values shown on its screen.
 */
export function withCreatedRow(
  write: PendingWrite,
  creation: PendingWrite,
  created: { id: string },
): PendingWrite {
  const temporaryId = temporaryIdOf(creation)
  if (temporaryId === undefined) return write
  rememberCreatedId(creation, created)
  const change = creation.changes.find((item) => item.id === temporaryId)
  const addedFields = change && 'add' in change ? change.add : {}
  const before = write.before.map((item) =>
    item.id === temporaryId
      ? {
          ...item,
          id: created.id,
          fields: replaceShownFields(item.fields, addedFields, { ...created }),
        }
      : item,
  )
  const follows = write.follows?.filter((id) => id !== temporaryId)
  return { ...write, ...replaceIds(write, createdIds), before, follows }
}

/** The created row in an answer. */
export function createdRowIn(value: unknown): { id: string } | undefined {
  const { id } = (value ?? {}) as { id?: unknown }
  return typeof id === 'string' ? { ...(value as object), id } : undefined
}

function replaceShownFields(
  fields: Record<string, unknown>,
  addedFields: Record<string, unknown>,
  created: Record<string, unknown>,
): Record<string, unknown> {
  const isUnchanged = (name: string, value: unknown) =>
    JSON.stringify(value ?? null) === JSON.stringify(addedFields[name] ?? null)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isUnchanged(name, value) ? (created[name] ?? null) : value,
    ]),
  )
}

function replaceIds({ input, changes }: Pick<PendingWrite, 'input' | 'changes'>, ids: IdMap) {
  return { input: withIds(input, ids), changes: withIds(changes, ids) }
}

function withIds<V>(value: V, ids: IdMap): V {
  if (typeof value === 'string') return (ids.get(value) ?? value) as V
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids)) as V
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withIds(item, ids)]),
  ) as V
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isPlainObject(value) ? Object.values(value).flatMap(stringsIn) : []
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
