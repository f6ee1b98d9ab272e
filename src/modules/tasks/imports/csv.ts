import { valuesIn } from '../../../kernel/text/csv.ts'
import type { Lined } from '../../../sandbox/csv.ts'
import {
  categoryOf,
  dateOrderOf,
  dayIfMidnight,
  emptyRecord,
  readDate,
  readPriority,
  type DateOrder,
  type ImportFormat,
  type TaskRecord,
} from './records.ts'

// CSV files: those of Jira, Linear and Todoist, and any other whose columns have names that tell what they are.

export type CsvRow = Lined

export const taskFields = [
  'title',
  'description',
  'status',
  'category',
  'priority',
  'assignees',
  'labels',
  'due',
  'start',
  'estimate',
  'points',
  'parent',
  'blocked_by',
  'blocks',
  'comments',
  'project',
  'ref',
  'section',
  'url',
] as const
export type TaskField = (typeof taskFields)[number]

type Columns = (TaskField | undefined)[]

/** Which program wrote a header. */
export function formatOfHeader(header: readonly string[]): Exclude<ImportFormat, 'trello'> {
  const has = (...names: string[]) =>
    names.every((name) => header.some((item) => item.trim().toLowerCase() === name))
  if (has('issue key', 'summary')) return 'jira'
  if (has('id', 'team', 'title', 'status', 'creator')) return 'linear'
  if (has('type', 'content', 'indent')) return 'todoist'
  return 'csv'
}

const usual: [RegExp, TaskField][] = [
  [/^(title|name|task|task name|summary|subject|aufgabe|titel)$/, 'title'],
  [/^(description|description markdown|notes?|details|body|beschreibung|notizen?)$/, 'description'],
  [/^(status|state|column|list|spalte)$/, 'status'],
  [/^(status category)$/, 'category'],
  [/^(priority|prioritat|prio)$/, 'priority'],
  [/^(assignees?|assigned to|owner|responsible|zustandig|verantwortlich)$/, 'assignees'],
  [/^(labels?|tags?|categories)$/, 'labels'],
  [/^(due|due date|due on|due at|deadline|fallig|fallig am|frist)$/, 'due'],
  [/^(start|start date|start on|start at|begin|beginn)$/, 'start'],
  [/^(estimate minutes|estimate in minutes)$/, 'estimate'],
  [/^(points|story points|estimate)$/, 'points'],
  [/^(parent|parent key|parent task|parent id|parent issue)$/, 'parent'],
  [/^(blocked by)$/, 'blocked_by'],
  [/^(project|project name|projekt)$/, 'project'],
  [/^(key|id|ref|issue key|task id)$/, 'ref'],
  [/^(section|group)$/, 'section'],
  [/^(url|link)$/, 'url'],
]

const jira: [RegExp, TaskField][] = [
  [/^summary$/, 'title'],
  [/^description$/, 'description'],
  [/^status$/, 'status'],
  [/^status category$/, 'category'],
  [/^priority$/, 'priority'],
  [/^assignee$/, 'assignees'],
  [/^labels$/, 'labels'],
  [/^due date$/, 'due'],
  [/^(custom field \(start date\)|start date)$/, 'start'],
  [/^(story points?|custom field \(story points?( estimate)?\))$/, 'points'],
  [/^original estimate$/, 'estimate'],
  [/^(parent key|parent|custom field \(epic link\))$/, 'parent'],
  [/^inward issue link \(blocks\)$/, 'blocked_by'],
  [/^outward issue link \(blocks\)$/, 'blocks'],
  [/^comments?$/, 'comments'],
  [/^project name$/, 'project'],
  [/^issue key$/, 'ref'],
]

const linear: [RegExp, TaskField][] = [
  [/^title$/, 'title'],
  [/^description$/, 'description'],
  [/^status$/, 'status'],
  [/^priority$/, 'priority'],
  [/^assignee$/, 'assignees'],
  [/^labels$/, 'labels'],
  [/^due date$/, 'due'],
  [/^estimate$/, 'points'],
  [/^parent issue$/, 'parent'],
  [/^project$/, 'project'],
  [/^id$/, 'ref'],
]

const known = { csv: usual, jira, linear } as const

/** A name of a column without case, accents and punctuation. */
export function columnKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
}

/** Where each column goes: as the mapping says, else by its usual name. */
export function taskColumns(
  header: readonly string[],
  format: 'csv' | 'jira' | 'linear',
  mapping: ReadonlyMap<string, TaskField | null>,
): Columns {
  return header.map((name) => {
    const key = columnKey(name)
    if (mapping.has(key)) return mapping.get(key) ?? undefined
    return known[format].find(([pattern]) => pattern.test(key))?.[1]
  })
}

/** How many cells are names of columns; 0 where none of them is that of the titles. */
export function taskHeaderScore(
  format: Exclude<ImportFormat, 'trello'> | undefined,
  mapping: ReadonlyMap<string, TaskField | null>,
): (cells: readonly string[]) => number {
  return (cells) => {
    const known = format ?? formatOfHeader(cells)
    if (known === 'todoist')
      return formatOfHeader(cells) === 'todoist' ? cells.filter(Boolean).length : 0
    const columns = taskColumns(cells, known, mapping)
    return columns.includes('title') ? columns.filter((field) => field !== undefined).length : 0
  }
}

/** The tasks of the rows behind a header. */
export function* csvTasks(
  rows: readonly CsvRow[],
  columns: Columns,
  format: 'csv' | 'jira' | 'linear',
  dateOrder: DateOrder | undefined,
): Generator<{ record: TaskRecord; warnings: string[] }> {
  const dates = columns.flatMap((field, i) => (field === 'due' || field === 'start' ? [i] : []))
  const order = dateOrder ?? dateOrderOf(cellsAt(rows, dates))
  for (const { line, cells } of rows) {
    const record = emptyRecord(line)
    const warnings: string[] = []
    for (const [i, field] of columns.entries()) {
      const cell = cells[i]?.trim()
      if (field !== undefined && cell) put(record, field, cell, { format, order, warnings })
    }
    if (record.status !== undefined && record.category === undefined)
      setCategory(record, categoryOf(record.status))
    yield { record, warnings }
  }
}

function* cellsAt(rows: readonly CsvRow[], places: readonly number[]): Generator<string> {
  for (const { cells } of rows) for (const i of places) if (cells[i]) yield cells[i]
}

interface How {
  format: 'csv' | 'jira' | 'linear'
  order: DateOrder | undefined
  warnings: string[]
}

function put(record: TaskRecord, field: TaskField, cell: string, how: How): void {
  switch (field) {
    case 'title':
    case 'status':
    case 'parent':
    case 'project':
    case 'ref':
    case 'section':
    case 'url':
      record[field] ||= cell
      return
    case 'description':
      record.description = how.format === 'jira' ? markdownOfJira(cell) : cell
      return
    case 'category':
      setCategory(record, categoryOf(cell))
      return
    case 'priority':
      putPriority(record, cell, how)
      return
    case 'assignees':
    case 'labels':
      // Jira repeats the column for each label; a name there may have a comma, as in "Costa, Tom".
      record[field].push(...(how.format === 'jira' ? [cell] : valuesIn(cell, /[,;|]/)))
      return
    case 'blocked_by':
      record.blockedBy.push(...cell.split(/[\s,;|]+/))
      return
    case 'blocks':
      return // the other issue names this one as its inward link
    case 'due':
    case 'start':
      putDate(record, field, cell, how)
      return
    case 'estimate': {
      const amount = Number(cell)
      if (Number.isFinite(amount) && amount >= 0)
        record.estimateMinutes = Math.min(
          5_000_000,
          Math.round(how.format === 'jira' ? amount / 60 : amount),
        )
      return
    }
    case 'points': {
      const points = Number(cell)
      if (Number.isFinite(points) && points >= 0 && points <= 100_000) record.points = points
      return
    }
    case 'comments':
      record.comments.push(how.format === 'jira' ? jiraComment(cell) : { author: '', text: cell })
  }
}

function putPriority(record: TaskRecord, cell: string, { warnings }: How): void {
  const priority = readPriority(cell)
  if (priority !== undefined) record.priority = priority
  else if (!/^(none|no priority|-|0)$/i.test(cell))
    warnings.push(`Priority ${JSON.stringify(cell.slice(0, 50))} is not known.`)
}

function putDate(record: TaskRecord, field: 'due' | 'start', cell: string, how: How): void {
  const date = readDate(cell, how.order)
  if (date !== undefined) {
    record[field] = how.format === 'csv' ? date : dayIfMidnight(date)!
    return
  }
  const name = field === 'due' ? 'Due' : 'Start'
  const advice = /^\d+[/-]\d+[/-]\d+/.test(cell) ? '; set date_order' : ''
  how.warnings.push(`${name} date ${JSON.stringify(cell.slice(0, 50))} could not be read${advice}.`)
}

function setCategory(record: TaskRecord, category: TaskRecord['category']): void {
  if (category !== undefined) record.category = category
}

/** `12/Mar/24 3:04 PM;account;text` */
function jiraComment(cell: string): TaskRecord['comments'][number] {
  const found = /^([^;]{6,30});([^;]{0,200});([\s\S]*)$/.exec(cell)
  const at = found && readDate(found[1]!)
  return found && at
    ? { author: found[2]!, at, text: markdownOfJira(found[3]!) }
    : { author: '', text: markdownOfJira(cell) }
}

/** The common part of Jira's wiki markup as Markdown. What is not known stays as it is. */
export function markdownOfJira(text: string): string {
  let inCode = false
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      if (/^\s*\{(code|noformat)(:[^}]{0,100})?\}\s*$/.test(line)) {
        const language = inCode ? '' : (/^\s*\{code:([a-z+#]{1,20})\}/i.exec(line)?.[1] ?? '')
        inCode = !inCode
        return `\`\`\`${language}`
      }
      return inCode ? line : markdownLine(line)
    })
    .join('\n')
}

function markdownLine(line: string): string {
  const heading = /^h([1-6])\.\s+(.*)$/.exec(line)
  if (heading) return `${'#'.repeat(Number(heading[1]))} ${inline(heading[2]!)}`
  const item = /^([*#-]{1,6})\s+(.*)$/.exec(line)
  if (item)
    return `${'  '.repeat(item[1]!.length - 1)}${item[1]!.endsWith('#') ? '1.' : '-'} ${inline(item[2]!)}`
  const quote = /^bq\.\s+(.*)$/.exec(line)
  return quote ? `> ${inline(quote[1]!)}` : inline(line)
}

function inline(text: string): string {
  return text
    .replaceAll(/\{\{([^{}]{1,500})\}\}/g, '`$1`')
    .replaceAll(/\[([^[\]|]{1,500})\|(https?:\/\/[^[\]|\s]{1,2000})\]/g, '[$1]($2)')
    .replaceAll(/\[(https?:\/\/[^[\]|\s]{1,2000})\]/g, '<$1>')
    .replaceAll(/(^|[\s(])\*(\S(?:[^*\n]{0,500}\S)?)\*(?=[\s).,;:!?]|$)/g, '$1**$2**')
}
