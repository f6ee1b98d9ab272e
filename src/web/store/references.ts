import type { RowTable } from './rows.ts'
import type { AnyRow } from './types.ts'

interface Ref {
  id: string
  title: string
  key?: string
}

const isRef = (value: unknown): value is Ref =>
  typeof value === 'object' && value !== null && 'id' in value && 'title' in value

/** Rows are immutable: each is scanned once. */
const idsByRow = new WeakMap<AnyRow, readonly string[]>()

/** True if a row refers to an item in one of its fields: its project, people, parent, blockers. */
export function namesItem(row: AnyRow, id: string): boolean {
  let ids = idsByRow.get(row)
  if (ids === undefined) {
    ids = Object.values(row)
      .flat()
      .filter(isRef)
      .map((ref) => ref.id)
    idsByRow.set(row, ids)
  }
  return ids.includes(id)
}

/** Renames an item in all rows that show it. The identity of a renamed person stays the same. */
export function renameIn(rows: RowTable<AnyRow>, item: Ref): void {
  const renamed: AnyRow[] = []
  const replaceReference = (value: unknown) =>
    isRef(value) && value.id === item.id && (value.title !== item.title || value.key !== item.key)
      ? { ...value, ...item }
      : value
  for (const { id } of [...rows.all()]) {
    const row = rows.serverRow(id)
    if (!row || !namesItem(row, item.id)) continue
    const changed = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(replaceReference) : replaceReference(value),
      ]),
    )
    renamed.push(changed as object as AnyRow)
  }
  rows.put(renamed)
}
