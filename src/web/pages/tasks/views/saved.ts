import type { Input, Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useMe } from '../../../session/session.ts'
import { allCategories } from '../data/fields.ts'
import { isClosed } from '../data/due.ts'
import { isNegated, type TaskFilter } from '../filter/filter.ts'
import type { StatusCategory } from '../../../ui/work/states.tsx'
import { printColumns } from '../table/columns.ts'
import type { Grouping, Sort, TaskView } from '../list/view.ts'
import { isShowable } from './showable.ts'
import { toStoredFilter, storedFilterParams, type FieldTypeLookup } from './kept-filter.ts'

type SavedView = Output<'list_saved_views'>['items'][number]
type SavedInput = Omit<Input<'create_saved_view'>, 'name' | 'shared' | 'project_id'>

export interface SavedTaskView {
  id: string
  name: string
  isOwn: boolean
  /** Search parameters of the screen's address. */
  search: Record<string, unknown>
  /** True if this screen can show an equivalent view; otherwise a separate page shows the server's results. */
  isShowable: boolean
}

const staleTime = 60_000
const groupFields: Readonly<Record<Exclude<Grouping, 'none'>, string>> = {
  status: 'status',
  assignee: 'assignees',
  priority: 'priority',
  project: 'project',
  due: 'due_at',
}
/** Default sort orders of lists in the app: newest and most urgent first. */
const sortFields: Readonly<Record<Sort, string>> = {
  position: 'position',
  priority: '-priority',
  due: 'due_at',
  updated: '-updated_at',
  created: '-created_at',
  title: 'title',
}

/** Saved task views, the reader's and shared ones. */
export function useSavedViews(): SavedTaskView[] {
  const me = useMe()
  const { data } = useOperation('list_saved_views', { item_type: 'task', limit: 50 }, { staleTime })
  return (data?.items ?? []).map((view) => ({
    id: view.id,
    name: view.name,
    isOwn: view.created_by?.id === me.id,
    search: savedViewParams(view),
    isShowable: isShowable(view.filter),
  }))
}

/** Search parameters of a saved view. */
export function savedViewParams({
  filter,
  project,
  group_by,
  sort,
  layout,
  display,
}: Pick<SavedView, 'filter' | 'project' | 'group_by' | 'sort' | 'layout' | 'display'>): Record<
  string,
  unknown
> {
  const withoutSign = (field: string | undefined) => field?.replace(/^-/, '')
  const hasViewProject = project !== undefined && filter.project_ids === undefined
  const projectFilter = hasViewProject ? { project_id: project.key ?? project.id } : {}
  const params = {
    ...storedFilterParams({ ...projectFilter, ...filter }),
    ...statusParam(filter.status_category),
    group: findFieldKey(groupFields, (field) => field === group_by),
    sort: findFieldKey(sortFields, (field) => withoutSign(field) === withoutSign(sort)),
    layout,
    ...display,
    ...closedParam(filter.status_category),
  }
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}

const findFieldKey = (
  fields: Readonly<Record<string, string>>,
  isMatch: (field: string) => boolean,
): string | undefined => Object.keys(fields).find((name) => isMatch(fields[name] ?? ''))

/** The statuses in a view: list_tasks includes completed tasks by default. */
const includedStatuses = (filter: TaskFilter, closed: boolean): StatusCategory[] =>
  allCategories.filter((category) => {
    const isIncluded =
      filter.status.length === 0 || filter.status.includes(category) !== isNegated(filter, 'status')
    return isIncluded && (closed || !isClosed(category))
  })

const openCategories = allCategories.filter((category) => !isClosed(category))
const isOpenOnly = (categories: unknown): boolean =>
  Array.isArray(categories) &&
  categories.length === openCategories.length &&
  openCategories.every((category) => categories.includes(category))

/** Open tasks are shown by default; completed ones have an explicit parameter. */
const statusParam = (categories: unknown) => (isOpenOnly(categories) ? { status: undefined } : {})
const closedParam = (categories: unknown) => ({
  closed: categories === undefined ? 'true' : undefined,
})

/** A view in the server's format, or undefined if a filter cannot be saved. */
export function savedInput(
  { filter, group, sort, layout, closed, columns }: TaskView,
  typeOf: FieldTypeLookup,
): SavedInput | undefined {
  const storedFilter = toStoredFilter({ ...filter, status: [] }, typeOf)
  const statuses = includedStatuses(filter, closed)
  if (!storedFilter || statuses.length === 0) return undefined
  return {
    item_type: 'task',
    filter:
      statuses.length === allCategories.length
        ? storedFilter
        : { ...storedFilter, status_category: statuses },
    sort: sortFields[sort],
    ...(group === 'none' ? {} : { group_by: groupFields[group] }),
    layout,
    display: {
      ...(group === 'none' ? { group } : {}),
      ...(columns ? { columns: printColumns(columns) } : {}),
    },
  }
}

/** The update of an existing view: omitted values are cleared. */
export function updateInput({ item_type: _, ...input }: SavedInput) {
  return { ...input, group_by: input.group_by ?? null }
}
