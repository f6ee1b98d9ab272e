import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | boolean | null | undefined

/** What a spreadsheet would take for the beginning of a formula; full-width forms count, too. */
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Quoted wherever it stands: readers take a bare line feed for the end of a row, too. */
const lineEnd = /[\r\n]/

/** A text that no spreadsheet takes for a formula: where it would, an apostrophe stands before it. */
export function withoutFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The text as it was before `withoutFormula`. */
export function withFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}

/** Lines of CSV (RFC 4180), each with its end. Texts are kept from being formulas, numbers stay. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0 ? '' : stringify(rows.map(row => row.map(cellOf)), { record_delimiter: 'windows', quoted_match: lineEnd })
}

function cellOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return withoutFormula(cell)
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell)
}

/** Several values in one cell, as import_contacts takes them apart. */
export function joined(values: readonly string[]): string {
  return values.join('; ')
}
