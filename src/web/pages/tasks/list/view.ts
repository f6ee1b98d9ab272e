import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, useContext, useMemo } from 'react'
import { printColumns, readColumns, type Column } from '../table/columns.ts'
import { isClosed } from '../data/due.ts'
import {
  filteredFields,
  parseFilter,
  filterParams,
  isNegated,
  type TaskFilter,
} from '../filter/filter.ts'

export const layouts = ['list', 'board', 'table', 'timeline', 'calendar'] as const
export type Layout = (typeof layouts)[number]

export const groupings = ['status', 'assignee', 'priority', 'project', 'due', 'none'] as const
export type Grouping = (typeof groupings)[number]

export const sorts = ['position', 'priority', 'due', 'updated', 'created', 'title'] as const
export type Sort = (typeof sorts)[number]

export interface TaskView {
  filter: TaskFilter
  layout: Layout
  group: Grouping
  sort: Sort
  /** Whether completed and cancelled tasks are shown as well. */
  closed: boolean
  /** The columns of a table; undefined: the default ones. */
  columns: readonly Column[] | undefined
}

type Search = Readonly<Record<string, unknown>>

const parseOption = <T extends string>(value: unknown, options: readonly T[], fallback: T): T =>
  options.find((item) => item === value) ?? fallback

/** The view in an address. Missing and invalid parts get their defaults. */
export function parseView(search: Search): TaskView {
  const filter = parseFilter(search)
  return {
    filter,
    layout: parseOption(search.layout, layouts, 'list'),
    group: parseOption(search.group, groupings, 'status'),
    sort: parseOption(search.sort, sorts, 'position'),
    closed: search.closed === 'true' || search.closed === true || showsClosed(filter),
    columns: readColumns(search.columns),
  }
}

/** True if a filter includes completed or cancelled tasks. */
const showsClosed = (filter: TaskFilter) =>
  filter.status.some(isClosed) && !isNegated(filter, 'status')

/** The view as URL parameters, without defaults. */
export function viewSearchParams({
  filter,
  layout,
  group,
  sort,
  closed,
  columns,
}: TaskView): Record<string, string> {
  const searchEntries: [string, string][] = [
    ...filterParams(filter),
    ['layout', layout === 'list' ? '' : layout],
    ['group', group === 'status' ? '' : group],
    ['sort', sort === 'position' ? '' : sort],
    ['closed', closed && !showsClosed(filter) ? 'true' : ''],
    ['columns', printColumns(columns)],
  ]
  return Object.fromEntries(searchEntries.filter(([, value]) => value !== ''))
}

/** The project of an embedded task view; undefined on the screen of all tasks. */
export const TaskScope = createContext<{ projectKey: string } | undefined>(undefined)

/** The view in the address, and functions to change it. The task open beside the list stays. */
export function useView(): {
  view: TaskView
  isFiltered: boolean
  /** The originating saved view. */
  saved: string | undefined
  peek: string | undefined
  change: (view: Partial<Omit<TaskView, 'filter'>> & { filter?: Partial<TaskFilter> }) => void
  /** Opens a saved view. */
  open: (view: TaskView, saved: string | undefined) => void
  setPeek: (key: string | undefined) => void
} {
  const search = useSearch({ strict: false }) as Search
  const scope = useContext(TaskScope)
  const navigate = useNavigate()
  const view = useMemo(
    () => restrictToProject(parseView(search), scope?.projectKey),
    [search, scope],
  )
  const [peek, saved] = [search.peek, search.view].map((param) =>
    typeof param === 'string' ? param : undefined,
  )
  const navigateTo = (
    target: TaskView,
    extraParams: Record<string, string | undefined>,
    replace: boolean,
  ) => {
    const searchParams = { ...viewSearchParams(target), ...extraParams }
    if (scope) delete searchParams.project
    void navigate({
      to: scope ? `/projects/${scope.projectKey}/tasks` : '/tasks',
      search: Object.fromEntries(
        Object.entries(searchParams).filter(([, value]) => value !== undefined),
      ),
      replace,
    })
  }
  const activeFields = filteredFields(view.filter).filter((field) => !scope || field !== 'project')
  return {
    view,
    isFiltered: view.filter.text !== '' || activeFields.length > 0,
    saved,
    peek,
    change: ({ filter, ...changes }) =>
      navigateTo(
        { ...view, ...changes, filter: { ...view.filter, ...filter } },
        { peek, view: saved },
        true,
      ),
    open: (target, savedId) => navigateTo(target, { peek, view: savedId }, true),
    setPeek: (key) => navigateTo(view, { peek: key, view: saved }, peek !== undefined),
  }
}

function restrictToProject(view: TaskView, project: string | undefined): TaskView {
  return project === undefined ? view : { ...view, filter: { ...view.filter, project: [project] } }
}
