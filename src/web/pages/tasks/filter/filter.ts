import { duePeriod, sincePeriod } from '../../../../kernel/time/periods.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import { customName, isCustom, type CustomFieldName } from '../data/fields.ts'

/** Periods of due dates that are offered; others are typed. */
export const dueFilters = [
  'overdue',
  'today',
  'tomorrow',
  'this_week',
  'next_week',
  'next_7_days',
  'next_14_days',
  'this_month',
  'none',
] as const

/** Since when a task was updated, as offered. */
export const updatedFilters = ['today', 'this_week', 'last_7_days', 'last_30_days'] as const

/** Since when an assistant changed a task, as offered; also a day as 2026-11-25. */
export const changedFilters = ['last_1_hour', 'today', 'last_7_days'] as const

/** Filter of the visible tasks. Each list means any of these; `me` is the reader and `none` an empty value. */
export interface TaskFilter {
  text: string
  project: readonly string[]
  assignee: readonly string[]
  /** Keys that work on it; `me` is any of the reader's, `any` anybody's. */
  delegate: readonly string[]
  status: readonly StatusCategory[]
  priority: readonly Priority[]
  label: readonly string[]
  /** Periods, which move with the day: `this_week`, `next_14_days`, `overdue`. */
  due: readonly string[]
  /** Since when it was updated, a period; the first counts. */
  updated: readonly string[]
  /** Changed by assistants since; the first counts. */
  changed: readonly string[]
  /** Values of custom fields, by the name of the field. */
  custom: Readonly<Record<string, readonly string[]>>
  /** The fields of which none of the values is meant. */
  not: readonly FilterField[]
}

export const emptyFilter: TaskFilter = {
  text: '',
  project: [],
  assignee: [],
  delegate: [],
  status: [],
  priority: [],
  label: [],
  due: [],
  updated: [],
  changed: [],
  custom: {},
  not: [],
}

export const plainFields = [
  'assignee',
  'delegate',
  'status',
  'priority',
  'project',
  'label',
  'due',
  'updated',
  'changed',
] as const
type PlainField = (typeof plainFields)[number]

/** Whether a field has one value, which cannot be turned round. */
export const isSingle = (field: FilterField) => field === 'changed' || field === 'updated'

export type FilterField = PlainField | CustomFieldName

/** The values that a field is filtered by. */
export const filterValues = (filter: TaskFilter, field: FilterField): readonly string[] =>
  isCustom(field) ? (filter.custom[customName(field)] ?? []) : filter[field]

/** The projects that a filter is about; none where it leaves some out. */
export const projectsMeant = (filter: TaskFilter): readonly string[] =>
  isNegated(filter, 'project') ? [] : filter.project

export const isNegated = (filter: TaskFilter, field: FilterField) => filter.not.includes(field)

/** The fields that are filtered by, in the order in which they are offered. */
export function fieldsFiltered(filter: TaskFilter): FilterField[] {
  const custom = Object.keys(filter.custom).map((name): FilterField => `c.${name}`)
  return [...plainFields, ...custom].filter((field) => filterValues(filter, field).length > 0)
}

/** A filter by other values of a field; one without values is no longer negated. */
export function withValues(
  filter: TaskFilter,
  field: FilterField,
  values: readonly string[],
): TaskFilter {
  const not = values.length > 0 ? filter.not : filter.not.filter((other) => other !== field)
  if (!isCustom(field)) return { ...filter, [field]: values, not }
  const { [customName(field)]: _, ...others } = filter.custom
  const custom = values.length > 0 ? { ...others, [customName(field)]: values } : others
  return { ...filter, custom, not }
}

/** Whether any of the values is meant, or none of them: the other way round. */
export function negated(filter: TaskFilter, field: FilterField): TaskFilter {
  const not = isNegated(filter, field)
    ? filter.not.filter((other) => other !== field)
    : [...filter.not, field]
  return { ...filter, not }
}

type Search = Readonly<Record<string, unknown>>

const isWord = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Words of an address with commas between. */
const words = (value: unknown): string[] =>
  isWord(value)
    ? String(value)
        .split(',')
        .filter((word) => word !== '')
    : []

/** Texts of an address with commas between, whatever is in them. */
const texts = (value: unknown): string[] => words(value).map(decodeFilterValue)

function decodeFilterValue(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isFilterField = (field: string): field is FilterField =>
  isCustom(field) || plainFields.some((option) => option === field)

/** Words that addresses used before. */
const formerSince: Readonly<Record<string, string>> = { hour: 'last_1_hour', week: 'last_7_days' }

/** The filter that an address tells of. */
export function filterIn(search: Search): TaskFilter {
  const custom = Object.entries(search)
    .filter(([name]) => isCustom(name) && name.length > 2)
    .map(([name, value]) => [name.slice(2), texts(value)] as const)
    .filter(([, values]) => values.length > 0)
  return {
    text: isWord(search.text) ? String(search.text) : '',
    project: words(search.project),
    assignee: words(search.assignee),
    delegate: words(search.delegate),
    status: words(search.status) as StatusCategory[],
    priority: words(search.priority) as Priority[],
    label: words(search.label),
    due: words(search.due)
      .flatMap((word) => (word === 'week' ? ['overdue', 'this_week'] : [word]))
      .filter((word) => duePeriod.test(word)),
    updated: words(search.updated).filter((word) => sincePeriod.test(word)),
    changed: words(search.changed).map((word) => formerSince[word] ?? word),
    custom: Object.fromEntries(custom),
    not: texts(search.not).filter(isFilterField),
  }
}

/** The same as an address says it. */
export function filterSaid(filter: TaskFilter): [string, string][] {
  const custom = Object.entries(filter.custom).map(([name, values]): [string, string] => [
    `c.${name}`,
    values.map(encodeURIComponent).join(','),
  ])
  return [
    ['text', filter.text],
    ...plainFields.map((field): [string, string] => [field, filter[field].join(',')]),
    ...custom,
    ['not', filter.not.map(encodeURIComponent).join(',')],
  ]
}
