import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | boolean | null | undefined

/** Matches text that a spreadsheet would read as the beginning of a formula; full-width forms count, too. */
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Cells with a line break are always quoted: readers also accept a bare line feed as the end of a row. */
const lineBreak = /[\r\n]/

/** A text that spreadsheets do not interpret as a formula: an apostrophe is prepended if necessary. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Reverts `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}

/** Lines of CSV (RFC 4180), each with its line end. Texts are protected from being formulas, numbers are not. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => row.map(cellText)),
        { record_delimiter: 'windows', quoted_match: lineBreak },
      )
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return escapeFormula(cell)
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return String(cell)
}

/** Joins several values in one cell, as imports split them: a value with a separator is quoted. */
export function joinValues(values: readonly string[]): string {
  return values
    .map((value) =>
      /^"|[,|\n]|;(?!ext=)|:::/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
    )
    .join('; ')
}

/**
 * Splits the values of one cell. A quoted value may contain separators and doubled quotes; other quotes are part of
 * the text.
 */
export function splitCell(cell: string, separator: RegExp): string[] {
  const nextSeparator = new RegExp(separator.source, 'g')
  const separatorHere = new RegExp(separator.source, 'y')
  const values: string[] = []
  for (let at = 0; at <= cell.length; ) {
    const start = skipBlanks(cell, at)
    const close = cell[start] === '"' ? closingQuote(cell, start) : -1
    const afterQuote = close < 0 ? start : skipBlanks(cell, close + 1)
    separatorHere.lastIndex = afterQuote
    const isQuoted = close >= 0 && (afterQuote === cell.length || separatorHere.test(cell))
    nextSeparator.lastIndex = isQuoted ? afterQuote : start
    const end = nextSeparator.exec(cell)
    values.push(
      isQuoted
        ? cell.slice(start + 1, close).replaceAll('""', '"')
        : cell.slice(start, end?.index).trim(),
    )
    at = end ? nextSeparator.lastIndex : cell.length + 1
  }
  return values.filter((value) => value !== '')
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

/** Index of the quote that closes the one at `from`; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}
