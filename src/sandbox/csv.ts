import { parse } from 'csv-parse/sync'
import { invalid, Refusal } from '../kernel/refusal.ts'

/** One record with its first line number. */
export interface CsvRecord {
  line: number
  cells: string[]
}

const delimiters = [',', ';', '\t', '|'] as const
const headerSearchRecords = 20
const maxColumns = 500
const maxRecordLength = 1_000_000

export interface CsvTable {
  header: CsvRecord | undefined
  records: CsvRecord[]
  delimiter: string
  /** Lines above the header, such as a title. */
  above: CsvRecord[]
}

/** Number of cells in a record that are column names known to the caller; 0: not a header. */
export type HeaderScore = (cells: readonly string[]) => number

/**
 * The header and the records of a CSV text. The header is the record among the first 20 with the most known names,
 * otherwise the first. A line `sep=;` sets the delimiter. Quotes that should have been doubled are accepted as they are.
 * Reading stops after `maxRecords`. Runs in a reader process: parsing takes seconds for some texts.
 * @throws Refusal if it cannot be read, or has too many records or columns
 */
export function parseCsvTable(
  text: string,
  maxRecords: number,
  scoreHeader: HeaderScore,
): CsvTable {
  const separatorLine = /^\ufeff?"?sep=(.|\\t)"?[ \t]*(?=[\r\n]|$)/i.exec(text)
  // Only the text of the line is removed, not its line break, so that line numbers stay correct.
  const csvText = separatorLine ? text.slice(separatorLine[0].length) : text
  const { delimiter, headerIndex } = detectLayout(
    csvText,
    scoreHeader,
    parseDelimiter(separatorLine?.[1]),
  )
  const records = readRecords(csvText, delimiter, { maxRecords, recordsAboveHeader: headerIndex })
  return {
    header: records[headerIndex],
    records: records.slice(headerIndex + 1),
    delimiter,
    above: records.slice(0, headerIndex),
  }
}

function parseDelimiter(text: string | undefined): string | undefined {
  return text?.toLowerCase() === '\\t' ? '\t' : text
}

/** A warning that lines above the header were not imported. */
export function linesAboveHeader({ above, header }: CsvTable): string[] {
  if (above.length === 0) return []
  const texts = above
    .slice(0, 3)
    .map(({ line, cells }) => `line ${line} (${cells.filter(Boolean).join(', ').slice(0, 100)})`)
  const more = above.length > 3 ? `, and ${above.length - 3} more` : ''
  return [`The header is line ${header?.line}. Not imported, above it: ${texts.join(', ')}${more}.`]
}

function readRecords(text: string, delimiter: string, bounds: ReadLimits): CsvRecord[] {
  try {
    return readCsvRecords(text, delimiter, bounds)
  } catch (error) {
    if (error instanceof Refusal) throw error
    if ((error as { code?: string }).code === 'CSV_MAX_RECORD_SIZE')
      throw new Refusal('too_large', `A record has more than ${maxRecordLength} characters.`, {
        field: 'content',
        hint: 'A quotation mark may be without its other half.',
      })
    const { message, lines } = error as Error & { lines?: number }
    throw invalid(
      'content',
      `this CSV cannot be read${lines === undefined ? '' : ` behind line ${lines}`}: ${message}`,
      'A quotation mark may be without its other half.',
    )
  }
}

interface ReadLimits {
  /** Maximum number of records to read. */
  maxRecordsRead?: number
  /** Maximum number of records after the header; more are refused. */
  maxRecords?: number
  /** Number of records above the header. */
  recordsAboveHeader?: number
}

function readCsvRecords(
  text: string,
  delimiter: string,
  { maxRecordsRead, maxRecords = Infinity, recordsAboveHeader = 0 }: ReadLimits,
): CsvRecord[] {
  let count = 0
  const check = (item: { record: string[] }) => {
    if (item.record.length > maxColumns)
      throw new Refusal(
        'too_large',
        `A record has ${item.record.length} columns; an import reads ${maxColumns}.`,
        { field: 'content', hint: 'Leave out the columns that are not needed.' },
      )
    if (++count > maxRecords + recordsAboveHeader + 1)
      throw new Refusal(
        'too_large',
        `There are more than ${maxRecords} records; one import has ${maxRecords} at most.`,
        { field: 'content', hint: 'Import it in parts.' },
      )
    return item
  }
  const options = {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    info: true,
    max_record_size: maxRecordLength,
    on_record: check as never, // with `info`, the callback receives more than its type declares
    ...(maxRecordsRead === undefined ? {} : { to: maxRecordsRead }),
  } as const
  const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[]
  return records.map(({ record, info }) => ({
    line: info.lines - record.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0),
    cells: record,
  }))
}

interface Layout {
  delimiter: string
  /** Index of the header record. */
  headerIndex: number
}

/** Detects the header and the delimiter of its cells. */
function detectLayout(
  text: string,
  scoreHeader: HeaderScore,
  requestedDelimiter: string | undefined,
): Layout {
  const candidates = (requestedDelimiter === undefined ? delimiters : [requestedDelimiter]).map(
    (delimiter) => {
      const records = firstRecords(text, delimiter)
      const scores = records.map(({ cells }) => scoreHeader(cells))
      const bestScore = Math.max(0, ...scores)
      const headerIndex = Math.max(0, scores.indexOf(bestScore))
      const regularity = measureRegularity(records.slice(headerIndex))
      return { delimiter, headerIndex, known: bestScore, regularity }
    },
  )
  return candidates.reduce((best, layout) =>
    layout.known > best.known ||
    (layout.known === best.known && layout.regularity > best.regularity)
      ? layout
      : best,
  )
}

function firstRecords(text: string, delimiter: string, to = headerSearchRecords): CsvRecord[] {
  try {
    return readCsvRecords(text, delimiter, { maxRecordsRead: to })
  } catch {
    // Reading all of it with the chosen delimiter reports the error.
    return to === 1 ? [] : firstRecords(text, delimiter, 1)
  }
}

/** High if the first record has many cells, and the others have as many. */
function measureRegularity(records: readonly CsvRecord[]): number {
  const counts = records.map((lined) => lined.cells.length)
  const [first = 0] = counts
  return first < 2 ? 0 : (first * counts.filter((count) => count === first).length) / counts.length
}
