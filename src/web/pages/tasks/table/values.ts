import { t } from '../../../texts/index.ts'
import { isoDay } from '../../../ui/work/days.ts'
import {
  customName,
  isCustom,
  allPriorities,
  type CustomFieldName,
  type CustomValue,
} from '../data/fields.ts'
import type { CustomField, Project } from '../data/lists.ts'
import type { TaskRow } from '../data/rows.ts'
import type { TaskChange } from '../pick/change.ts'
import { numberChange } from '../pick/number-change.ts'
import type { ColumnId } from './columns.ts'
import { customFieldOf, type CellLookup } from './known.ts'

/** Meaning of a text in a cell: a change, another project, or a problem. */
export type Typed = { change: TaskChange } | { project: Project } | { problem: string }

const maxTitle = 500
const { paste, kinds, numbers } = t.tasks.table

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()
const parts = (text: string) =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
const missing = (what: string, name: string) => ({ problem: paste.notThere(what, name) })

/**
 * Parses a text as a value for a task's column. Nothing in it is executed: names are compared, numbers and days are
 * parsed.
 */
export function readCell(row: TaskRow, column: ColumnId, typed: string, lookup: CellLookup): Typed {
  const text = typed.trim()
  if (isCustom(column)) return readCustom(row, column, text, lookup)
  switch (column) {
    case 'title':
      return text === '' || text.length > maxTitle
        ? { problem: numbers.title }
        : { change: { field: 'title', title: text } }
    case 'estimate':
    case 'points': {
      const change = numberChange(column, text)
      return change ? { change } : { problem: numbers[column] }
    }
    case 'due':
    case 'start':
      return readDay(text, lookup, (day) => ({ change: { field: column, day } }))
    case 'changed':
    case 'created':
      return { problem: t.tasks.table.onlyShown }
    default:
      return readNamed(row, column, text, lookup)
  }
}

type NamedColumn =
  | 'status'
  | 'priority'
  | 'assignees'
  | 'delegate'
  | 'labels'
  | 'project'
  | 'sprint'
  | 'milestone'

function readNamed(row: TaskRow, column: NamedColumn, text: string, lookup: CellLookup): Typed {
  switch (column) {
    case 'status':
      return readStatus(row, text, lookup)
    case 'priority': {
      if (text === '') return { change: { field: 'priority', priority: 'none' } }
      const priority = allPriorities.find(
        (name) => same(name, text) || same(t.tasks.priorities[name], text),
      )
      return priority ? { change: { field: 'priority', priority } } : missing(kinds.priority, text)
    }
    case 'assignees':
      return readPeople(text, lookup)
    case 'delegate':
      return readDelegate(row, text, lookup)
    case 'labels':
      return readLabels(text, lookup)
    case 'project': {
      if (text === '') return { problem: paste.needed }
      const project = lookup.projects.find(
        (other) => same(other.name, text) || same(other.key, text),
      )
      return project ? { project } : missing(kinds.project, text)
    }
    default:
      return readPlan(row, column, text, lookup)
  }
}

function readStatus(row: TaskRow, text: string, { projects }: CellLookup): Typed {
  if (text === '') return { problem: paste.needed }
  const project = projects.find((other) => other.id === row.project.id)
  const status = project?.statuses.find((other) => same(other.name, text))
  if (!status) return missing(kinds.status, text)
  return { change: { field: 'status', name: status.name, category: status.category } }
}

const findPerson = (text: string, { people }: CellLookup) =>
  people.find(
    (person) =>
      same(person.display_name, text) || same(person.email ?? '', text) || person.id === text,
  )

function readPeople(text: string, lookup: CellLookup): Typed {
  const people: { id: string; title: string }[] = []
  for (const name of parts(text)) {
    const person = findPerson(name, lookup)
    if (!person) return missing(kinds.person, name)
    people.push({ id: person.id, title: person.display_name })
  }
  return { change: { field: 'assignees', people } }
}

function readLabels(text: string, cellLookup: CellLookup): Typed {
  const labels: { id: string; title: string }[] = []
  for (const name of parts(text)) {
    const label = cellLookup.labels.find((other) => same(other.name, name))
    if (!label) return missing(kinds.label, name)
    labels.push({ id: label.id, title: label.name })
  }
  return { change: { field: 'labels', labels } }
}

function readDelegate(row: TaskRow, text: string, { keys }: CellLookup): Typed {
  if (text === '') return { change: { field: 'delegate', key: null } }
  const there = row.delegate?.id === undefined ? [] : [{ ...row.delegate, id: row.delegate.id }]
  const key = [...keys, ...there].find((other) => same(other.title ?? '', text))
  if (!key) return missing(kinds.assistant, text)
  const { id, title = text, owner } = key
  return { change: { field: 'delegate', key: { id, title, owner } } }
}

function readPlan(
  row: TaskRow,
  field: 'sprint' | 'milestone',
  text: string,
  lookup: CellLookup,
): Typed {
  if (text === '') return { change: { field, to: null } }
  const all = field === 'sprint' ? lookup.sprints : lookup.milestones
  const to = all.get(row.project.id)?.find((plan) => same(plan.title, text))
  return to ? { change: { field, to } } : missing(kinds[field], text)
}

function readDay(
  text: string,
  { days }: CellLookup,
  toTyped: (day: string | null) => Typed,
): Typed {
  if (text === '') return toTyped(null)
  const day = isoDay.test(text) ? text : days.get(text)
  const isThere = day !== undefined && !Number.isNaN(Date.parse(day))
  return isThere ? toTyped(day) : { problem: paste.noDay(text) }
}

function readCustom(row: TaskRow, field: CustomFieldName, text: string, lookup: CellLookup): Typed {
  const customField = customFieldOf(lookup.projects, row, customName(field))
  if (!customField) return { problem: t.tasks.table.noSuchField(row.project.title) }
  const to = (value: CustomValue): Typed => ({ change: { field, value } })
  if (text === '') return to(null)
  switch (customField.type) {
    case 'text':
      return to(text)
    case 'number': {
      const value = Number(text.replace(/^(-?\d+),(\d+)$/, '$1.$2'))
      return Number.isFinite(value) ? to(value) : { problem: numbers.number }
    }
    case 'url':
      return /^https?:\/\/\S+$/i.test(text) ? to(text) : { problem: numbers.url }
    case 'date':
      return readDay(text, lookup, to)
    case 'person': {
      const person = findPerson(text, lookup)
      return person ? to(person.id) : missing(kinds.person, text)
    }
    default:
      return readChoice(customField, text, to)
  }
}

const yes = ['true', '1', 'x', '✓']
const no = ['false', '0']

function readChoice(field: CustomField, text: string, to: (value: CustomValue) => Typed): Typed {
  if (field.type === 'boolean') {
    if ([...yes, t.tasks.table.yes].some((word) => same(word, text))) return to(true)
    if ([...no, t.tasks.table.no].some((word) => same(word, text))) return to(false)
    return missing(kinds.option, text)
  }
  const names = field.type === 'select' ? [text] : parts(text)
  const optionNames: string[] = []
  for (const name of names) {
    const option = field.options.find((other) => same(other.name, name))
    if (!option) return missing(kinds.option, name)
    optionNames.push(option.name)
  }
  return to(field.type === 'select' ? (optionNames[0] ?? null) : optionNames)
}
