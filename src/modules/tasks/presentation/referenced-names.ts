import type { ReadContext } from '../../../operations/context.ts'
import type { Ref } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { label } from '../../labels/access.ts'
import { type ListedRow, type Marks, taskNames } from '../lists/access-lists.ts'

/** Ids that one query of names takes of a kind; more are fetched by another. */
const maxNamesPerQuery = 400

/** References by id: projects, statuses, people, labels, sprints, milestones and parents share one map, since ids never collide. */
export async function referencedNames(
  ctx: ReadContext,
  rows: readonly ListedRow[],
  marks: Map<string, Marks>,
): Promise<Map<string, Ref>> {
  const of = {
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
    of.projects.add(row.project_id)
    of.statuses.add(row.status_id)
    of.people.add(row.created_by)
    for (const id of split(mark?.assignees)) of.people.add(id)
    for (const id of split(mark?.labels)) of.labels.add(id)
    if (row.sprint_id !== null) of.sprints.add(row.sprint_id)
    if (row.milestone_id !== null) of.milestones.add(row.milestone_id)
    if (row.parent_id !== null) of.parents.add(row.parent_id)
  }
  const list = (ids: Set<string>) => (ids.size === 0 ? null : [...ids].slice(0, maxNamesPerQuery))
  const found = await taskNames(ctx, {
    projects: [...of.projects],
    statuses: [...of.statuses],
    people: [...of.people].slice(0, maxNamesPerQuery),
    labels: list(of.labels),
    sprints: list(of.sprints),
    milestones: list(of.milestones),
    parents: list(of.parents),
  })
  const names = new Map<string, Ref>()
  for (const { id, title, key } of found)
    names.set(id, key === null ? { id, title } : { id, title, key })
  if (of.people.size > maxNamesPerQuery)
    for (const [id, ref] of await peopleRefs(ctx, of.people)) names.set(id, ref)
  if (of.labels.size > maxNamesPerQuery)
    for (const [id, row] of await label.among(ctx, [...of.labels]))
      names.set(id, { id, title: row.name })
  return names
}

export function split(ids: string | null | undefined): string[] {
  return ids ? ids.split(' ') : []
}
