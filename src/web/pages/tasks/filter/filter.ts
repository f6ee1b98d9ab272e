import { duePeriod, sincePeriod } from '../../../../kernel/time/periods.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import { customName, isCustom, type CustomFieldName } from '../data/fields.ts'

/** Offered periods of due dates; others can be typed. */
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

/** Offered periods of updates. */
export const updatedFilters = ['today', 'this_week', 'last_7_days', 'last_30_days'] as const

/** Offered periods of changes by assistants; also a day as 2026-11-25. */
export const changedFilters = ['last_1_hour', 'today', 'last_7_days'] as const

/** Filter of the visible tasks. Each list means any of these; `me` is the reader and `none` an empty value. */
export interface TaskFilter {
  text: string
  project: readonly string[]
  assignee: readonly string[]
  /** Keys that work on it; `me` is any of the reader's, `any` any key. */
  delegate: readonly string[]
  status: readonly StatusCategory[]
  priority: readonly Priority[]
  label: readonly string[]
  /** Relative periods: `this_week`, `next_14_days`, `overdue`. */
  due: readonly string[]
  /** Period of its last update; the first one applies. */
  updated: readonly string[]
  /** Period of changes by assistants; the first one applies. */
  changed: readonly string[]
  /** Values of custom fields, by field name. */
  custom: Readonly<Record<string, readonly string[]>>
  /** Negated fields: none of their values may match. */
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

export const standardFields = [
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
type StandardField = (typeof standardFields)[number]

/** True if a field has a single value, which cannot be negated. */
export const isSingleValued = (field: FilterField) => field === 'changed' || field === 'updated'

export type FilterField = StandardField | CustomFieldName

/** The filter values of a field. */
export const filterValues = (filter: TaskFilter, field: FilterField): readonly string[] =>
  isCustom(field) ? (filter.custom[customName(field)] ?? []) : filter[field]

/** The projects of a filter; empty if it excludes some. */
export const includedProjects = (filter: TaskFilter): readonly string[] =>
  isNegated(filter, 'project') ? [] : filter.project

export const isNegated = (filter: TaskFilter, field: FilterField) => filter.not.includes(field)

/** The filtered fields, in the order in which they are offered. */
export function filteredFields(filter: TaskFilter): FilterField[] {
  const custom = Object.keys(filter.custom).map((name): FilterField => `c.${name}`)
  return [...standardFields, ...custom].filter((field) => filterValues(filter, field).length > 0)
}

/** Changes the filter values of a field; without values it is no longer negated. */
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

/** Toggles whether any or none of the values must match. */
export function toggleNegation(filter: TaskFilter, field: FilterField): TaskFilter {
  const not = isNegated(filter, field)
    ? filter.not.filter((other) => other !== field)
    : [...filter.not, field]
  return { ...filter, not }
}

type Search = Readonly<Record<string, unknown>>

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Comma-separated words of an address. */
const parseWords = (value: unknown): string[] =>
  isScalar(value)
    ? String(value)
        .split(',')
        .filter((word) => word !== '')
    : []

/** Comma-separated texts of an address, with escaping. */
const parseTexts = (value: unknown): string[] => parseWords(value).map(decodeFilterValue)

function decodeFilterValue(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isFilterField = (field: string): field is FilterField =>
  isCustom(field) || standardFields.some((option) => option === field)

/** Former words in addresses. */
const formerSince: Readonly<Record<string, string>> = { hour: 'last_1_hour', week: 'last_7_days' }

/** The filter in an address. */
export function parseFilter(search: Search): TaskFilter {
  const custom = Object.entries(search)
    .filter(([name]) => isCustom(name) && name.length > 2)
    .map(([name, value]) => [name.slice(2), parseTexts(value)] as const)
    .filter(([, values]) => values.length > 0)
  return {
    text: isScalar(search.text) ? String(search.text) : '',
    project: parseWords(search.project),
    assignee: parseWords(search.assignee),
    delegate: parseWords(search.delegate),
    status: parseWords(search.status) as StatusCategory[],
    priority: parseWords(search.priority) as Priority[],
    label: parseWords(search.label),
    due: parseWords(search.due)
      .flatMap((word) => (word === 'week' ? ['overdue', 'this_week'] : [word]))
      .filter((word) => duePeriod.test(word)),
    updated: parseWords(search.updated).filter((word) => sincePeriod.test(word)),
    changed: parseWords(search.changed).map((word) => formerSince[word] ?? word),
    custom: Object.fromEntries(custom),
    not: parseTexts(search.not).filter(isFilterField),
  }
}

/** The filter as URL parameters. */
export function filterParams(filter: TaskFilter): [string, string][] {
  const custom = Object.entries(filter.custom).map(([name, values]): [string, string] => [
    `c.${name}`,
    values.map(encodeURIComponent).join(','),
  ])
  return [
    ['text', filter.text],
    ...standardFields.map((field): [string, string] => [field, filter[field].join(',')]),
    ...custom,
    ['not', filter.not.map(encodeURIComponent).join(',')],
  ]
}
