/** Maximum text length parsed as a table. */
const maxLength = 500_000

/** Cells in spreadsheet clipboard format: tab-separated, quoted if they contain tabs, quotes or line breaks. */
export function printTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(printCell).join('\t')).join('\n')
}

function printCell(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Parses that format, in one pass; undefined if it is too long. A quote inside a cell is literal. */
export function readTsv(text: string): string[][] | undefined {
  if (text.length > maxLength) return undefined
  const rows: string[][] = []
  let at = 0
  while (at < text.length) {
    const { row, end } = readRow(text, at)
    rows.push(row)
    at = end
  }
  return rows
}

/** The cells of a line, and the start of the next one. */
function readRow(text: string, from: number): { row: string[]; end: number } {
  const row: string[] = []
  for (let at = from; ; at++) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
    row.push(cell)
    at = end
    if (text[at] !== '\t') return { row, end: at + (text.startsWith('\r\n', at) ? 2 : 1) }
  }
}

interface ReadCell {
  cell: string
  /** Index of the following tab or line end. */
  end: number
}

function plainCell(text: string, from: number): ReadCell {
  const end = cellEndOf(text, from)
  return { cell: text.slice(from, end), end }
}

function cellEndOf(text: string, from: number): number {
  let end = from
  while (end < text.length && !'\t\n\r'.includes(text[end] ?? '')) end++
  return end
}

function quotedCell(text: string, from: number): ReadCell {
  let cell = ''
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return plainCell(text, from) // it never ends: the quote is a letter
    cell += text.slice(at, quote)
    at = quote + 1
    if (text[at] !== '"') break
    cell += '"'
    at++
  }
  const end = cellEndOf(text, at)
  return { cell: cell + text.slice(at, end), end }
}
