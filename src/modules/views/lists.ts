import { omitNullish } from '../../kernel/present.ts'
import type { CatalogueView, Entry } from '../../operations/entry.ts'
import { invalid } from '../../kernel/refusal.ts'
import { itemTypes } from './shapes.ts'

type ItemType = (typeof itemTypes)[number]

/** The operation for each item type: a list, or the search. */
const lists: Record<ItemType, string> = {
  task: 'list_tasks',
  email: 'list_emails',
  contact: 'list_contacts',
  deal: 'list_deals',
  incident: 'list_incidents',
  page: 'list_pages',
  search: 'search_workspace',
}

/** Default columns of a view, if the items have them. */
const defaultColumns = [
  'key',
  'title',
  'name',
  'subject',
  'status',
  'stage',
  'severity',
  'priority',
  'assignees',
  'due_at',
  'due_on',
  'due_local',
  'company',
  'amount',
  'currency',
  'expected_close_on',
  'owner',
]

/** Default fields of search hits. */
const defaultHitFields = ['why', 'trust']

/** Arguments of a list that a view sets differently, or that apply to one page. */
const notInFilter = new Set(['limit', 'cursor', 'fields', 'sort', 'order'])

/** Arguments of a view for its list operation. */
export interface ViewQuery {
  filter: Record<string, unknown>
  sort: string | null
  group_by: string | null
  columns: readonly string[]
}

/**
 * The list operation of a type.
 * @throws Refusal invalid_argument where no module has such items
 */
export function requireListOperation(catalogue: CatalogueView, type: ItemType): Entry {
  const entry = catalogue.find(lists[type])
  if (entry) return entry
  const availableTypes = itemTypes.filter((itemType) => catalogue.find(lists[itemType]))
  throw invalid(
    'item_type',
    `views of ${type} items are not available in this workspace.`,
    availableTypes.length > 0
      ? `Available types: ${availableTypes.join(', ')}.`
      : 'No types are available.',
  )
}

/** @throws Refusal where the filter, the columns or the grouping name what the list does not have */
export function checkView(entry: Entry, { filter, sort, group_by, columns }: ViewQuery): void {
  const argumentNames = entry.schemas.names.filter((name) => !notInFilter.has(name))
  const unknown = Object.keys(filter).find((name) => !argumentNames.includes(name))
  if (unknown !== undefined)
    throw invalid(
      'filter',
      notInFilter.has(unknown)
        ? `${unknown} is not allowed in a filter.`
        : `${unknown.slice(0, 80)} is not an argument of ${entry.operation.name}.`,
      `Allowed arguments: ${argumentNames.join(', ')}.`,
    )
  const fields = entry.schemas.itemFields ?? []
  const wrong = columns.find((name) => !fields.includes(name))
  if (wrong !== undefined)
    throw invalid(
      'columns',
      `these items have no field ${wrong}.`,
      `Available fields: ${fields.join(', ')}.`,
    )
  if (group_by !== null && !fields.includes(group_by))
    throw invalid(
      'group_by',
      `these items have no field ${group_by}.`,
      `Available fields: ${fields.join(', ')}.`,
    )
  if (sort !== null && !entry.schemas.names.includes('sort'))
    throw invalid('sort', `${entry.operation.name} cannot be sorted.`)
}

/** List arguments for one page of a view; `-due_at` sorts by due_at in descending order. */
export function listArguments(
  entry: Entry,
  view: ViewQuery,
  projectId: string | null,
  page: { limit: number; cursor?: string | undefined },
): Record<string, unknown> {
  const takes = (name: string) => entry.schemas.names.includes(name)
  return omitNullish({
    project_id: projectId !== null && takes('project_id') ? projectId : undefined,
    ...view.filter,
    ...orderArguments(view.sort, takes('order')),
    fields: takes('fields') ? viewFieldsOf(entry, view) : undefined,
    limit: page.limit,
    cursor: page.cursor,
  })
}

function orderArguments(sort: string | null, takesOrder: boolean): Record<string, string> {
  if (sort === null) return {}
  if (!takesOrder) return { sort }
  return sort.startsWith('-') ? { sort: sort.slice(1), order: 'desc' } : { sort, order: 'asc' }
}

/** The columns, plus the fields needed for a reference to the item. */
function viewFieldsOf(entry: Entry, view: ViewQuery): string[] {
  const wanted = new Set([
    ...viewColumns(entry, view.columns),
    ...(view.group_by === null ? [] : [view.group_by]),
    'id',
    'item',
    'key',
    'title',
    'name',
    'subject',
    'url',
  ])
  return (entry.schemas.itemFields ?? []).filter((name) => wanted.has(name))
}

export function viewColumns(entry: Entry, columns: readonly string[]): readonly string[] {
  if (columns.length > 0) return columns
  const names = entry.operation.name === lists.search ? defaultHitFields : defaultColumns
  return names.filter((name) => entry.schemas.itemFields?.includes(name))
}

/** Formats a field value as a group heading; references by title. Undefined if it is empty. */
export function groupOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value))
    return (
      value
        .map(groupOf)
        .filter((item) => item !== undefined)
        .join(', ') || undefined
    )
  if (typeof value !== 'object') return String(value)
  const { title, name } = value as { title?: unknown; name?: unknown }
  return groupOf(title ?? name)
}
