import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

const file = new URL('../docs/performance.md', import.meta.url)

export type Cell = string | number

/** A table of figures; the first row has the column names. */
export interface Table {
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** Renders one part's tables as text, with the scale they were measured at. */
export function renderTables(tables: readonly Table[], scale: string): string {
  const where = `Measured on ${cpus()[0]!.model.trim()}, ${cpus().length} processors; Node ${process.version}; ${new Date().toISOString().slice(0, 10)}; ${scale}.`
  return [
    where,
    ...tables.map(({ head, rows }) =>
      [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'),
    ),
  ].join('\n\n')
}

/** Replaces the text of a part between its markers in docs/performance.md. */
export function writeDown(part: string, text: string): void {
  const [begin, end] = [`<!-- bench: ${part} -->`, `<!-- /bench: ${part} -->`]
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md has no place for ${part}: put ${begin} and ${end} there.`)
  writeFileSync(file, `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`)
}

function line(cells: readonly Cell[]): string {
  return `| ${cells.map((cell) => (typeof cell === 'number' ? shown(cell) : cell)).join(' | ')} |`
}

function shown(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
