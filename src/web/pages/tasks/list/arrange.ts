import { addDays } from '../../../ui/work/days.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import { allCategories, allPriorities } from '../data/fields.ts'
import type { TaskRow } from '../data/rows.ts'
import { dueDay, dueOf, dues, isClosed } from '../data/due.ts'
import { isNegated } from '../filter/filter.ts'
import { matcherOf, type TaskReader } from '../filter/matches.ts'
import type { Grouping, Layout, Sort, TaskView } from './view.ts'

export interface TaskGroup {
  /** Unique among the groups, and stable for the same grouping. */
  key: string
  /** Its name, if it is that of an item; other groups are named by the texts. */
  name: string
  /** Data for the group's header, and initial values of a task created in it. */
  status?: { name: string; category: StatusCategory }
  assignee?: { id: string; title: string }
  priority?: Priority
  project?: { id: string; key: string | undefined }
  due?: (typeof dues)[number]
  ids: string[]
}

const inListOrder: readonly StatusCategory[] = [
  'triage',
  'in_progress',
  'todo',
  'backlog',
  'done',
  'cancelled',
]
/** Lists start with work in progress; boards go from left to right. */
const categoryOrder: Readonly<Record<Layout, readonly StatusCategory[]>> = {
  list: inListOrder,
  board: allCategories,
  table: inListOrder,
  timeline: inListOrder,
  calendar: inListOrder,
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
  reader: TaskReader,
  statuses: readonly StatusName[] = [],
): TaskGroup[] {
  const isMeant = matcherOf(view.filter, reader)
  const isShown = closedMatcher(view, reader)
  const sortedRows = rows
    .filter((row) => isShown(row) && isMeant(row))
    .toSorted(comparerOf(view.sort))
  const groups = new Map<string, TaskGroup>()
  if (isStatusBoard(view))
    for (const { name, category } of statuses)
      if (category !== 'cancelled' && isWantedStatus(view, category)) {
        const key = `${category}:${name}`
        groups.set(key, { key, name, status: { name, category }, ids: [] })
      }
  for (const row of sortedRows) {
    for (const group of taskGroupsOf(row, view.group, reader)) {
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

function isWantedStatus({ filter }: TaskView, category: StatusCategory): boolean {
  if (filter.status.length === 0) return true
  return filter.status.includes(category) !== isNegated(filter, 'status')
}

function closedMatcher(view: TaskView, { today }: TaskReader): (row: TaskRow) => boolean {
  const since = isStatusBoard(view) ? addDays(today, -boardDoneDays) : undefined
  return (row) =>
    view.closed ||
    !isClosed(row.status_category) ||
    (since !== undefined && row.updated_at.slice(0, 10) >= since)
}

type NewGroup = Omit<TaskGroup, 'ids'>

function taskGroupsOf(row: TaskRow, grouping: Grouping, reader: TaskReader): NewGroup[] {
  if (grouping === 'assignee') {
    if (row.assignees.length === 0) return [{ key: 'none', name: '' }]
    return row.assignees.map((person) => ({ key: person.id, name: person.title, assignee: person }))
  }
  return [groupOf(row, grouping, reader)]
}

function groupOf(
  row: TaskRow,
  grouping: Exclude<Grouping, 'assignee'>,
  reader: TaskReader,
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
    const due = dueOf(row, reader.today)
    return { key: due, name: '', due }
  }
  const status = { name: row.status, category: row.status_category }
  return { key: `${status.category}:${status.name}`, name: status.name, status }
}

function rankOf(group: TaskGroup, layout: Layout): number {
  if (group.status) return categoryOrder[layout].indexOf(group.status.category)
  if (group.priority) return allPriorities.indexOf(group.priority)
  if (group.due) return dues.indexOf(group.due)
  return group.key === 'none' ? 1 : 0 // no one comes last
}

function comparerOf(sort: Sort): (a: TaskRow, b: TaskRow) => number {
  const text = (a: string, b: string) => Number(a > b) - Number(a < b)
  const byPosition = (a: TaskRow, b: TaskRow) => text(a.position, b.position) || text(a.id, b.id)
  if (sort === 'priority')
    return (a, b) =>
      allPriorities.indexOf(a.priority) - allPriorities.indexOf(b.priority) || byPosition(a, b)
  if (sort === 'due') return (a, b) => text(dueDay(a) ?? '~', dueDay(b) ?? '~') || byPosition(a, b)
  if (sort === 'updated') return (a, b) => text(b.updated_at, a.updated_at)
  if (sort === 'created') return (a, b) => text(b.created_at, a.created_at)
  if (sort === 'title') return (a, b) => a.title.localeCompare(b.title)
  return byPosition
}
