import type { TaskRow } from '../data/rows.ts'
import { dueOf } from '../data/due.ts'
import {
  filterValues,
  isNegated,
  type DueFilter,
  type FilterField,
  type TaskFilter,
} from './filter.ts'

/** What an arrangement depends on beside the rows: who reads, and when. */
export interface TaskReader {
  personId: string
  /** Their day, as 2026-11-25. */
  today: string
  /** The tasks that assistants changed since what the filter says; undefined while that is being read. */
  changed?: ReadonlySet<string> | undefined
}

type Matcher = (row: TaskRow, value: string, reader: TaskReader) => boolean

const matchers: Readonly<Record<Exclude<FilterField, `c.${string}`>, Matcher>> = {
  assignee: (row, person, reader) => {
    if (person === 'none') return row.assignees.length === 0
    const id = person === 'me' ? reader.personId : person
    return row.assignees.some((assignee) => assignee.id === id)
  },
  delegate: ({ delegate }, key, reader) => {
    if (key === 'none') return delegate === undefined
    if (key === 'any') return delegate !== undefined
    return key === 'me' ? delegate?.owner.id === reader.personId : delegate?.id === key
  },
  status: (row, category) => row.status_category === category,
  priority: (row, priority) => row.priority === priority,
  project: ({ project }, wanted) => project.key === wanted || project.id === wanted,
  label: ({ labels }, wanted) =>
    wanted === 'none' ? labels.length === 0 : labels.some((label) => label.id === wanted),
  due: (row, due, { today }) => isDue(dueOf(row, today), due as DueFilter),
  changed: (row, _, { changed }) => changed?.has(row.id) ?? false,
}

function isDue(at: ReturnType<typeof dueOf>, due: DueFilter): boolean {
  return due === 'week' ? at === 'week' || at === 'today' || at === 'overdue' : at === due
}

/** A value of a custom field as a filter holds it. */
export const customText = (value: unknown): string[] => {
  if (value === undefined || value === null) return []
  return [value].flat().map(String)
}

/** Whether a task is one that a filter means. */
export function matcherOf(filter: TaskFilter, reader: TaskReader): (row: TaskRow) => boolean {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  const tests = [
    ...Object.entries(matchers).map(([field, matches]) =>
      testOf(filter, field as keyof typeof matchers, (row, value) => matches(row, value, reader)),
    ),
    ...Object.keys(filter.custom).map((name) =>
      testOf(filter, `c.${name}`, (row, value) => {
        const held = customText(row.custom_fields[name])
        return value === 'none' ? held.length === 0 : held.includes(value)
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
  matches: (row: TaskRow, value: string) => boolean,
): ((row: TaskRow) => boolean) | undefined {
  const values = filterValues(filter, field)
  if (values.length === 0) return undefined
  const isNot = isNegated(filter, field)
  return (row) => values.some((value) => matches(row, value)) !== isNot
}
