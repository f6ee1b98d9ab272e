import { allCategories, allPriorities, customName, isCustom } from '../data/fields.ts'
import type { CustomField } from '../data/lists.ts'
import {
  filteredFields,
  filterValues,
  isNegated,
  type standardFields,
  type TaskFilter,
} from '../filter/filter.ts'

// Converts between the app's filter and arguments of list_tasks, which saved views store.

export type FieldTypeLookup = (name: string) => CustomField['type'] | undefined
type StoredFilter = Record<string, unknown>

/** The arguments, or undefined if list_tasks has no equivalent. */
export function toStoredFilter(
  filter: TaskFilter,
  typeOf: FieldTypeLookup,
): StoredFilter | undefined {
  let merged: StoredFilter = filter.text.trim() === '' ? {} : { text: filter.text.trim() }
  for (const field of filteredFields(filter)) {
    const values = filterValues(filter, field)
    const isExcluding = isNegated(filter, field)
    const fieldFilter = isCustom(field)
      ? toStoredCustom(customName(field), values, isExcluding, typeOf)
      : fieldConverters[field](values, isExcluding)
    const combined = fieldFilter && mergeFilters(merged, fieldFilter)
    if (!combined) return undefined
    merged = combined
  }
  return merged
}

/** Conditions on custom fields are combined; other arguments have one value. */
function mergeFilters(
  filter: StoredFilter,
  { custom, ...part }: StoredFilter,
): StoredFilter | undefined {
  if (Object.entries(part).some(([name, value]) => name in filter && filter[name] !== value))
    return undefined
  const all = [...((filter.custom as unknown[] | undefined) ?? []), ...(custom ? [custom] : [])]
  return { ...filter, ...part, ...(all.length > 0 ? { custom: all } : {}) }
}

type FieldConverter = (values: readonly string[], isExcluding: boolean) => StoredFilter | undefined

const singleOrList = (
  values: readonly string[],
  singleKey: string,
  listKey: string,
): StoredFilter => (values.length === 1 ? { [singleKey]: values[0] } : { [listKey]: [...values] })

/** "None of several values" is equivalent to "any of the others". */
const anyOf =
  (name: string, all: readonly string[]): FieldConverter =>
  (values, isExcluding) => {
    const effectiveValues = isExcluding
      ? all.filter((value) => !values.includes(value))
      : [...values]
    return effectiveValues.length > 0 ? { [name]: effectiveValues } : undefined
  }

/** Either no value, or neither none nor some given values; "none or some given values" cannot be expressed. */
function withNone(
  values: readonly string[],
  isExcluding: boolean,
  noneKey: string,
  notKey: string,
): StoredFilter | undefined {
  const actualValues = values.filter((value) => value !== 'none')
  if (actualValues.length === 0) return { [noneKey]: !isExcluding }
  return isExcluding ? { [notKey]: actualValues, [noneKey]: false } : undefined
}

const fieldConverters: Readonly<Record<(typeof standardFields)[number], FieldConverter>> = {
  assignee: (values, isExcluding) => {
    if (values.includes('none'))
      return withNone(values, isExcluding, 'has_no_assignee', 'assignees_not')
    return isExcluding
      ? { assignees_not: [...values] }
      : singleOrList(values, 'assignee', 'assignees')
  },
  delegate: (values, isExcluding) => {
    const [key = 'none', ...others] = values
    const isUnsupported = isExcluding || others.length > 0 || key === 'none' || key === 'any'
    return isUnsupported ? undefined : { delegated_to: key }
  },
  status: anyOf('status_category', allCategories),
  priority: anyOf('priority', allPriorities),
  project: (values, isExcluding) =>
    isExcluding ? { projects_not: [...values] } : singleOrList(values, 'project_id', 'project_ids'),
  label: (values, isExcluding) => {
    if (values.includes('none')) return withNone(values, isExcluding, 'has_no_label', 'labels_not')
    if (isExcluding) return { labels_not: [...values] }
    return { [values.length === 1 ? 'label_id' : 'labels_any']: [...values] }
  },
  due: (values, isExcluding) => ({ [isExcluding ? 'due_not' : 'due']: [...values] }),
  updated: ([since]) => ({ updated_after: since }),
  changed: ([since]) => ({ changed_by_key: 'any', updated_after: since }),
}

function toStoredCustom(
  field: string,
  values: readonly string[],
  isExcluding: boolean,
  typeOf: FieldTypeLookup,
): StoredFilter | undefined {
  if (values.length === 1 && values[0] === 'none') return { custom: { field, empty: !isExcluding } }
  if (values.includes('none')) return undefined
  const type = typeOf(field)
  const typedValues = values.map((value) => {
    if (type === 'number') return Number(value)
    return type === 'boolean' ? value === 'true' : value
  })
  return { custom: { field, [isExcluding ? 'is_not' : 'is']: typedValues } }
}

/** URL parameters for arguments of list_tasks. */
export function storedFilterParams(filter: StoredFilter): Record<string, unknown> {
  const negatedFields: string[] = []
  const booleanParam = (field: string, value: unknown, word: string) => {
    if (typeof value !== 'boolean') return undefined
    if (!value) negatedFields.push(field)
    return word
  }
  const noneOf = (field: string, values: unknown) => {
    if (values !== undefined) negatedFields.push(field)
    return joinFilterValues(values)
  }
  const noneOrNot = (field: string, hasNone: unknown, values: unknown) =>
    Array.isArray(values) && hasNone === false
      ? noneOf(field, [...(values as unknown[]), 'none'])
      : (booleanParam(field, hasNone, 'none') ?? noneOf(field, values))
  const isByKeys = filter.changed_by_key === 'any'
  const params: Record<string, unknown> = {
    text: filter.text,
    project:
      noneOf('project', filter.projects_not) ??
      joinFilterValues(filter.project_id ?? filter.project_ids),
    assignee:
      noneOrNot('assignee', filter.has_no_assignee, filter.assignees_not) ??
      joinFilterValues(filter.assignee ?? filter.assignees),
    delegate: filter.delegated_to,
    status: joinFilterValues(filter.status_category),
    priority: joinFilterValues(filter.priority),
    label:
      noneOrNot('label', filter.has_no_label, filter.labels_not) ??
      joinFilterValues(filter.labels_any ?? filter.label_id),
    due:
      booleanParam('due', filter.overdue, 'overdue') ??
      booleanParam('due', filter.has_no_due_date, 'none') ??
      noneOf('due', filter.due_not) ??
      joinFilterValues(filter.due),
    updated: isByKeys ? undefined : filter.updated_after,
    changed: isByKeys ? filter.updated_after : undefined,
  }
  for (const [field, value, isExcluding] of parseCustomConditions(filter.custom)) {
    params[`c.${field}`] = value.map((item) => encodeURIComponent(String(item))).join(',')
    if (isExcluding) negatedFields.push(encodeURIComponent(`c.${field}`))
  }
  return { ...params, not: negatedFields.length > 0 ? negatedFields.join(',') : undefined }
}

const joinFilterValues = (value: unknown) => (Array.isArray(value) ? value.join(',') : value)

type CustomParam = [field: string, values: unknown[], isNot: boolean]

function parseCustomConditions(custom: unknown): CustomParam[] {
  if (!Array.isArray(custom)) return []
  return (custom as Record<string, unknown>[]).flatMap(({ field, is, is_not, empty }) => {
    const name = String(field)
    if (typeof empty === 'boolean') return [[name, ['none'], !empty] satisfies CustomParam]
    const values = is ?? is_not
    if (values === undefined) return []
    return [[name, [values].flat(), is === undefined] satisfies CustomParam]
  })
}
