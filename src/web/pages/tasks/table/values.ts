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
export type ParsedCellText = { change: TaskChange } | { project: Project } | { problem: string }

const maxTitleChars = 500
const { paste, kinds, numbers } = t.tasks.table

const isSameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()
const splitList = (text: string) =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
const notFound = (kind: string, name: string) => ({ problem: paste.notThere(kind, name) })

/**
 * Parses a text as a value for a task's column. Nothing in it is executed: names are compared, numbers and days are
 * parsed.
 */
export function readCell(
  row: TaskRow,
  column: ColumnId,
  rawText: string,
  lookup: CellLookup,
): ParsedCellText {
  const text = rawText.trim()
  if (isCustom(column)) return readCustom(row, column, text, lookup)
  switch (column) {
    case 'title':
      return text === '' || text.length > maxTitleChars
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

function readNamed(
  row: TaskRow,
  column: NamedColumn,
  text: string,
  lookup: CellLookup,
): ParsedCellText {
  switch (column) {
    case 'status':
      return readStatus(row, text, lookup)
    case 'priority': {
      if (text === '') return { change: { field: 'priority', priority: 'none' } }
      const priority = allPriorities.find(
        (name) => isSameText(name, text) || isSameText(t.tasks.priorities[name], text),
      )
      return priority ? { change: { field: 'priority', priority } } : notFound(kinds.priority, text)
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
        (other) => isSameText(other.name, text) || isSameText(other.key, text),
      )
      return project ? { project } : notFound(kinds.project, text)
    }
    default:
      return readPlan(row, column, text, lookup)
  }
}

function readStatus(row: TaskRow, text: string, { projects }: CellLookup): ParsedCellText {
  if (text === '') return { problem: paste.needed }
  const project = projects.find((other) => other.id === row.project.id)
  const status = project?.statuses.find((other) => isSameText(other.name, text))
  if (!status) return notFound(kinds.status, text)
  return { change: { field: 'status', name: status.name, category: status.category } }
}

const findPerson = (text: string, { people }: CellLookup) =>
  people.find(
    (person) =>
      isSameText(person.display_name, text) ||
      isSameText(person.email ?? '', text) ||
      person.id === text,
  )

function readPeople(text: string, lookup: CellLookup): ParsedCellText {
  const people: { id: string; title: string }[] = []
  for (const name of splitList(text)) {
    const person = findPerson(name, lookup)
    if (!person) return notFound(kinds.person, name)
    people.push({ id: person.id, title: person.display_name })
  }
  return { change: { field: 'assignees', people } }
}

function readLabels(text: string, cellLookup: CellLookup): ParsedCellText {
  const labels: { id: string; title: string }[] = []
  for (const name of splitList(text)) {
    const label = cellLookup.labels.find((other) => isSameText(other.name, name))
    if (!label) return notFound(kinds.label, name)
    labels.push({ id: label.id, title: label.name })
  }
  return { change: { field: 'labels', labels } }
}

function readDelegate(row: TaskRow, text: string, { keys }: CellLookup): ParsedCellText {
  if (text === '') return { change: { field: 'delegate', key: null } }
  const currentDelegates =
    row.delegate?.id === undefined ? [] : [{ ...row.delegate, id: row.delegate.id }]
  const key = [...keys, ...currentDelegates].find((other) => isSameText(other.title ?? '', text))
  if (!key) return notFound(kinds.assistant, text)
  const { id, title = text, owner } = key
  return { change: { field: 'delegate', key: { id, title, owner } } }
}

function readPlan(
  row: TaskRow,
  field: 'sprint' | 'milestone',
  text: string,
  lookup: CellLookup,
): ParsedCellText {
  if (text === '') return { change: { field, item: null } }
  const plansByProject = field === 'sprint' ? lookup.sprints : lookup.milestones
  const item = plansByProject.get(row.project.id)?.find((plan) => isSameText(plan.title, text))
  return item ? { change: { field, item } } : notFound(kinds[field], text)
}

function readDay(
  text: string,
  { days }: CellLookup,
  toResult: (day: string | null) => ParsedCellText,
): ParsedCellText {
  if (text === '') return toResult(null)
  const day = isoDay.test(text) ? text : days.get(text)
  const isValidDay = day !== undefined && !Number.isNaN(Date.parse(day))
  return isValidDay ? toResult(day) : { problem: paste.noDay(text) }
}

function readCustom(
  row: TaskRow,
  field: CustomFieldName,
  text: string,
  lookup: CellLookup,
): ParsedCellText {
  const customField = customFieldOf(lookup.projects, row, customName(field))
  if (!customField) return { problem: t.tasks.table.noSuchField(row.project.title) }
  const toResult = (value: CustomValue): ParsedCellText => ({ change: { field, value } })
  if (text === '') return toResult(null)
  switch (customField.type) {
    case 'text':
      return toResult(text)
    case 'number': {
      const value = Number(text.replace(/^(-?\d+),(\d+)$/, '$1.$2'))
      return Number.isFinite(value) ? toResult(value) : { problem: numbers.number }
    }
    case 'url':
      return /^https?:\/\/\S+$/i.test(text) ? toResult(text) : { problem: numbers.url }
    case 'date':
      return readDay(text, lookup, toResult)
    case 'person': {
      const person = findPerson(text, lookup)
      return person ? toResult(person.id) : notFound(kinds.person, text)
    }
    default:
      return readChoice(customField, text, toResult)
  }
}

const yesWords = ['true', '1', 'x', '✓']
const noWords = ['false', '0']

function readChoice(
  field: CustomField,
  text: string,
  toResult: (value: CustomValue) => ParsedCellText,
): ParsedCellText {
  if (field.type === 'boolean') {
    if ([...yesWords, t.tasks.table.yes].some((word) => isSameText(word, text)))
      return toResult(true)
    if ([...noWords, t.tasks.table.no].some((word) => isSameText(word, text)))
      return toResult(false)
    return notFound(kinds.option, text)
  }
  const names = field.type === 'select' ? [text] : splitList(text)
  const optionNames: string[] = []
  for (const name of names) {
    const option = field.options.find((other) => isSameText(other.name, name))
    if (!option) return notFound(kinds.option, name)
    optionNames.push(option.name)
  }
  return toResult(field.type === 'select' ? (optionNames[0] ?? null) : optionNames)
}
