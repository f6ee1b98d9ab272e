import { taskRowOf } from '../data/rows.ts'
import { selection } from '../../../ui/work/table/selection.ts'
import { clearRefusal } from '../data/refusals.ts'
import { openPicker } from '../pick/open.ts'
import { cellText } from './block.ts'
import { cells, type CellColumn } from './cell.ts'
import { cellMoves, type CellMoves } from '../../../ui/work/table/moves.ts'
import { isReadOnlyColumn, type ColumnId } from './columns.ts'
import { fillCell } from './fill.ts'
import { emptyLookup, type FilledCell } from './known.ts'
import type { Project } from '../data/lists.ts'
import type { TableColumn } from './shown.ts'

/** Movements through the cells of a table, and actions on them. */
export interface TableMoves extends CellMoves<ColumnId> {
  /** Opens the cell for editing; typed text replaces its value. */
  edit: (typedText?: string) => boolean
  write: (cell: FilledCell) => void
}

export const cellElement = (id: string | undefined, column: CellColumn) =>
  document.querySelector<HTMLElement>(
    `[data-task="${CSS.escape(id ?? '')}"] [data-column="${CSS.escape(column)}"]`,
  )

/** The moves through the cells of these columns. `holdOrder` keeps the order of the rows for a while. */
export function createTableMoves(
  columns: readonly TableColumn[],
  projects: readonly Project[],
  holdOrder: () => void,
): TableMoves {
  const moves = cellMoves({
    columns: columns.map(({ id }) => id),
    cells,
    findCell: cellElement,
    holdOrder,
  })
  const edit = (typedText?: string) => {
    const { cursor } = selection()
    const row = cursor === undefined ? undefined : taskRowOf(cursor)
    const column = columns.find(({ id }) => id === cells.range().column)
    const anchor = cellElement(cursor, cells.range().column)
    if (!row || !column || !anchor || isReadOnlyColumn(column.id)) return false
    holdOrder()
    if (column.editor === 'text') {
      clearRefusal(row.id, column.id)
      cells.startEditing({
        id: row.id,
        column: column.id,
        text: typedText ?? cellText(row, column.id),
      })
    } else
      openPicker({
        field: column.id as Parameters<typeof openPicker>[0]['field'],
        ids: [row.id],
        anchor,
        query: typedText ?? '',
        leave: moves.moveToNext,
      })
    return true
  }
  const write = (cell: FilledCell) => {
    holdOrder()
    fillCell(cell, { ...emptyLookup, projects })
  }
  return { ...moves, edit, write }
}
