import { isoDay } from '../../../ui/work/days.ts'
import { allCategories, allPriorities } from '../data/fields.ts'
import type { CustomField } from '../data/lists.ts'
import {
  fieldsFiltered,
  filterValues,
  isNegated,
  type plainFields,
  type TaskFilter,
} from '../filter/filter.ts'

// A filter of the app as arguments of list_tasks, which saved views keep, and back.

export type TypeOfField = (name: string) => CustomField['type'] | undefined
type Kept = Record<string, unknown>

/** The arguments, or undefined where list_tasks cannot say the same. */
export function keptFilter(filter: TaskFilter, typeOf: TypeOfField): Kept | undefined {
  const kept: Kept = filter.text.trim() === '' ? {} : { text: filter.text.trim() }
  for (const field of fieldsFiltered(filter)) {
    const values = filterValues(filter, field)
    const isNot = isNegated(filter, field)
    const part = field.startsWith('c.')
      ? keptCustom(field.slice(2), values, isNot, typeOf)
      : keptPart[field as (typeof plainFields)[number]](values, isNot)
    if (!part) return undefined
    for (const [name, value] of Object.entries(part))
      kept[name] = name === 'custom' ? [...((kept.custom as unknown[]) ?? []), value] : value
  }
  return kept
}

type Part = (values: readonly string[], isNot: boolean) => Kept | undefined

const oneOrSome = (values: readonly string[], one: string, some: string): Kept =>
  values.length === 1 ? { [one]: values[0] } : { [some]: [...values] }

const among =
  (name: string, all: readonly string[]): Part =>
  (values, isNot) => ({
    [name]: isNot ? all.filter((value) => !values.includes(value)) : [...values],
  })

const keptPart: Readonly<Record<(typeof plainFields)[number], Part>> = {
  assignee: (values, isNot) => {
    if (values.length === 1 && values[0] === 'none') return { has_no_assignee: !isNot }
    return isNot || values.includes('none') ? undefined : oneOrSome(values, 'assignee', 'assignees')
  },
  delegate: (values, isNot) => {
    const [key = 'none', ...others] = values
    const cannot = isNot || others.length > 0 || key === 'none' || key === 'any'
    return cannot ? undefined : { delegated_to: key }
  },
  status: among('status_category', allCategories),
  priority: among('priority', allPriorities),
  project: (values, isNot) => (isNot ? undefined : oneOrSome(values, 'project_id', 'project_ids')),
  label: (values, isNot) =>
    isNot || values.length > 1 || values[0] === 'none' ? undefined : { label_id: [...values] },
  due: (values, isNot) => {
    if (values.length > 1) return undefined
    if (values[0] === 'none') return { has_no_due_date: !isNot }
    return values[0] === 'overdue' ? { overdue: !isNot } : undefined
  },
  changed: ([since = '']) =>
    isoDay.test(since) ? { changed_by_key: 'any', updated_after: since } : undefined,
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

/** The words of an address for arguments of list_tasks. */
export function searchOfFilter(filter: Kept): Record<string, unknown> {
  const not: string[] = []
  const flag = (field: string, value: unknown, word: string) => {
    if (typeof value !== 'boolean') return undefined
    if (!value) not.push(field)
    return word
  }
  const due = flag('due', filter.overdue, 'overdue') ?? flag('due', filter.has_no_due_date, 'none')
  const said: Record<string, unknown> = {
    text: filter.text,
    project: joined(filter.project_id ?? filter.project_ids),
    assignee:
      flag('assignee', filter.has_no_assignee, 'none') ??
      joined(filter.assignee ?? filter.assignees),
    delegate: filter.delegated_to,
    status: joined(filter.status_category),
    priority: joined(filter.priority),
    label: joined(filter.label_id),
    due,
    changed: filter.changed_by_key === 'any' ? filter.updated_after : undefined,
  }
  for (const [field, value, isNot] of customIn(filter.custom)) {
    said[`c.${field}`] = value.map((item) => encodeURIComponent(String(item))).join(',')
    if (isNot) not.push(encodeURIComponent(`c.${field}`))
  }
  return { ...said, not: not.length > 0 ? not.join(',') : undefined }
}

const joined = (value: unknown) => (Array.isArray(value) ? value.join(',') : value)

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
