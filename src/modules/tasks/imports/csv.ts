import { splitCell } from '../../../kernel/text/csv.ts'
import { duplicateColumn, type LeftOutCounter } from '../../../kernel/left-out.ts'
import { parseNumber, type CommaRole } from '../../../kernel/text/numbers.ts'
import type { DateOrder } from '../../../kernel/time/date-orders.ts'
import type { CsvRecord } from '../../../sandbox/csv.ts'
import { parentRank, type Columns, type TaskField } from './columns.ts'
import { markdownOfJira } from './jira-markup.ts'
import { emptyRelations, type RelatedRecord, type Relations } from './relations.ts'
import { categoryOf } from './statuses.ts'
import { dayIfMidnight, emptyRecord, readDate, readPriority, type TaskRecord } from './records.ts'

export type CsvRow = CsvRecord

export interface CsvSource {
  header: readonly string[]
  rows: readonly CsvRow[]
  columns: Columns
  format: 'csv' | 'jira' | 'linear'
  /** Day and month order of each date column, by column index. */
  dateOrders: ReadonlyMap<number, DateOrder | undefined>
  /** Role of commas in each column of numbers, where its values show it. */
  commas: ReadonlyMap<number, CommaRole | undefined>
  /** Collects cells of columns whose field was already filled by another column. */
  leftOut: LeftOutCounter
}

/** The tasks in the rows after a header. */
export function* csvTasks(source: CsvSource): Generator<RelatedRecord> {
  const { rows } = source
  const areDays = source.format !== 'csv' || areAllDays(source)
  for (const row of rows) yield taskIn(row, source, areDays)
}

export function dateColumns({ columns }: Pick<CsvSource, 'columns'>): number[] {
  return columns.flatMap((field, i) => (field === 'due' || field === 'start' ? [i] : []))
}

export function numberColumns({ columns }: Pick<CsvSource, 'columns'>): number[] {
  return columns.flatMap((field, i) => (field === 'points' || field === 'estimate' ? [i] : []))
}

/** Returns the non-empty cells of a column, trimmed. */
export function cellsIn(rows: readonly CsvRow[], column: number): string[] {
  return rows.flatMap(({ cells }) => cells[column]?.trim() || [])
}

/** True if every date in the file is at midnight without a zone, the form in which spreadsheets export days. */
function areAllDays({ rows, dateOrders }: CsvSource): boolean {
  return [...dateOrders].every(([i, order]) =>
    cellsIn(rows, i).every((cell) => /^[\d-]+(T00:00)?$/.test(readDate(cell, order) ?? '0')),
  )
}

function taskIn({ line, cells }: CsvRow, source: CsvSource, areDays: boolean): RelatedRecord {
  const { header, columns, format, dateOrders, commas } = source
  const record = emptyRecord(line)
  const warnings: string[] = []
  const relations = emptyRelations()
  const parents: RankedParent[] = []
  const filled = new Map<TaskField, Cell>()
  for (const [i, field] of columns.entries()) {
    const text = cells[i]?.trim()
    if (field === undefined || !text) continue
    const cell = { column: header[i] ?? '', text }
    const before = filled.get(field)
    if (isRelation(field)) addRelation({ record, relations, parents }, field, cell)
    else if (before && !multiValueFields.has(field))
      mergeCell(record, { field, cell, firstCell: before, source })
    else {
      const options = { format, order: dateOrders.get(i), comma: commas.get(i), areDays, warnings }
      setTaskField(record, field, text, options)
    }
    filled.set(field, before ?? cell)
  }
  if (record.status !== undefined && record.category === undefined)
    setCategory(record, categoryOf(record.status))
  relations.parents = parents.toSorted((a, b) => a.rank - b.rank).map(({ name }) => name)
  return { record, relations, warnings }
}

interface Cell {
  column: string
  text: string
}

interface RankedParent {
  name: string
  rank: number
}

type RelationField = 'ref' | 'id' | 'parent' | 'blocked_by' | 'outline' | 'level'

function isRelation(field: TaskField): field is RelationField {
  return ['ref', 'id', 'parent', 'blocked_by', 'outline', 'level'].includes(field)
}

interface Related {
  record: TaskRecord
  relations: Relations
  parents: RankedParent[]
}

/** Several columns may name a record or its parent: all of them are used. */
function addRelation(
  { record, relations, parents }: Related,
  field: RelationField,
  { column, text }: Cell,
): void {
  if (field === 'ref' && record.ref === undefined) record.ref = text
  else if (field === 'ref' || field === 'id') relations.ids.push(text)
  else if (field === 'parent') parents.push({ name: text, rank: parentRank(column) })
  else if (field === 'blocked_by') relations.blockers.push(text)
  else if (field === 'outline') relations.outline = text
  else if (/^\d{1,3}$/.test(text)) relations.level = Number(text)
}

/** Fields that can combine values from several columns. */
const multiValueFields: ReadonlySet<TaskField> = new Set([
  'assignees',
  'labels',
  'blocks',
  'comments',
])

interface SecondCell {
  field: TaskField
  cell: Cell
  /** The cell that filled the field. */
  firstCell: Cell
  source: CsvSource
}

/** Joins texts; for other fields the first column wins. */
function mergeCell(record: TaskRecord, { field, cell, firstCell, source }: SecondCell): void {
  if (cell.text === firstCell.text) return
  if (field === 'description') {
    const text = source.format === 'jira' ? markdownOfJira(cell.text) : cell.text
    record.description = `${record.description}\n\n${cell.column}: ${text}`
  } else source.leftOut.add(duplicateColumn(cell.column, firstCell.column, field), record.line)
}

interface CellOptions {
  format: 'csv' | 'jira' | 'linear'
  order: DateOrder | undefined
  comma: CommaRole | undefined
  /** Treats midnight as a whole day. */
  areDays: boolean
  warnings: string[]
}

function setTaskField(
  record: TaskRecord,
  field: Exclude<TaskField, RelationField>,
  cell: string,
  options: CellOptions,
): void {
  switch (field) {
    case 'title':
    case 'status':
    case 'project':
    case 'section':
    case 'url':
      record[field] = cell
      return
    case 'description':
      record.description = options.format === 'jira' ? markdownOfJira(cell) : cell
      return
    case 'category':
      setCategory(record, categoryOf(cell))
      return
    case 'priority':
      putPriority(record, cell, options)
      return
    case 'assignees':
    case 'labels':
      // Jira repeats the column for each label; a name there may contain a comma, such as "Costa, Tom".
      record[field].push(...(options.format === 'jira' ? [cell] : splitCell(cell, /[,;|]/)))
      return
    case 'blocks':
      return // the other issue names this one as its inward link
    case 'due':
    case 'start':
      putDate(record, field, cell, options)
      return
    case 'estimate':
    case 'points':
      putNumber(record, field, cell, options)
      return
    case 'comments':
      record.comments.push(
        options.format === 'jira' ? jiraComment(cell) : { author: '', text: cell },
      )
  }
}

function putPriority(record: TaskRecord, cell: string, { warnings }: CellOptions): void {
  const priority = readPriority(cell)
  if (priority !== undefined) record.priority = priority
  else if (!/^(none|no priority|-|0)$/i.test(cell))
    warnings.push(`Priority ${JSON.stringify(cell.slice(0, 50))} is not known.`)
}

function putNumber(
  record: TaskRecord,
  field: 'estimate' | 'points',
  cell: string,
  options: CellOptions,
): void {
  const parsed = parseNumber(cell, options.comma)
  const [name, max] = field === 'points' ? ['Points', 100_000] : ['Estimate', Infinity]
  if ('reason' in parsed || parsed.value < 0 || parsed.value > max) {
    const advice =
      'reason' in parsed && parsed.reason === 'ambiguous' ? '; write it without a comma' : ''
    options.warnings.push(
      `${name} ${JSON.stringify(cell.slice(0, 50))} could not be read${advice}.`,
    )
    return
  }
  if (field === 'points') record.points = parsed.value
  else {
    const minutes = options.format === 'jira' ? parsed.value / 60 : parsed.value
    record.estimateMinutes = Math.min(5_000_000, Math.round(minutes))
  }
}

function putDate(
  record: TaskRecord,
  field: 'due' | 'start',
  cell: string,
  options: CellOptions,
): void {
  const date = readDate(cell, options.order)
  if (date !== undefined) {
    record[field] = options.areDays ? dayIfMidnight(date) : date
    return
  }
  const name = field === 'due' ? 'Due' : 'Start'
  const advice = /^\d+[/-]\d+[/-]\d+/.test(cell) ? '; set date_order' : ''
  options.warnings.push(
    `${name} date ${JSON.stringify(cell.slice(0, 50))} could not be read${advice}.`,
  )
}

function setCategory(record: TaskRecord, category: TaskRecord['category']): void {
  if (category !== undefined) record.category = category
}

/** `12/Mar/24 3:04 PM;account;text` */
function jiraComment(cell: string): TaskRecord['comments'][number] {
  const match = /^([^;]{6,30});([^;]{0,200});([\s\S]*)$/.exec(cell)
  const at = match && readDate(match[1]!)
  return match && at
    ? { author: match[2]!, at, text: markdownOfJira(match[3]!) }
    : { author: '', text: markdownOfJira(cell) }
}
