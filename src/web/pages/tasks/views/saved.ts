import type { Input, Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import type { Grouping, Sort, TaskFilter, TaskView } from '../list/view.ts'

type SavedView = Output<'list_saved_views'>['items'][number]
type SavedInput = Omit<Input<'create_saved_view'>, 'name'>

export interface SavedTaskView {
  id: string
  name: string
  /** As the address of the screen says it. */
  search: Record<string, unknown>
}

const staleTime = 60_000
const groupFields: Readonly<Record<Exclude<Grouping, 'none'>, string>> = {
  status: 'status',
  assignee: 'assignees',
  priority: 'priority',
  project: 'project',
  due: 'due_at',
}
const sortFields: Readonly<Record<Sort, string>> = {
  position: 'position',
  priority: 'priority',
  due: 'due_at',
  updated: 'updated_at',
  created: 'created_at',
  title: 'title',
}

/** The saved views of tasks, one's own and the shared ones. */
export function useSavedViews(): SavedTaskView[] {
  const { data } = useOperation('list_saved_views', { item_type: 'task', limit: 50 }, { staleTime })
  return (data?.items ?? []).map(({ id, name, ...view }) => ({ id, name, search: searchIn(view) }))
}

type Stored = Pick<SavedView, 'filter' | 'group_by' | 'sort'>

function searchIn({ filter, group_by, sort }: Stored): Record<string, unknown> {
  const many = (value: unknown) => (Array.isArray(value) ? value.join(',') : value)
  const said = {
    project: filter.project_id,
    assignee: filter.has_no_assignee === true ? 'none' : filter.assignee,
    status: many(filter.status_category),
    priority: many(filter.priority),
    label: many(filter.label_id),
    due: filter.overdue === true ? 'overdue' : undefined,
    group: nameOf(groupFields, group_by),
    sort: nameOf(sortFields, sort),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

const nameOf = (fields: Readonly<Record<string, string>>, field: string | undefined) =>
  Object.keys(fields).find((name) => fields[name] === field)

/** A view as the server keeps it, or undefined where it filters by what cannot be saved. */
export function savedInput({ filter, group, sort }: TaskView): SavedInput | undefined {
  if (!canBeSaved(filter)) return undefined
  const [assignee] = filter.assignee
  const stored: Record<string, unknown> = {
    ...(filter.project[0] === undefined ? {} : { project_id: filter.project[0] }),
    ...(assignee === 'none' ? { has_no_assignee: true } : {}),
    ...(assignee === undefined || assignee === 'none' ? {} : { assignee }),
    ...(filter.status.length > 0 ? { status_category: [...filter.status] } : {}),
    ...(filter.priority.length > 0 ? { priority: [...filter.priority] } : {}),
    ...(filter.label.length > 0 ? { label_id: [...filter.label] } : {}),
    ...(filter.due[0] === 'overdue' ? { overdue: true } : {}),
  }
  return {
    item_type: 'task',
    filter: stored,
    ...(sort === 'title' ? {} : { sort: sortFields[sort] }),
    ...(group === 'none' ? {} : { group_by: groupFields[group] }),
  }
}

function canBeSaved(filter: TaskFilter): boolean {
  return (
    filter.text === '' &&
    filter.project.length <= 1 &&
    filter.assignee.length <= 1 &&
    filter.label.length <= 1 &&
    !filter.label.includes('none') &&
    filter.due.every((due) => due === 'overdue')
  )
}
