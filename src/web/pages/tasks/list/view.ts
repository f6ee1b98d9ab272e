import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, useContext, useMemo } from 'react'
import { printColumns, readColumns, type Column } from '../table/columns.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'

export const layouts = ['list', 'board', 'table', 'timeline', 'calendar'] as const
export type Layout = (typeof layouts)[number]

export const groupings = ['status', 'assignee', 'priority', 'project', 'due', 'none'] as const
export type Grouping = (typeof groupings)[number]

export const sorts = ['position', 'priority', 'due', 'updated', 'created', 'title'] as const
export type Sort = (typeof sorts)[number]

export const dueFilters = ['overdue', 'today', 'week', 'none'] as const
export type DueFilter = (typeof dueFilters)[number]

/** What is shown. Each list means any of these; `me` is the reader and `none` nobody. */
export interface TaskFilter {
  text: string
  project: readonly string[]
  assignee: readonly string[]
  status: readonly StatusCategory[]
  priority: readonly Priority[]
  label: readonly string[]
  due: readonly DueFilter[]
}

export const emptyFilter: TaskFilter = {
  text: '',
  project: [],
  assignee: [],
  status: [],
  priority: [],
  label: [],
  due: [],
}

export type FilterField = Exclude<keyof TaskFilter, 'text'>
const filterFields = ['assignee', 'status', 'priority', 'project', 'label', 'due'] as const

export interface TaskView {
  filter: TaskFilter
  layout: Layout
  group: Grouping
  sort: Sort
  /** Whether tasks that are done or cancelled are shown as well. */
  closed: boolean
  /** The columns of a table; undefined: the usual ones. */
  columns: readonly Column[] | undefined
}

type Search = Readonly<Record<string, unknown>>

const words = (value: unknown): string[] =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .split(',')
        .filter((word) => word !== '')
    : []

const oneOf = <T extends string>(value: unknown, known: readonly T[], otherwise: T): T =>
  known.find((item) => item === value) ?? otherwise

/** The view that an address tells of. What it does not say, or says wrongly, is as usual. */
export function viewOf(search: Search): TaskView {
  const status = words(search.status) as StatusCategory[]
  return {
    filter: {
      text: typeof search.text === 'string' ? search.text : '',
      project: words(search.project),
      assignee: words(search.assignee),
      status,
      priority: words(search.priority) as Priority[],
      label: words(search.label),
      due: words(search.due) as DueFilter[],
    },
    layout: oneOf(search.layout, layouts, 'list'),
    group: oneOf(search.group, groupings, 'status'),
    sort: oneOf(search.sort, sorts, 'position'),
    closed: search.closed === 'true' || search.closed === true || status.some(isClosed),
    columns: readColumns(search.columns),
  }
}

export const isClosed = (category: StatusCategory) =>
  category === 'done' || category === 'cancelled'

/** The same as an address says it; what is as usual is left out. */
export function searchOf({
  filter,
  layout,
  group,
  sort,
  closed,
  columns,
}: TaskView): Record<string, string> {
  const said: [string, string][] = [
    ['text', filter.text],
    ...filterFields.map((field): [string, string] => [field, filter[field].join(',')]),
    ['layout', layout === 'list' ? '' : layout],
    ['group', group === 'status' ? '' : group],
    ['sort', sort === 'position' ? '' : sort],
    ['closed', closed && !filter.status.some(isClosed) ? 'true' : ''],
    ['columns', printColumns(columns)],
  ]
  return Object.fromEntries(said.filter(([, value]) => value !== ''))
}

/** The project whose tasks a part of a page shows; undefined on the screen of all tasks. */
export const TaskScope = createContext<{ projectKey: string } | undefined>(undefined)

/** What can be filtered by where one is. */
export function useFilterFields(): readonly FilterField[] {
  const scope = useContext(TaskScope)
  return scope ? filterFields.filter((field) => field !== 'project') : filterFields
}

/** The view of the address, and what changes it. The open task beside the list stays. */
export function useView(): {
  view: TaskView
  isFiltered: boolean
  peek: string | undefined
  change: (view: Partial<Omit<TaskView, 'filter'>> & { filter?: Partial<TaskFilter> }) => void
  setPeek: (key: string | undefined) => void
} {
  const search = useSearch({ strict: false }) as Search
  const scope = useContext(TaskScope)
  const fields = useFilterFields()
  const navigate = useNavigate()
  const view = useMemo(() => scoped(viewOf(search), scope?.projectKey), [search, scope])
  const peek = typeof search.peek === 'string' ? search.peek : undefined
  const go = (to: TaskView, at: string | undefined, replace: boolean) => {
    const said = searchOf(to)
    if (scope) delete said.project
    void navigate({
      to: scope ? `/projects/${scope.projectKey}/tasks` : '/tasks',
      search: { ...said, ...(at === undefined ? {} : { peek: at }) },
      replace,
    })
  }
  return {
    view,
    isFiltered: view.filter.text !== '' || fields.some((field) => view.filter[field].length > 0),
    peek,
    change: ({ filter, ...more }) =>
      go({ ...view, ...more, filter: { ...view.filter, ...filter } }, peek, true),
    setPeek: (key) => go(view, key, peek !== undefined),
  }
}

function scoped(view: TaskView, project: string | undefined): TaskView {
  return project === undefined ? view : { ...view, filter: { ...view.filter, project: [project] } }
}
