import { detectAndDecode } from '../../../kernel/text/encoding.ts'
import { LeftOutCounter, leftOutText, unknownColumn } from '../../../kernel/left-out.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import type { DateOrder } from '../../../kernel/time/date-orders.ts'
import { commaRoleIn } from '../../../kernel/text/numbers.ts'
import {
  parseCsvTable,
  linesAboveHeader,
  type CsvTable,
  type CsvRecord,
} from '../../../sandbox/csv.ts'
import {
  columnKey,
  formatOfHeader,
  taskColumns,
  taskFields,
  taskHeaderScore,
  type Columns,
  type TaskField,
} from './columns.ts'
import { cellsIn, csvTasks, dateColumns, numberColumns } from './csv.ts'
import { ordersOfColumns } from './date-columns.ts'
import { fitToLimits, type ImportFormat, type ParsedTasks, type TaskRecord } from './records.ts'
import { resolveRelations, type RelatedRecord } from './relations.ts'
import { todoistTasks } from './todoist.ts'
import { isTrelloBoard, trelloTasks } from './trello.ts'

// Reads export files of other programs. It runs in a separate process with limited time and memory, without access to
// the database.

const maxRecords = 20_000
const maxWarnings = 100

export interface ParseInput {
  bytes: Uint8Array
  format: ImportFormat | undefined
  mapping: Readonly<Record<string, string | null>>
  dateOrder: DateOrder | undefined
  /** Customary date order in the organization, used if the file does not determine one. */
  defaultOrder: DateOrder | undefined
  /** Import only records of this project of the other program. */
  onlyProject: string | undefined
}

/**
 * The tasks of an export file.
 * @throws Refusal where it cannot be read, has no tasks or too many, or the mapping does not fit
 */
export function parseTaskFile(input: ParseInput): ParsedTasks {
  const text = detectAndDecode(input.bytes).text.replace(/^\ufeff/, '')
  const isJson = /^\s*[{[]/.test(text) && input.format !== 'csv'
  const parsed = isJson || input.format === 'trello' ? readTrello(text) : readCsv(text, input)
  if (input.onlyProject === undefined) return requireNotEmpty(parsed)
  const wanted = input.onlyProject.trim().toLowerCase()
  const names = [...new Set(parsed.records.flatMap((record) => record.project ?? []))]
  const records = parsed.records.filter((record) => record.project?.toLowerCase() === wanted)
  if (records.length === 0)
    throw invalid(
      'source_project',
      `the file has no tasks in ${JSON.stringify(input.onlyProject)}.`,
      names.length > 0
        ? `It contains tasks of ${names.slice(0, 20).join(', ')}.`
        : 'Its tasks do not name a project.',
    )
  return { ...parsed, records }
}

function requireNotEmpty(parsed: ParsedTasks): ParsedTasks {
  if (parsed.records.length + parsed.refused.length === 0)
    throw invalid('content', 'this file contains no tasks.')
  return parsed
}

function readTrello(text: string): ParsedTasks {
  let board: unknown
  try {
    board = JSON.parse(text)
  } catch (error) {
    throw invalid(
      'content',
      `this is not valid JSON: ${(error as Error).message.slice(0, 200)}.`,
      'Export the board again: Menu > Print, export, and share > Export as JSON.',
    )
  }
  if (!isTrelloBoard(board))
    throw invalid(
      'content',
      'this JSON is not a Trello board export.',
      'A board export contains lists and cards.',
    )
  if ((board as { cards: unknown[] }).cards.length > maxRecords) throw tooManyRecords()
  const result = newResult('trello')
  const leftOut = new LeftOutCounter()
  for (const outcome of trelloTasks(board, leftOut)) {
    if ('refused' in outcome) result.refused.push(outcome.refused)
    else addTaskRecord(result, outcome.record, outcome.warnings)
  }
  noteLeftOut(result, leftOut)
  return result
}

function noteLeftOut(result: ParsedTasks, leftOut: LeftOutCounter): void {
  result.leftOut = leftOut.kinds
  result.warnings.unshift(...leftOut.kinds.map(leftOutText))
}

function readCsv(text: string, input: ParseInput): ParsedTasks {
  const { format, mapping } = input
  const requestedFormat = format === 'trello' ? undefined : format
  const table = parseCsvTable(
    text,
    maxRecords,
    taskHeaderScore(requestedFormat, fieldsByColumn(mapping)),
  )
  const { header, records: rows, delimiter } = table
  if (!header)
    throw invalid(
      'content',
      'the header line is missing.',
      'A line of a CSV file must name its columns.',
    )
  const csvFormat = requestedFormat ?? formatOfHeader(header.cells)
  const result = newResult(csvFormat)
  result.warnings.push(...linesAboveHeader(table))
  result.delimiter = delimiter
  if (csvFormat === 'todoist') return addTodoistRecords(result, header, rows)
  const columns = taskColumns(header.cells, csvFormat, checkedMapping(mapping, header.cells))
  if (!columns.includes('title'))
    throw invalid(
      'mapping',
      `no column contains the task title; line ${header.line} was read as the header.`,
      `The columns are ${header.cells
        .slice(0, 40)
        .map((name) => JSON.stringify(name.slice(0, 60)))
        .join(', ')}. Map one: {"${header.cells[0]?.slice(0, 60) ?? 'column'}": "title"}.`,
    )
  result.columns = header.cells.map((column, i) => ({
    column: column.slice(0, 200),
    field: columns[i] ?? null,
  }))
  const leftOut = new LeftOutCounter()
  const { dateOrders, warnings } = orderDates(table, columns, input)
  result.warnings.push(...warnings)
  const commas = new Map(numberColumns({ columns }).map((i) => [i, commaRoleIn(cellsIn(rows, i))]))
  const columnReading = { format: csvFormat, dateOrders, commas }
  const source = { header: header.cells, rows, columns, leftOut, ...columnReading }
  addRelatedRecords(result, csvTasks(source))
  noteLeftOut(result, leftOut)
  countUnknown(leftOut, table, columns)
  result.leftOut = leftOut.kinds
  return result
}

function addTodoistRecords(
  result: ParsedTasks,
  header: CsvRecord,
  rows: readonly CsvRecord[],
): ParsedTasks {
  const leftOut = new LeftOutCounter()
  addRelatedRecords(result, todoistTasks(header.cells, rows, leftOut))
  noteLeftOut(result, leftOut)
  return result
}

/** The order of each date column: from the call, else from the dates, else the default. */
function orderDates(
  { header, records }: CsvTable,
  columns: Columns,
  { dateOrder, defaultOrder }: ParseInput,
): { dateOrders: Map<number, DateOrder | undefined>; warnings: string[] } {
  const dateIndexes = dateColumns({ columns })
  if (dateOrder)
    return { dateOrders: new Map(dateIndexes.map((place) => [place, dateOrder])), warnings: [] }
  const { orders, warnings } = ordersOfColumns(
    dateIndexes.map((i) => ({ name: header?.cells[i] ?? '', cells: cellsIn(records, i) })),
    defaultOrder,
  )
  return { dateOrders: new Map(dateIndexes.map((place, n) => [place, orders[n]])), warnings }
}

/** Counts the cells of columns that map to no field. */
function countUnknown(
  leftOut: LeftOutCounter,
  { header, records }: CsvTable,
  columns: Columns,
): void {
  for (const [i, column] of (header?.cells ?? []).entries())
    if (columns[i] === undefined)
      for (const { line, cells } of records) if (cells[i]) leftOut.add(unknownColumn(column), line)
}

function newResult(format: ImportFormat): ParsedTasks {
  return { format, records: [], refused: [], warnings: [], leftOut: [] }
}

/** Adds the records of a file that refer to each other. */
function addRelatedRecords(result: ParsedTasks, items: Iterable<RelatedRecord>): void {
  const complete = [...items].flatMap((item) => {
    const record = fitToLimits(item.record)
    if (record) return [{ ...item, record }]
    refuse(result, item.record, item.warnings)
    return []
  })
  resolveRelations(complete)
  for (const { record, warnings } of complete) {
    result.records.push(record)
    warn(result, record, warnings)
  }
}

function addTaskRecord(result: ParsedTasks, record: TaskRecord, warnings: readonly string[]): void {
  const task = fitToLimits(record)
  if (!task) return refuse(result, record, warnings)
  result.records.push(task)
  warn(result, record, warnings)
}

function refuse(result: ParsedTasks, record: TaskRecord, warnings: readonly string[]): void {
  result.refused.push({ line: record.line, reason: 'The title is missing.' })
  warn(result, record, warnings)
}

function warn(result: ParsedTasks, { line }: TaskRecord, warnings: readonly string[]): void {
  for (const warning of warnings)
    if (result.warnings.length < maxWarnings) result.warnings.push(`Line ${line}: ${warning}`)
}

function tooManyRecords(): Refusal {
  return new Refusal('too_large', `The file has more than ${maxRecords} tasks.`, {
    field: 'content',
    hint: 'Import it in parts.',
  })
}

function checkedMapping(
  mapping: ParseInput['mapping'],
  header: readonly string[],
): Map<string, TaskField | null> {
  const names = new Set(header.map(columnKey))
  for (const [column, field] of Object.entries(mapping)) {
    if (!names.has(columnKey(column)))
      throw invalid(
        'mapping',
        `no column is named ${JSON.stringify(column.slice(0, 60))}.`,
        `The columns are ${header
          .slice(0, 40)
          .map((name) => JSON.stringify(name.slice(0, 60)))
          .join(', ')}.`,
      )
    if (field !== null && !(taskFields as readonly string[]).includes(field))
      throw invalid(
        'mapping',
        `${JSON.stringify(field.slice(0, 60))} is not a field.`,
        `Fields are ${taskFields.join(', ')}.`,
      )
  }
  return fieldsByColumn(mapping)
}

function fieldsByColumn(mapping: ParseInput['mapping']): Map<string, TaskField | null> {
  return new Map(
    Object.entries(mapping).map(([column, field]) => [
      columnKey(column),
      field as TaskField | null,
    ]),
  )
}
