import type { ReadContext } from '../../../operations/context.ts'
import { type Ref, trustOf } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { label } from '../../labels/access.ts'
import { type ListedRow, type TaskExtras, taskNames } from '../lists/access-lists.ts'

/** Maximum number of ids per kind in one name query; more ids take further queries. */
const maxNamesPerQuery = 400

/**
 * References by id. Projects, statuses, people, labels, sprints, milestones and parents share one map, since ids are
 * unique.
 */
export async function referencedNames(
  ctx: ReadContext,
  rows: readonly ListedRow[],
  marks: Map<string, TaskExtras>,
): Promise<Map<string, Ref>> {
  const idSets = {
    projects: new Set<string>(),
    statuses: new Set<string>(),
    people: new Set<string>(),
    labels: new Set<string>(),
    sprints: new Set<string>(),
    milestones: new Set<string>(),
    parents: new Set<string>(),
  }
  for (const row of rows) {
    const mark = marks.get(row.id)
    idSets.projects.add(row.project_id)
    idSets.statuses.add(row.status_id)
    idSets.people.add(row.created_by)
    for (const id of splitIds(mark?.assignees)) idSets.people.add(id)
    for (const id of splitIds(mark?.labels)) idSets.labels.add(id)
    if (row.sprint_id !== null) idSets.sprints.add(row.sprint_id)
    if (row.milestone_id !== null) idSets.milestones.add(row.milestone_id)
    if (row.parent_id !== null) idSets.parents.add(row.parent_id)
  }
  const list = (ids: Set<string>) => (ids.size === 0 ? null : [...ids].slice(0, maxNamesPerQuery))
  const nameRows = await taskNames(ctx, {
    projects: [...idSets.projects],
    statuses: [...idSets.statuses],
    people: [...idSets.people].slice(0, maxNamesPerQuery),
    labels: list(idSets.labels),
    sprints: list(idSets.sprints),
    milestones: list(idSets.milestones),
    parents: list(idSets.parents),
  })
  const names = new Map<string, Ref>()
  for (const { id, title, key, trust } of nameRows)
    names.set(id, {
      id,
      title,
      ...(key === null ? {} : { key }),
      ...trustOf(trust === 'external'),
    })
  if (idSets.people.size > maxNamesPerQuery)
    for (const [id, ref] of await peopleRefs(ctx, idSets.people)) names.set(id, ref)
  if (idSets.labels.size > maxNamesPerQuery)
    for (const [id, row] of await label.among(ctx, [...idSets.labels]))
      names.set(id, { id, title: row.name })
  return names
}

export function splitIds(ids: string | null | undefined): string[] {
  return ids ? ids.split(' ') : []
}
