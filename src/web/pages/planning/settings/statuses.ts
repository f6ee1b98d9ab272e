import type { Input } from '../../../api/client.ts'
import type { ProjectRow } from '../data.ts'

type Status = ProjectRow['statuses'][number]
export type Category = Status['category']

/** A status during editing. */
export interface EditedStatus {
  /** React key that stays the same when the line is moved or renamed. */
  key: string
  /** Stored name; undefined: it is new. */
  previousName: string | undefined
  name: string
  category: Category
  color: string | undefined
  limit: number | undefined
}

/** The initial statuses of a project, in order. */
export function editedStatuses(statuses: readonly Status[]): EditedStatus[] {
  return statuses
    .toSorted((a, b) => a.position - b.position)
    .map(({ name, category, color, wip_limit }) => ({
      key: name,
      previousName: name,
      name,
      category,
      color,
      limit: wip_limit,
    }))
}

/** Moves an item of a list by a number of positions; returns the same list if it cannot move. */
export function moveByStep<T>(items: readonly T[], index: number, step: number): readonly T[] {
  const targetIndex = index + step
  const item = items[index]
  if (item === undefined || targetIndex < 0 || targetIndex >= items.length) return items
  return items.toSpliced(index, 1).toSpliced(targetIndex, 0, item)
}

/** Original statuses that were removed. */
export function removedStatuses(
  before: readonly Status[],
  after: readonly EditedStatus[],
): Status[] {
  const remainingNames = new Set(after.map(({ previousName }) => previousName))
  return before.filter(({ name }) => !remainingNames.has(name))
}

/** Default target of a removed status's tasks: the first status of the same category, or else the first of all. */
export function defaultTarget(
  removed: Status,
  after: readonly EditedStatus[],
): EditedStatus | undefined {
  return after.find(({ category }) => category === removed.category) ?? after[0]
}

/** True if all have unique names. */
export function haveUniqueNames(statuses: readonly EditedStatus[]): boolean {
  const names = statuses.map(({ name }) => name.trim().toLowerCase())
  return names.every((name) => name !== '') && new Set(names).size === names.length
}

export function workflowOf(
  statuses: readonly EditedStatus[],
): Input<'set_project_workflow'>['statuses'] {
  return statuses.map(({ previousName, name, category, color, limit }) => ({
    name: name.trim(),
    category,
    ...(color !== undefined && { color }),
    ...(limit !== undefined && { wip_limit: limit }),
    ...(previousName !== undefined && previousName !== name.trim() && { was: previousName }),
  }))
}
