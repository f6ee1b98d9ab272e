import { ago } from '../../../ui/times.tsx'
import { customText, fieldText, plainText } from '../data/field-text.ts'
import { customName, isCustom } from '../data/fields.ts'
import { taskRowOf, type TaskRow } from '../data/rows.ts'
import { selection, targets } from '../../../ui/work/table/selection.ts'
import { cell, type CellColumn } from './cell.ts'
import type { ColumnId } from './columns.ts'
import type { FilledCell } from './known.ts'
import { printTsv } from './tsv.ts'

/** The current columns of a cell range; all of them from the row header. */
function stretch(columns: readonly ColumnId[]): readonly ColumnId[] {
  const { column, from } = cell()
  if (column === 'head' && from === 'head') return columns
  const at = (id: CellColumn) => (id === 'head' ? 0 : columns.indexOf(id))
  const [first = 0, last = 0] = [at(from), at(column)].toSorted((a, b) => a - b)
  return columns.slice(Math.max(0, first), last + 1)
}

/** The chosen cells: of the selected rows, or of the current one. */
function chosen(columns: readonly ColumnId[]): { rows: TaskRow[]; columns: readonly ColumnId[] } {
  const rows = targets()
    .map(taskRowOf)
    .filter((row) => row !== undefined)
  return { rows, columns: stretch(columns) }
}

/** The chosen cells in spreadsheet format, and their number. Starting at the row header includes the key. */
export function copiedCells(columns: readonly ColumnId[]): { text: string; count: number } {
  const { rows, columns: copied } = chosen(columns)
  const withKey = cell().column === 'head'
  const texts = rows.map((row) => [
    ...(withKey ? [row.key] : []),
    ...copied.map((id) => cellText(row, id)),
  ])
  return { text: printTsv(texts), count: texts.reduce((sum, row) => sum + row.length, 0) }
}

/** Text of a cell, which `readCell` parses. */
export function cellText(row: TaskRow, column: ColumnId): string {
  if (column === 'changed') return row.last_change?.actor.title ?? ''
  if (column === 'created') return row.created_at.slice(0, 10)
  if (isCustom(column)) return customText(row.custom_fields[customName(column)])
  return column === 'priority' ? fieldText(row, column) : plainText(row, column)
}

/** Display text of a task's last change: the person and the time. */
export const changeWords = (row: TaskRow): { name: string; when: string } => ({
  name: row.last_change?.key?.title ?? row.last_change?.actor.title ?? '',
  when: ago(row.last_change?.at ?? row.updated_at),
})

/** The chosen cells, to be cleared. */
export function emptiedCells(columns: readonly ColumnId[]): FilledCell[] {
  const { rows, columns: emptied } = chosen(columns)
  return rows.flatMap((row) => emptied.map((column) => ({ row, column, text: '' })))
}

/**
 * Target cells of pasted texts: one text goes into all selected cells, a line into all selected rows, others to the
 * right and down from the current cell.
 */
export function pastedCells(
  texts: readonly (readonly string[])[],
  columns: readonly ColumnId[],
): { cells: FilledCell[]; beyond: number } {
  const { rows, columns: into } = chosen(columns)
  const [first] = texts
  if (texts.length === 1 && first?.length === 1)
    return {
      cells: rows.flatMap((row) => into.map((column) => ({ row, column, text: first[0] ?? '' }))),
      beyond: 0,
    }
  const start = columns.indexOf(into[0] ?? 'title')
  const lines = texts.length === 1 ? rows.map(() => first ?? []) : texts
  const below = texts.length === 1 ? rows : rowsFrom(lines.length)
  const cells: FilledCell[] = []
  let beyond = 0
  for (const [down, line] of lines.entries())
    for (const [right, text] of line.entries()) {
      const row = below[down]
      const column = columns[start + right]
      if (row && column) cells.push({ row, column, text })
      else beyond++
    }
  return { cells, beyond }
}

/** Returns this many rows from the first selected one downwards. */
function rowsFrom(count: number): TaskRow[] {
  const { order } = selection()
  const at = order.indexOf(targets()[0] ?? '')
  return order
    .slice(at, at + count)
    .map(taskRowOf)
    .filter((row) => row !== undefined)
}
