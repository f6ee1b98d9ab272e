import { daysOf, sinceOf, type PeriodContext } from '../../../../kernel/time/periods.ts'
import type { TaskRow } from '../data/rows.ts'
import { dueDay, isClosed } from '../data/due.ts'
import {
  filterValues,
  isNegated,
  isSingleValued,
  type FilterField,
  type TaskFilter,
} from './filter.ts'

/** Context of a filter besides the rows: the reader and the time. */
export interface FilterContext extends PeriodContext {
  personId: string
  /** Tasks changed by assistants in the filter's period; undefined while loading. */
  changed?: ReadonlySet<string> | undefined
}

type RowPredicate = (row: TaskRow) => boolean
type Matcher = (value: string, context: FilterContext) => RowPredicate

const matchers: Readonly<Record<Exclude<FilterField, `c.${string}`>, Matcher>> = {
  assignee: (person, context) => {
    if (person === 'none') return (row) => row.assignees.length === 0
    const id = person === 'me' ? context.personId : person
    return (row) => row.assignees.some((assignee) => assignee.id === id)
  },
  delegate: (key, context) => {
    if (key === 'none') return ({ delegate }) => delegate === undefined
    if (key === 'any') return ({ delegate }) => delegate !== undefined
    if (key === 'me') return ({ delegate }) => delegate?.owner.id === context.personId
    return ({ delegate }) => delegate?.id === key
  },
  status: (category) => (row) => row.status_category === category,
  priority: (priority) => (row) => row.priority === priority,
  project:
    (projectRef) =>
    ({ project }) =>
      project.key === projectRef || project.id === projectRef,
  label: (labelId) =>
    labelId === 'none'
      ? ({ labels }) => labels.length === 0
      : ({ labels }) => labels.some((label) => label.id === labelId),
  due: dueTest,
  updated: (period, context) => {
    const since = new Date(sinceOf(period, context)).toISOString()
    return (row) => row.updated_at >= since
  },
  changed:
    (_, { changed }) =>
    (row) =>
      changed?.has(row.id) ?? false,
}

/**
 * Test for due periods, the same as in list_tasks: overdue is an open task whose due time has passed; for others the
 * day counts.
 */
function dueTest(period: string, { now, today }: FilterContext): RowPredicate {
  if (period === 'none') return (row) => dueDay(row) === undefined
  if (period === 'overdue') return (row) => !isClosed(row.status_category) && isPast(row, now)
  const days = daysOf(period, today)
  return (row) => {
    const day = dueDay(row)
    return days !== undefined && day !== undefined && day >= days.from && day <= days.to
  }
}

const isPast = ({ due_at: due }: TaskRow, now: number) => due !== undefined && Date.parse(due) < now

/** A custom field value in filter format. */
export const customText = (value: unknown): string[] => {
  if (value === undefined || value === null) return []
  return [value].flat().map(String)
}

/** A function that tests whether a task matches a filter. */
export function createFilterPredicate(
  filter: TaskFilter,
  context: FilterContext,
): (row: TaskRow) => boolean {
  // Ignores case but not accents, like the argument `text` of list_tasks, used for saved views.
  const words = filter.text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  const tests = [
    ...Object.entries(matchers).map(([field, matches]) =>
      predicateOf(filter, field as keyof typeof matchers, (value) => matches(value, context)),
    ),
    ...Object.keys(filter.custom).map((name) =>
      predicateOf(filter, `c.${name}`, (value) => (row) => {
        const customValues = customText(row.custom_fields[name])
        return value === 'none' ? customValues.length === 0 : customValues.includes(value)
      }),
    ),
  ].filter((test) => test !== undefined)
  return (row) => {
    const text = `${row.key} ${row.title}`.toLowerCase()
    return words.every((word) => text.includes(word)) && tests.every((test) => test(row))
  }
}

function predicateOf(
  filter: TaskFilter,
  field: FilterField,
  createPredicate: (value: string) => RowPredicate,
): RowPredicate | undefined {
  const values = filterValues(filter, field)
  if (values.length === 0) return undefined
  const isExcluding = isNegated(filter, field)
  const tests = (isSingleValued(field) ? values.slice(0, 1) : values).map(createPredicate)
  return (row) => tests.some((test) => test(row)) !== isExcluding
}
