import type { Input, Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useMe } from '../../../session/session.ts'
import { printColumns } from '../table/columns.ts'
import type { Grouping, Sort, TaskView } from '../list/view.ts'
import { keptFilter, searchOfFilter, type TypeOfField } from './kept-filter.ts'

type SavedView = Output<'list_saved_views'>['items'][number]
type SavedInput = Omit<Input<'create_saved_view'>, 'name' | 'shared' | 'project_id'>

export interface SavedTaskView {
  id: string
  name: string
  isOwn: boolean
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
/** As lists sort by default in the app: newest and most urgent first. */
const sortFields: Readonly<Record<Sort, string>> = {
  position: 'position',
  priority: '-priority',
  due: 'due_at',
  updated: '-updated_at',
  created: '-created_at',
  title: 'title',
}

/** The saved views of tasks, one's own and the shared ones. */
export function useSavedViews(): SavedTaskView[] {
  const me = useMe()
  const { data } = useOperation('list_saved_views', { item_type: 'task', limit: 50 }, { staleTime })
  return (data?.items ?? []).map((view) => ({
    id: view.id,
    name: view.name,
    isOwn: view.created_by?.id === me.id,
    search: searchIn(view),
  }))
}

/** What an address says of a view that is saved. */
export function searchIn({
  filter,
  group_by,
  sort,
  layout,
  display,
}: Pick<SavedView, 'filter' | 'group_by' | 'sort' | 'layout' | 'display'>): Record<
  string,
  unknown
> {
  const bare = (field: string | undefined) => field?.replace(/^-/, '')
  const said = {
    ...searchOfFilter(filter),
    group: keyOf(groupFields, (field) => field === group_by),
    sort: keyOf(sortFields, (field) => bare(field) === bare(sort)),
    layout,
    ...display,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

const keyOf = (
  fields: Readonly<Record<string, string>>,
  isMeant: (field: string) => boolean,
): string | undefined => Object.keys(fields).find((name) => isMeant(fields[name] ?? ''))

/** A view as the server keeps it, or undefined where it filters by what cannot be saved. */
export function savedInput(
  { filter, group, sort, layout, closed, columns }: TaskView,
  typeOf: TypeOfField,
): SavedInput | undefined {
  const kept = keptFilter(filter, typeOf)
  if (!kept) return undefined
  return {
    item_type: 'task',
    filter: kept,
    sort: sortFields[sort],
    ...(group === 'none' ? {} : { group_by: groupFields[group] }),
    layout,
    display: {
      ...(group === 'none' ? { group } : {}),
      ...(closed ? { closed: 'true' } : {}),
      ...(columns ? { columns: printColumns(columns) } : {}),
    },
  }
}

/** The same for a view that is there: what it does not say is cleared. */
export function updateInput({ item_type: _, ...input }: SavedInput) {
  return { ...input, group_by: input.group_by ?? null }
}
