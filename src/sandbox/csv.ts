import { parse } from 'csv-parse/sync'
import { invalid, Refusal } from '../kernel/refusal.ts'

/** One record with the line that it begins on. */
export interface Lined {
  line: number
  cells: string[]
}

const delimiters = [',', ';', '\t', '|'] as const
const looked = 20
const maxColumns = 500
const maxRecordLength = 1_000_000

/**
 * The records of a CSV text, the header first; with what separates its cells. Quotes that programs forget to double are taken as they are.
 * Reading stops behind `maxRecords` of them. Runs in a reader process: parsing takes seconds for some texts.
 * @throws Refusal where it cannot be read, or has too many records or columns
 */
export function csvRecords(
  text: string,
  maxRecords: number,
): { records: Lined[]; delimiter: string } {
  const delimiter = delimiterOf(text)
  try {
    return { records: read(text, delimiter, undefined, maxRecords + 1), delimiter } // with the header
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

function read(text: string, delimiter: string, to?: number, maxRecords = Infinity): Lined[] {
  let count = 0
  const check = (item: { record: string[] }) => {
    if (item.record.length > maxColumns)
      throw new Refusal(
        'too_large',
        `A record has ${item.record.length} columns; an import reads ${maxColumns}.`,
        { field: 'content', hint: 'Leave out the columns that are not needed.' },
      )
    if (++count > maxRecords)
      throw new Refusal(
        'too_large',
        `There are more than ${maxRecords - 1} records; one import has ${maxRecords - 1} at most.`,
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

/** The delimiter by which the first records have most cells, the same number in each. */
function delimiterOf(text: string): string {
  const scores = delimiters.map((delimiter) => ({ delimiter, score: scoreOf(text, delimiter) }))
  return scores.reduce((best, score) => (score.score > best.score ? score : best)).delimiter
}

function scoreOf(text: string, delimiter: string): number {
  try {
    const counts = read(text, delimiter, looked).map((lined) => lined.cells.length)
    const [first = 0] = counts
    return first < 2
      ? 0
      : (first * counts.filter((count) => count === first).length) / counts.length
  } catch {
    return 0
  }
}
