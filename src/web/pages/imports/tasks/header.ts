const delimiters = [',', ';', '\t', '|'] as const

/** The column names in a table's first line; a preceding line `sep=;` only sets the delimiter. */
export function csvColumnsOf(head: string): string[] {
  const separatorLine = /^\ufeff?"?sep=(.|\\t)"?[ \t]*(?=[\r\n]|$)/i.exec(head)
  const line = firstRecord(head.slice(separatorLine?.[0].length ?? 0).replace(/^[\ufeff\s]+/, ''))
  const counts = delimiters.map((delimiter) => cellsOf(line, delimiter).length)
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] ?? ','
  const names = cellsOf(line, delimiter).map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** The text up to the first line break outside quotes. */
const firstRecord = (text: string) => /^(?:"(?:[^"]|"")*"|[^\n\r"])*/.exec(text)?.[0] ?? ''

function cellsOf(line: string, delimiter: string): string[] {
  const cells = ['']
  let isQuoted = false
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted
    if (char === delimiter && !isQuoted) cells.push('')
    else cells.push((cells.pop() ?? '') + char)
  }
  return cells.map((cell) => cell.replace(/^\s*"|"\s*$/g, '').replaceAll('""', '"'))
}
