import type { Input } from '../../../api/client.ts'
import type { ProjectRow } from '../data.ts'

type Status = ProjectRow['statuses'][number]
export type Category = Status['category']

/** A status while the set of them is edited. */
export interface EditedStatus {
  /** Tells the lines apart while they move and are renamed. */
  key: string
  /** Current name; undefined: it is new. */
  was: string | undefined
  name: string
  category: Category
  color: string | undefined
  limit: number | undefined
}

/** The statuses of a project in their order, as they begin. */
export function editedStatuses(statuses: readonly Status[]): EditedStatus[] {
  return statuses
    .toSorted((a, b) => a.position - b.position)
    .map(({ name, category, color, wip_limit }) => ({
      key: name,
      was: name,
      name,
      category,
      color,
      limit: wip_limit,
    }))
}

/** The list with one of its items moved by so many places; the same list where there is no room. */
export function moved<T>(items: readonly T[], index: number, step: number): readonly T[] {
  const to = index + step
  const item = items[index]
  if (item === undefined || to < 0 || to >= items.length) return items
  return items.toSpliced(index, 1).toSpliced(to, 0, item)
}

/** Statuses that were there and are not any more. */
export function removedStatuses(
  before: readonly Status[],
  after: readonly EditedStatus[],
): Status[] {
  const keptNames = new Set(after.map(({ was }) => was))
  return before.filter(({ name }) => !keptNames.has(name))
}

/** Default target of a removed status's tasks: the first status of the same category, or else the first of all. */
export function defaultTarget(
  removed: Status,
  after: readonly EditedStatus[],
): EditedStatus | undefined {
  return after.find(({ category }) => category === removed.category) ?? after[0]
}

/** Whether all have names, and none the name of another. */
export function areNamed(statuses: readonly EditedStatus[]): boolean {
  const names = statuses.map(({ name }) => name.trim().toLowerCase())
  return names.every((name) => name !== '') && new Set(names).size === names.length
}

export function workflowOf(
  statuses: readonly EditedStatus[],
): Input<'set_project_workflow'>['statuses'] {
  return statuses.map(({ was, name, category, color, limit }) => ({
    name: name.trim(),
    category,
    ...(color !== undefined && { color }),
    ...(limit !== undefined && { wip_limit: limit }),
    ...(was !== undefined && was !== name.trim() && { was }),
  }))
}
