import type { RowTable } from './rows.ts'
import type { AnyRow } from './types.ts'

interface ItemReference {
  id: string
  title: string
  key?: string
}

const isItemReference = (value: unknown): value is ItemReference =>
  typeof value === 'object' && value !== null && 'id' in value && 'title' in value

/** Rows are immutable: each is scanned once. */
const idsByRow = new WeakMap<AnyRow, readonly string[]>()

/** True if a row refers to an item in one of its fields: its project, people, parent, blockers. */
export function refersToItem(row: AnyRow, id: string): boolean {
  let ids = idsByRow.get(row)
  if (ids === undefined) {
    ids = Object.values(row)
      .flat()
      .filter(isItemReference)
      .map((ref) => ref.id)
    idsByRow.set(row, ids)
  }
  return ids.includes(id)
}

/** Renames an item in all rows that show it. The identity of a renamed person stays the same. */
export function renameIn(rows: RowTable<AnyRow>, item: ItemReference): void {
  const renamedRows: AnyRow[] = []
  const replaceReference = (value: unknown) =>
    isItemReference(value) &&
    value.id === item.id &&
    (value.title !== item.title || value.key !== item.key)
      ? { ...value, ...item }
      : value
  for (const { id } of [...rows.all()]) {
    const row = rows.serverRow(id)
    if (!row || !refersToItem(row, item.id)) continue
    const fields = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(replaceReference) : replaceReference(value),
      ]),
    )
    renamedRows.push(fields as object as AnyRow)
  }
  rows.put(renamedRows)
}
