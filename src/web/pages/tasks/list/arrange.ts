import { addDays } from '../../../ui/work/days.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import { allCategories, allPriorities } from '../data/fields.ts'
import type { TaskRow } from '../data/rows.ts'
import { dueDay, dueStateOf, dueStates, isClosed } from '../data/due.ts'
import { isNegated } from '../filter/filter.ts'
import { createFilterPredicate, type FilterContext } from '../filter/matches.ts'
import type { Grouping, Layout, Sort, TaskView } from './view.ts'

export interface TaskGroup {
  /** Unique among the groups, and stable for the same grouping. */
  key: string
  /** Name of its item; empty for groups that are named in the texts. */
  name: string
  /** Data for the group's header, and initial values of a task created in it. */
  status?: { name: string; category: StatusCategory }
  assignee?: { id: string; title: string }
  priority?: Priority
  project?: { id: string; key: string | undefined }
  due?: (typeof dueStates)[number]
  ids: string[]
}

const listCategoryOrder: readonly StatusCategory[] = [
  'triage',
  'in_progress',
  'todo',
  'backlog',
  'done',
  'cancelled',
]
/** Lists start with work in progress; boards go from left to right. */
const categoryOrder: Readonly<Record<Layout, readonly StatusCategory[]>> = {
  list: listCategoryOrder,
  board: allCategories,
  table: listCategoryOrder,
  timeline: listCategoryOrder,
  calendar: listCategoryOrder,
}

export interface StatusName {
  name: string
  category: StatusCategory
}

/** Days for which a board shows finished tasks. */
const boardDoneDays = 14

/**
 * The tasks of a view, grouped and sorted. A board by status has a column for each of `statuses`, including empty
 * ones.
 */
export function arrange(
  rows: readonly TaskRow[],
  view: TaskView,
  context: FilterContext,
  statuses: readonly StatusName[] = [],
): TaskGroup[] {
  const matchesFilter = createFilterPredicate(view.filter, context)
  const isVisible = closedMatcher(view, context)
  const sortedRows = rows
    .filter((row) => isVisible(row) && matchesFilter(row))
    .toSorted(comparerOf(view.sort))
  const groups = new Map<string, TaskGroup>()
  if (isStatusBoard(view))
    for (const { name, category } of statuses)
      if (category !== 'cancelled' && includesStatus(view, category)) {
        const key = `${category}:${name}`
        groups.set(key, { key, name, status: { name, category }, ids: [] })
      }
  for (const row of sortedRows) {
    for (const group of taskGroupsOf(row, view.group, context)) {
      const existing = groups.get(group.key)
      if (existing) existing.ids.push(row.id)
      else groups.set(group.key, { ...group, ids: [row.id] })
    }
  }
  return [...groups.values()].toSorted(
    (a, b) => rankOf(a, view.layout) - rankOf(b, view.layout) || a.name.localeCompare(b.name),
  )
}

const isStatusBoard = ({ layout, group }: TaskView) => layout === 'board' && group === 'status'

function includesStatus({ filter }: TaskView, category: StatusCategory): boolean {
  if (filter.status.length === 0) return true
  return filter.status.includes(category) !== isNegated(filter, 'status')
}

function closedMatcher(view: TaskView, { today }: FilterContext): (row: TaskRow) => boolean {
  const since = isStatusBoard(view) ? addDays(today, -boardDoneDays) : undefined
  return (row) =>
    view.closed ||
    !isClosed(row.status_category) ||
    (since !== undefined && row.updated_at.slice(0, 10) >= since)
}

type NewGroup = Omit<TaskGroup, 'ids'>

function taskGroupsOf(row: TaskRow, grouping: Grouping, context: FilterContext): NewGroup[] {
  if (grouping === 'assignee') {
    if (row.assignees.length === 0) return [{ key: 'none', name: '' }]
    return row.assignees.map((person) => ({ key: person.id, name: person.title, assignee: person }))
  }
  return [groupOf(row, grouping, context)]
}

function groupOf(
  row: TaskRow,
  grouping: Exclude<Grouping, 'assignee'>,
  context: FilterContext,
): NewGroup {
  if (grouping === 'none') return { key: 'all', name: '' }
  if (grouping === 'priority') return { key: row.priority, name: '', priority: row.priority }
  if (grouping === 'project')
    return {
      key: row.project.id,
      name: row.project.title,
      project: { id: row.project.id, key: row.project.key },
    }
  if (grouping === 'due') {
    const due = dueStateOf(row, context.today)
    return { key: due, name: '', due }
  }
  const status = { name: row.status, category: row.status_category }
  return { key: `${status.category}:${status.name}`, name: status.name, status }
}

function rankOf(group: TaskGroup, layout: Layout): number {
  if (group.status) return categoryOrder[layout].indexOf(group.status.category)
  if (group.priority) return allPriorities.indexOf(group.priority)
  if (group.due) return dueStates.indexOf(group.due)
  return group.key === 'none' ? 1 : 0 // unassigned comes last
}

function comparerOf(sort: Sort): (a: TaskRow, b: TaskRow) => number {
  const compareText = (a: string, b: string) => Number(a > b) - Number(a < b)
  const byPosition = (a: TaskRow, b: TaskRow) =>
    compareText(a.position, b.position) || compareText(a.id, b.id)
  if (sort === 'priority')
    return (a, b) =>
      allPriorities.indexOf(a.priority) - allPriorities.indexOf(b.priority) || byPosition(a, b)
  if (sort === 'due')
    return (a, b) => compareText(dueDay(a) ?? '~', dueDay(b) ?? '~') || byPosition(a, b)
  if (sort === 'updated') return (a, b) => compareText(b.updated_at, a.updated_at)
  if (sort === 'created') return (a, b) => compareText(b.created_at, a.created_at)
  if (sort === 'title') return (a, b) => a.title.localeCompare(b.title)
  return byPosition
}
