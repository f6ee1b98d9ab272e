import { allCategories, allPriorities, customName, isCustom } from '../data/fields.ts'
import type { CustomField } from '../data/lists.ts'
import {
  fieldsFiltered,
  filterValues,
  isNegated,
  type plainFields,
  type TaskFilter,
} from '../filter/filter.ts'

// Converts between the app's filter and arguments of list_tasks, which saved views store.

export type TypeOfField = (name: string) => CustomField['type'] | undefined
type Kept = Record<string, unknown>

/** The arguments, or undefined if list_tasks has no equivalent. */
export function keptFilter(filter: TaskFilter, typeOf: TypeOfField): Kept | undefined {
  let merged: Kept = filter.text.trim() === '' ? {} : { text: filter.text.trim() }
  for (const field of fieldsFiltered(filter)) {
    const values = filterValues(filter, field)
    const isNot = isNegated(filter, field)
    const part = isCustom(field)
      ? keptCustom(customName(field), values, isNot, typeOf)
      : keptPart[field](values, isNot)
    const both = part && together(merged, part)
    if (!both) return undefined
    merged = both
  }
  return merged
}

/** Conditions on custom fields are combined; other arguments have one value. */
function together(filter: Kept, { custom, ...part }: Kept): Kept | undefined {
  if (Object.entries(part).some(([name, value]) => name in filter && filter[name] !== value))
    return undefined
  const all = [...((filter.custom as unknown[] | undefined) ?? []), ...(custom ? [custom] : [])]
  return { ...filter, ...part, ...(all.length > 0 ? { custom: all } : {}) }
}

type Part = (values: readonly string[], isNot: boolean) => Kept | undefined

const oneOrSome = (values: readonly string[], singleKey: string, listKey: string): Kept =>
  values.length === 1 ? { [singleKey]: values[0] } : { [listKey]: [...values] }

/** "None of several values" is equivalent to "any of the others". */
const among =
  (name: string, all: readonly string[]): Part =>
  (values, isNot) => {
    const effectiveValues = isNot ? all.filter((value) => !values.includes(value)) : [...values]
    return effectiveValues.length > 0 ? { [name]: effectiveValues } : undefined
  }

/** Either no value, or neither none nor some given values; "none or some given values" cannot be expressed. */
function withNone(
  values: readonly string[],
  isNot: boolean,
  none: string,
  not: string,
): Kept | undefined {
  const actualValues = values.filter((value) => value !== 'none')
  if (actualValues.length === 0) return { [none]: !isNot }
  return isNot ? { [not]: actualValues, [none]: false } : undefined
}

const keptPart: Readonly<Record<(typeof plainFields)[number], Part>> = {
  assignee: (values, isNot) => {
    if (values.includes('none')) return withNone(values, isNot, 'has_no_assignee', 'assignees_not')
    return isNot ? { assignees_not: [...values] } : oneOrSome(values, 'assignee', 'assignees')
  },
  delegate: (values, isNot) => {
    const [key = 'none', ...others] = values
    const cannot = isNot || others.length > 0 || key === 'none' || key === 'any'
    return cannot ? undefined : { delegated_to: key }
  },
  status: among('status_category', allCategories),
  priority: among('priority', allPriorities),
  project: (values, isNot) =>
    isNot ? { projects_not: [...values] } : oneOrSome(values, 'project_id', 'project_ids'),
  label: (values, isNot) => {
    if (values.includes('none')) return withNone(values, isNot, 'has_no_label', 'labels_not')
    if (isNot) return { labels_not: [...values] }
    return { [values.length === 1 ? 'label_id' : 'labels_any']: [...values] }
  },
  due: (values, isNot) => ({ [isNot ? 'due_not' : 'due']: [...values] }),
  updated: ([since]) => ({ updated_after: since }),
  changed: ([since]) => ({ changed_by_key: 'any', updated_after: since }),
}

function keptCustom(
  field: string,
  values: readonly string[],
  isNot: boolean,
  typeOf: TypeOfField,
): Kept | undefined {
  if (values.length === 1 && values[0] === 'none') return { custom: { field, empty: !isNot } }
  if (values.includes('none')) return undefined
  const type = typeOf(field)
  const typed = values.map((value) => {
    if (type === 'number') return Number(value)
    return type === 'boolean' ? value === 'true' : value
  })
  return { custom: { field, [isNot ? 'is_not' : 'is']: typed } }
}

/** URL parameters for arguments of list_tasks. */
export function searchOfFilter(filter: Kept): Record<string, unknown> {
  const not: string[] = []
  const flag = (field: string, value: unknown, word: string) => {
    if (typeof value !== 'boolean') return undefined
    if (!value) not.push(field)
    return word
  }
  const noneOf = (field: string, values: unknown) => {
    if (values !== undefined) not.push(field)
    return joinFilterValues(values)
  }
  const noneOrNot = (field: string, hasNone: unknown, values: unknown) =>
    Array.isArray(values) && hasNone === false
      ? noneOf(field, [...(values as unknown[]), 'none'])
      : (flag(field, hasNone, 'none') ?? noneOf(field, values))
  const isByKeys = filter.changed_by_key === 'any'
  const searchWords: Record<string, unknown> = {
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
      flag('due', filter.overdue, 'overdue') ??
      flag('due', filter.has_no_due_date, 'none') ??
      noneOf('due', filter.due_not) ??
      joinFilterValues(filter.due),
    updated: isByKeys ? undefined : filter.updated_after,
    changed: isByKeys ? filter.updated_after : undefined,
  }
  for (const [field, value, isNot] of customIn(filter.custom)) {
    searchWords[`c.${field}`] = value.map((item) => encodeURIComponent(String(item))).join(',')
    if (isNot) not.push(encodeURIComponent(`c.${field}`))
  }
  return { ...searchWords, not: not.length > 0 ? not.join(',') : undefined }
}

const joinFilterValues = (value: unknown) => (Array.isArray(value) ? value.join(',') : value)

type CustomWords = [field: string, values: unknown[], isNot: boolean]

function customIn(custom: unknown): CustomWords[] {
  if (!Array.isArray(custom)) return []
  return (custom as Record<string, unknown>[]).flatMap(({ field, is, is_not, empty }) => {
    const name = String(field)
    if (typeof empty === 'boolean') return [[name, ['none'], !empty] satisfies CustomWords]
    const values = is ?? is_not
    if (values === undefined) return []
    return [[name, [values].flat(), is === undefined] satisfies CustomWords]
  })
}
