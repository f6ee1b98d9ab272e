import { parse } from 'csv-parse/sync'
import { invalid } from '../../core/refusal.ts'

/** One record with the line that it begins on. */
export interface Lined {
  line: number
  cells: string[]
}

const delimiters = [',', ';', '\t', '|'] as const
const looked = 20

/**
 * The records of a CSV text, the header first; with what separates its cells. Quotes that programs forget to double are taken as they are.
 * @throws Refusal where it cannot be read
 */
export function csvRecords(text: string): { records: Lined[]; delimiter: string } {
  const delimiter = delimiterOf(text)
  try {
    return { records: read(text, delimiter), delimiter }
  } catch (error) {
    const { message, lines } = error as Error & { lines?: number }
    throw invalid('content', `this CSV cannot be read${lines === undefined ? '' : ` behind line ${lines}`}: ${message}`, 'A quotation mark may be without its other half.')
  }
}

function read(text: string, delimiter: string, to?: number): Lined[] {
  const options = { bom: true, delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, skip_records_with_empty_values: true, trim: true, info: true, ...(to === undefined ? {} : { to }) } as const
  const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[]
  return records.map(({ record, info }) => ({ line: info.lines - record.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0), cells: record }))
}

/** The delimiter by which the first records have most cells, the same number in each. */
function delimiterOf(text: string): string {
  const scores = delimiters.map(delimiter => ({ delimiter, score: scoreOf(text, delimiter) }))
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter
}

function scoreOf(text: string, delimiter: string): number {
  try {
    const counts = read(text, delimiter, looked).map(one => one.cells.length)
    const [first = 0] = counts
    return first < 2 ? 0 : (first * counts.filter(count => count === first).length) / counts.length
  } catch {
    return 0
  }
}
