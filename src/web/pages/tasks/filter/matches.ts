import { daysOf, sinceOf, type PeriodContext } from '../../../../kernel/time/periods.ts'
import type { TaskRow } from '../data/rows.ts'
import { dueDay, isClosed } from '../data/due.ts'
import { filterValues, isNegated, isSingle, type FilterField, type TaskFilter } from './filter.ts'

/** Context of a filter besides the rows: the reader and the time. */
export interface TaskReader extends PeriodContext {
  personId: string
  /** Tasks changed by assistants in the filter's period; undefined while loading. */
  changed?: ReadonlySet<string> | undefined
}

type Test = (row: TaskRow) => boolean
type Matcher = (value: string, reader: TaskReader) => Test

const matchers: Readonly<Record<Exclude<FilterField, `c.${string}`>, Matcher>> = {
  assignee: (person, reader) => {
    if (person === 'none') return (row) => row.assignees.length === 0
    const id = person === 'me' ? reader.personId : person
    return (row) => row.assignees.some((assignee) => assignee.id === id)
  },
  delegate: (key, reader) => {
    if (key === 'none') return ({ delegate }) => delegate === undefined
    if (key === 'any') return ({ delegate }) => delegate !== undefined
    if (key === 'me') return ({ delegate }) => delegate?.owner.id === reader.personId
    return ({ delegate }) => delegate?.id === key
  },
  status: (category) => (row) => row.status_category === category,
  priority: (priority) => (row) => row.priority === priority,
  project:
    (wanted) =>
    ({ project }) =>
      project.key === wanted || project.id === wanted,
  label: (wanted) =>
    wanted === 'none'
      ? ({ labels }) => labels.length === 0
      : ({ labels }) => labels.some((label) => label.id === wanted),
  due: dueTest,
  updated: (period, reader) => {
    const since = new Date(sinceOf(period, reader)).toISOString()
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
function dueTest(period: string, { now, today }: TaskReader): Test {
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
export function matcherOf(filter: TaskFilter, reader: TaskReader): (row: TaskRow) => boolean {
  // Ignores case but not accents, like the argument `text` of list_tasks, used for saved views.
  const words = filter.text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  const tests = [
    ...Object.entries(matchers).map(([field, matches]) =>
      testOf(filter, field as keyof typeof matchers, (value) => matches(value, reader)),
    ),
    ...Object.keys(filter.custom).map((name) =>
      testOf(filter, `c.${name}`, (value) => (row) => {
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

function testOf(
  filter: TaskFilter,
  field: FilterField,
  testFor: (value: string) => Test,
): Test | undefined {
  const values = filterValues(filter, field)
  if (values.length === 0) return undefined
  const isNot = isNegated(filter, field)
  const tests = (isSingle(field) ? values.slice(0, 1) : values).map(testFor)
  return (row) => tests.some((test) => test(row)) !== isNot
}
