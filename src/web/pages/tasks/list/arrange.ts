import { addDays, weekEnd } from '../../../ui/work/days.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import type { TaskRow } from '../data/rows.ts'
import {
  isClosed,
  type DueFilter,
  type Grouping,
  type Layout,
  type Sort,
  type TaskView,
} from './view.ts'

/** What an arrangement depends on beside the rows: who reads, and when. */
export interface TaskReader {
  personId: string
  /** Their day, as 2026-11-25. */
  today: string
}

export interface TaskGroup {
  /** Unique among the groups, and the same as long as the grouping is. */
  key: string
  /** The name in it, where it is that of a thing; groups of a kind are named by the texts. */
  name: string
  /** What its head shows, and what a task that is made in it starts with. */
  status?: { name: string; category: StatusCategory }
  assignee?: { id: string; title: string }
  priority?: Priority
  project?: { id: string; key: string | undefined }
  due?: DueFilter | 'later'
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
/** In a list, what is under way comes first; on a board, work goes from left to right. */
const categoryOrder: Readonly<Record<Layout, readonly StatusCategory[]>> = {
  list: inListOrder,
  board: ['triage', 'backlog', 'todo', 'in_progress', 'done', 'cancelled'],
  table: inListOrder,
  timeline: inListOrder,
  calendar: inListOrder,
}
const priorities: readonly Priority[] = ['urgent', 'high', 'medium', 'low', 'none']
const dues = ['overdue', 'today', 'week', 'later', 'none'] as const

export interface StatusName {
  name: string
  category: StatusCategory
}

/** How long a board shows what was finished, in days. */
const boardDoneDays = 14

/** The tasks that a view shows, in groups and in order. A board by status has a column for each of `statuses`, also for those without a task. */
export function arrange(
  rows: readonly TaskRow[],
  view: TaskView,
  reader: TaskReader,
  statuses: readonly StatusName[] = [],
): TaskGroup[] {
  const kept = rows.filter(matcherOf(view, reader)).toSorted(comparerOf(view.sort))
  const groups = new Map<string, TaskGroup>()
  if (isStatusBoard(view))
    for (const { name, category } of statuses)
      if (category !== 'cancelled' && isWanted(view.filter.status, category)) {
        const key = `${category}:${name}`
        groups.set(key, { key, name, status: { name, category }, ids: [] })
      }
  for (const row of kept) {
    for (const group of groupsOf(row, view.group, reader)) {
      const known = groups.get(group.key)
      if (known) known.ids.push(row.id)
      else groups.set(group.key, { ...group, ids: [row.id] })
    }
  }
  return [...groups.values()].toSorted(
    (a, b) => rankOf(a, view.layout) - rankOf(b, view.layout) || a.name.localeCompare(b.name),
  )
}

const isStatusBoard = ({ layout, group }: TaskView) => layout === 'board' && group === 'status'

const isWanted = <T>(wanted: readonly T[], value: T) =>
  wanted.length === 0 || wanted.includes(value)

function matcherOf(view: TaskView, reader: TaskReader): (row: TaskRow) => boolean {
  const { filter } = view
  const isShown = closedMatcher(view, reader)
  const text = filter.text.toLowerCase()
  const any = <T>(wanted: readonly T[], has: (value: T) => boolean) =>
    wanted.length === 0 || wanted.some(has)
  return (row) =>
    isShown(row) &&
    (text === '' || `${row.key} ${row.title}`.toLowerCase().includes(text)) &&
    any(filter.project, (project) => row.project.key === project || row.project.id === project) &&
    isWanted(filter.status, row.status_category) &&
    isWanted(filter.priority, row.priority) &&
    any(filter.label, (label) =>
      label === 'none' ? row.labels.length === 0 : row.labels.some((other) => other.id === label),
    ) &&
    any(filter.assignee, (person) => isAssignedTo(row, person, reader)) &&
    any(filter.due, (due) => isDue(row, due, reader))
}

function closedMatcher(view: TaskView, { today }: TaskReader): (row: TaskRow) => boolean {
  const since = isStatusBoard(view) ? addDays(today, -boardDoneDays) : undefined
  return (row) =>
    view.closed ||
    !isClosed(row.status_category) ||
    (since !== undefined && row.updated_at.slice(0, 10) >= since)
}

function isAssignedTo(row: TaskRow, person: string, reader: TaskReader): boolean {
  if (person === 'none') return row.assignees.length === 0
  const id = person === 'me' ? reader.personId : person
  return row.assignees.some((assignee) => assignee.id === id)
}

/** The day on which a task is due, as 2026-11-25. */
export const dueDay = (row: TaskRow): string | undefined =>
  row.due_on ?? row.due_local?.slice(0, 10) ?? row.due_at?.slice(0, 10)

function isDue(row: TaskRow, due: DueFilter, reader: TaskReader): boolean {
  const at = dueOf(row, reader)
  return due === 'week' ? at === 'week' || at === 'today' || at === 'overdue' : at === due
}

function dueOf(row: TaskRow, { today }: TaskReader): (typeof dues)[number] {
  const day = dueDay(row)
  if (day === undefined) return 'none'
  if (day < today) return isClosed(row.status_category) ? 'later' : 'overdue'
  if (day === today) return 'today'
  return day <= weekEnd(today) ? 'week' : 'later'
}

type NewGroup = Omit<TaskGroup, 'ids'>

function groupsOf(row: TaskRow, grouping: Grouping, reader: TaskReader): NewGroup[] {
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
    const due = dueOf(row, reader)
    return { key: due, name: '', due }
  }
  const status = { name: row.status, category: row.status_category }
  return { key: `${status.category}:${status.name}`, name: status.name, status }
}

function rankOf(group: TaskGroup, layout: Layout): number {
  if (group.status) return categoryOrder[layout].indexOf(group.status.category)
  if (group.priority) return priorities.indexOf(group.priority)
  if (group.due) return dues.indexOf(group.due)
  return group.key === 'none' ? 1 : 0 // nobody comes last
}

function comparerOf(sort: Sort): (a: TaskRow, b: TaskRow) => number {
  const text = (a: string, b: string) => Number(a > b) - Number(a < b)
  const byPosition = (a: TaskRow, b: TaskRow) => text(a.position, b.position) || text(a.id, b.id)
  if (sort === 'priority')
    return (a, b) =>
      priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || byPosition(a, b)
  if (sort === 'due') return (a, b) => text(dueDay(a) ?? '~', dueDay(b) ?? '~') || byPosition(a, b)
  if (sort === 'updated') return (a, b) => text(b.updated_at, a.updated_at)
  if (sort === 'created') return (a, b) => text(b.created_at, a.created_at)
  if (sort === 'title') return (a, b) => a.title.localeCompare(b.title)
  return byPosition
}
