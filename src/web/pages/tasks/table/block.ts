import { ago } from '../../../ui/times.tsx'
import { customText, fieldText, plainText } from '../data/field-text.ts'
import { customName, isCustom } from '../data/fields.ts'
import { taskRowOf, type TaskRow } from '../data/rows.ts'
import { selection, targetIds } from '../../../ui/work/table/selection.ts'
import { cellRange, type CellColumn } from './cell.ts'
import type { ColumnId } from './columns.ts'
import type { FilledCell } from './known.ts'
import { printTsv } from './tsv.ts'

/** The current columns of a cell range; all of them from the row header. */
function selectedColumns(columns: readonly ColumnId[]): readonly ColumnId[] {
  const { column, startColumn } = cellRange()
  if (column === 'head' && startColumn === 'head') return columns
  const indexOfColumn = (id: CellColumn) => (id === 'head' ? 0 : columns.indexOf(id))
  const [firstIndex = 0, lastIndex = 0] = [
    indexOfColumn(startColumn),
    indexOfColumn(column),
  ].toSorted((a, b) => a - b)
  return columns.slice(Math.max(0, firstIndex), lastIndex + 1)
}

/** The selected cells: of the selected rows, or of the current one. */
function selectedCells(columns: readonly ColumnId[]): {
  rows: TaskRow[]
  columns: readonly ColumnId[]
} {
  const rows = targetIds()
    .map(taskRowOf)
    .filter((row) => row !== undefined)
  return { rows, columns: selectedColumns(columns) }
}

/** The selected cells in spreadsheet format, and their number. Starting at the row header includes the key. */
export function copiedCells(columns: readonly ColumnId[]): { text: string; count: number } {
  const { rows, columns: copiedColumns } = selectedCells(columns)
  const withKey = cellRange().column === 'head'
  const texts = rows.map((row) => [
    ...(withKey ? [row.key] : []),
    ...copiedColumns.map((id) => cellText(row, id)),
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
export const lastChangeSummary = (row: TaskRow): { name: string; timeText: string } => ({
  name: row.last_change?.key?.title ?? row.last_change?.actor.title ?? '',
  timeText: ago(row.last_change?.at ?? row.updated_at),
})

/** The selected cells, to be cleared. */
export function cellsToClear(columns: readonly ColumnId[]): FilledCell[] {
  const { rows, columns: clearedColumns } = selectedCells(columns)
  return rows.flatMap((row) => clearedColumns.map((column) => ({ row, column, text: '' })))
}

/**
 * Target cells of pasted texts: one text goes into all selected cells, a line into all selected rows, others to the
 * right and down from the current cell.
 */
export function pasteTargets(
  texts: readonly (readonly string[])[],
  columns: readonly ColumnId[],
): { cells: FilledCell[]; skippedCount: number } {
  const { rows, columns: targetColumns } = selectedCells(columns)
  const [firstLine] = texts
  if (texts.length === 1 && firstLine?.length === 1)
    return {
      cells: rows.flatMap((row) =>
        targetColumns.map((column) => ({ row, column, text: firstLine[0] ?? '' })),
      ),
      skippedCount: 0,
    }
  const start = columns.indexOf(targetColumns[0] ?? 'title')
  const lines = texts.length === 1 ? rows.map(() => firstLine ?? []) : texts
  const targetRows = texts.length === 1 ? rows : rowsFrom(lines.length)
  const cells: FilledCell[] = []
  let skippedCount = 0
  for (const [rowOffset, line] of lines.entries())
    for (const [columnOffset, text] of line.entries()) {
      const row = targetRows[rowOffset]
      const column = columns[start + columnOffset]
      if (row && column) cells.push({ row, column, text })
      else skippedCount++
    }
  return { cells, skippedCount }
}

/** Returns this many rows from the first selected one downwards. */
function rowsFrom(count: number): TaskRow[] {
  const { order } = selection()
  const startIndex = order.indexOf(targetIds()[0] ?? '')
  return order
    .slice(startIndex, startIndex + count)
    .map(taskRowOf)
    .filter((row) => row !== undefined)
}
