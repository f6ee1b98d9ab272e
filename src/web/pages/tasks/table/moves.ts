import { taskRowOf } from '../data/rows.ts'
import { selection } from '../../../ui/work/table/selection.ts'
import { clearRefusal } from '../data/refusals.ts'
import { openPicker } from '../pick/open.ts'
import { cellText } from './block.ts'
import { cells, type CellColumn } from './cell.ts'
import { cellMoves, type CellMoves } from '../../../ui/work/table/moves.ts'
import { isOnlyShown, type ColumnId } from './columns.ts'
import { fillCell } from './fill.ts'
import { nothingKnown, type FilledCell } from './known.ts'
import type { Project } from '../data/lists.ts'
import type { ShownColumn } from './shown.ts'

/** Movements through the cells of a table, and actions on them. */
export interface TableMoves extends CellMoves<ColumnId> {
  /** Opens the cell for editing; typed text replaces its value. */
  edit: (typed?: string) => boolean
  write: (wanted: FilledCell) => void
}

export const cellElement = (id: string | undefined, column: CellColumn) =>
  document.querySelector<HTMLElement>(
    `[data-task="${CSS.escape(id ?? '')}"] [data-column="${CSS.escape(column)}"]`,
  )

/** The moves through the cells of these columns. `hold` keeps the order of rows for a while. */
export function movesOf(
  columns: readonly ShownColumn[],
  projects: readonly Project[],
  hold: () => void,
): TableMoves {
  const moves = cellMoves({
    columns: columns.map(({ id }) => id),
    cell: cells,
    find: cellElement,
    hold,
  })
  const edit = (typed?: string) => {
    const { cursor } = selection()
    const row = cursor === undefined ? undefined : taskRowOf(cursor)
    const column = columns.find(({ id }) => id === cells.cell().column)
    const anchor = cellElement(cursor, cells.cell().column)
    if (!row || !column || !anchor || isOnlyShown(column.id)) return false
    hold()
    if (column.editor === 'text') {
      clearRefusal(row.id, column.id)
      cells.startEditing({ id: row.id, column: column.id, text: typed ?? cellText(row, column.id) })
    } else
      openPicker({
        field: column.id as Parameters<typeof openPicker>[0]['field'],
        ids: [row.id],
        anchor,
        query: typed ?? '',
        leave: moves.along,
      })
    return true
  }
  const write = (wanted: FilledCell) => {
    hold()
    fillCell(wanted, { ...nothingKnown, projects })
  }
  return { ...moves, edit, write }
}
