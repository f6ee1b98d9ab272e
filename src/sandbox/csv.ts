import { parse } from 'csv-parse/sync'
import { invalid, Refusal } from '../kernel/refusal.ts'

/** One record with its first line number. */
export interface Lined {
  line: number
  cells: string[]
}

const delimiters = [',', ';', '\t', '|'] as const
const looked = 20
const maxColumns = 500
const maxRecordLength = 1_000_000

export interface CsvTable {
  header: Lined | undefined
  records: Lined[]
  delimiter: string
  /** Lines above the header, such as a title. */
  above: Lined[]
}

/** Number of cells in a record that are column names known to the caller; 0: not a header. */
export type HeaderScore = (cells: readonly string[]) => number

/**
 * The header and the records of a CSV text. The header is the record among the first 20 with the most known names,
 * else the first. A line `sep=;` sets the delimiter. Quotes that should have been doubled are accepted as they are.
 * Reading stops after `maxRecords`. Runs in a reader process: parsing takes seconds for some texts.
 * @throws Refusal where it cannot be read, or has too many records or columns
 */
export function csvTable(text: string, maxRecords: number, scoreHeader: HeaderScore): CsvTable {
  const separatorLine = /^\ufeff?"?sep=(.|\\t)"?[ \t]*(?=[\r\n]|$)/i.exec(text)
  // The line is kept, empty, so that line numbers stay correct.
  const rest = separatorLine ? text.slice(separatorLine[0].length) : text
  const { delimiter, at } = layoutOf(rest, scoreHeader, delimiterNamed(separatorLine?.[1]))
  const records = readAll(rest, delimiter, { maxRecords, above: at })
  return {
    header: records[at],
    records: records.slice(at + 1),
    delimiter,
    above: records.slice(0, at),
  }
}

function delimiterNamed(text: string | undefined): string | undefined {
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

function readAll(text: string, delimiter: string, bounds: Bounds): Lined[] {
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

interface Bounds {
  /** Maximum number of records to read. */
  to?: number
  /** Maximum number of records after the header; more are refused. */
  maxRecords?: number
  /** Number of records above the header. */
  above?: number
}

function readCsvRecords(
  text: string,
  delimiter: string,
  { to, maxRecords = Infinity, above = 0 }: Bounds,
): Lined[] {
  let count = 0
  const check = (item: { record: string[] }) => {
    if (item.record.length > maxColumns)
      throw new Refusal(
        'too_large',
        `A record has ${item.record.length} columns; an import reads ${maxColumns}.`,
        { field: 'content', hint: 'Leave out the columns that are not needed.' },
      )
    if (++count > maxRecords + above + 1)
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
    on_record: check as never, // with `info` it gets more than its type says
    ...(to === undefined ? {} : { to }),
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
  at: number
}

/** Detects the header and the delimiter of its cells. */
function layoutOf(
  text: string,
  scoreHeader: HeaderScore,
  requestedDelimiter: string | undefined,
): Layout {
  const candidates = (requestedDelimiter === undefined ? delimiters : [requestedDelimiter]).map(
    (delimiter) => {
      const records = firstRecords(text, delimiter)
      const scores = records.map(({ cells }) => scoreHeader(cells))
      const bestScore = Math.max(0, ...scores)
      const at = Math.max(0, scores.indexOf(bestScore))
      return { delimiter, at, known: bestScore, regularity: regularityOf(records.slice(at)) }
    },
  )
  return candidates.reduce((best, layout) =>
    layout.known > best.known ||
    (layout.known === best.known && layout.regularity > best.regularity)
      ? layout
      : best,
  )
}

function firstRecords(text: string, delimiter: string, to = looked): Lined[] {
  try {
    return readCsvRecords(text, delimiter, { to })
  } catch {
    // Reading all of it with the chosen delimiter reports the error.
    return to === 1 ? [] : firstRecords(text, delimiter, 1)
  }
}

/** High if the first record has many cells, and the others have as many. */
function regularityOf(records: readonly Lined[]): number {
  const counts = records.map((lined) => lined.cells.length)
  const [first = 0] = counts
  return first < 2 ? 0 : (first * counts.filter((count) => count === first).length) / counts.length
}
