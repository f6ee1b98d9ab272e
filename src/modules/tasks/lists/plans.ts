import type { Viewer } from '../../../records/access-scope.ts'
import { isFew, seesMost, type TaskQueryPlan } from './access-lists.ts'
import type { TaskFilter } from './filters.ts'

export const sorts = [
  'due_at',
  'priority',
  'created_at',
  'updated_at',
  'position',
  'title',
  'start_at',
  'status',
] as const
export type Sort = (typeof sorts)[number]

/** The plan of a query that reads the tasks of a project, or of a search, one by one. */
export const plainPlan: TaskQueryPlan = { drive: 'project', fewOfPerson: false, fewOfLabel: false }

export async function planFor(ctx: Viewer, filter: TaskFilter, sort: Sort): Promise<TaskQueryPlan> {
  const fewOfPerson = filter.assignee !== undefined && (await isFew(ctx, 'person', filter.assignee))
  const fewOfLabel = filter.label !== undefined && (await isFew(ctx, 'label', filter.label[0]!))
  const few = { fewOfPerson, fewOfLabel }
  if (
    fewOfPerson ||
    fewOfLabel ||
    filter.delegated_to !== undefined ||
    filter.sprint !== undefined ||
    filter.milestone !== undefined ||
    filter.parent !== undefined
  )
    return { drive: 'ids', ...few }
  if (filter.project !== undefined) return { drive: 'project', ...few }
  const hasOrganizationIndex = sort === 'updated_at' || sort === 'created_at' || sort === 'due_at'
  return { drive: hasOrganizationIndex && (await seesMost(ctx)) ? 'org' : 'projects', ...few }
}
