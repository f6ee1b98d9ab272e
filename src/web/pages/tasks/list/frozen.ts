import type { TaskRow } from '../data/rows.ts'
import type { TaskGroup } from './arrange.ts'

/** Groups without rows that are no longer in `rows`. */
export function removeMissingRows(
  groups: readonly TaskGroup[],
  rows: readonly TaskRow[],
): readonly TaskGroup[] {
  const presentIds = new Set(rows.map((row) => row.id))
  if (groups.every(({ ids }) => ids.every((id) => presentIds.has(id)))) return groups
  return groups.map((group) => ({ ...group, ids: group.ids.filter((id) => presentIds.has(id)) }))
}
