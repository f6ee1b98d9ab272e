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
  let offset = 0
  while (offset < text.length) {
    const { row, end } = readRow(text, offset)
    rows.push(row)
    offset = end
  }
  return rows
}

/** The cells of a line, and the start of the next one. */
function readRow(text: string, start: number): { row: string[]; end: number } {
  const row: string[] = []
  for (let offset = start; ; offset++) {
    const { cell, end } = text[offset] === '"' ? quotedCell(text, offset) : plainCell(text, offset)
    row.push(cell)
    offset = end
    if (text[offset] !== '\t')
      return { row, end: offset + (text.startsWith('\r\n', offset) ? 2 : 1) }
  }
}

interface ParsedCell {
  cell: string
  /** Index of the following tab or line end. */
  end: number
}

function plainCell(text: string, start: number): ParsedCell {
  const end = cellEndOf(text, start)
  return { cell: text.slice(start, end), end }
}

function cellEndOf(text: string, start: number): number {
  let end = start
  while (end < text.length && !'\t\n\r'.includes(text[end] ?? '')) end++
  return end
}

function quotedCell(text: string, start: number): ParsedCell {
  let cell = ''
  let offset = start + 1
  for (;;) {
    const quote = text.indexOf('"', offset)
    if (quote === -1) return plainCell(text, start) // unclosed: the quote is a literal character
    cell += text.slice(offset, quote)
    offset = quote + 1
    if (text[offset] !== '"') break
    cell += '"'
    offset++
  }
  const end = cellEndOf(text, offset)
  return { cell: cell + text.slice(offset, end), end }
}
