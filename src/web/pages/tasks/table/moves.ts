import { rowOf } from '../data/rows.ts'
import { rowBy, selection, setCursor } from '../list/selection.ts'
import { clearRefusal } from '../data/refusals.ts'
import { openPicker } from '../pick/open.ts'
import { cellText } from './block.ts'
import { cell, setColumn, startEditing, type CellColumn } from './cell.ts'
import { isOnlyShown } from './columns.ts'
import { fillCell } from './fill.ts'
import { nothingKnown, type FilledCell } from './known.ts'
import type { Project } from '../data/lists.ts'
import type { ShownColumn } from './shown.ts'

/** The ways through the cells of a table. */
export interface TableMoves {
  /** To the row below, or above. */
  down: (step: number) => boolean
  /** To a column to the right or left in the same row; false at the edge. */
  beside: (step: number) => boolean
  /** To the next cell, at the end of a row to the one below; false at the end of the table. */
  along: (step: number) => boolean
  to: (column: CellColumn) => void
  /** Gives the focus back to the cell. */
  refocus: () => void
  /** Opens the cell for changing; typed text takes the place of what stands there. */
  edit: (typed?: string) => boolean
  write: (wanted: FilledCell) => void
}

export const cellElement = (id: string | undefined, column: CellColumn) =>
  document.querySelector<HTMLElement>(
    `[data-task="${CSS.escape(id ?? '')}"] [data-column="${CSS.escape(column)}"]`,
  )

/** The moves through the cells of these columns. `hold` keeps the order of rows for a while. */
export function movesOf(
  shown: readonly ShownColumn[],
  projects: readonly Project[],
  hold: () => void,
): TableMoves {
  const order: readonly CellColumn[] = ['head', ...shown.map(({ id }) => id)]
  const refocus = () =>
    cellElement(selection().cursor, cell().column)?.focus({ preventScroll: true })
  const to = (column: CellColumn) => {
    setColumn(column)
    refocus()
  }
  const beside = (step: number) => {
    const next = order[order.indexOf(cell().column) + step]
    if (next === undefined) return false
    to(next)
    return true
  }
  const down = (step: number) => {
    const id = rowBy(step)
    hold()
    if (id === undefined || id === selection().cursor) {
      refocus()
      return false
    }
    setCursor(id)
    return true
  }
  const along = (step: number) => {
    if (beside(step)) return true
    const { cursor } = selection()
    const id = rowBy(step)
    if (id === undefined || id === cursor) return false
    setCursor(id)
    setColumn(step > 0 ? 'head' : (order.at(-1) ?? 'head'))
    return true
  }
  const edit = (typed?: string) => {
    const { cursor } = selection()
    const row = cursor === undefined ? undefined : rowOf(cursor)
    const column = shown.find(({ id }) => id === cell().column)
    const anchor = cellElement(cursor, cell().column)
    if (!row || !column || !anchor || isOnlyShown(column.id)) return false
    hold()
    if (column.editor === 'text') {
      clearRefusal(row.id, column.id)
      startEditing({ id: row.id, column: column.id, text: typed ?? cellText(row, column.id) })
    } else
      openPicker({
        field: column.id as Parameters<typeof openPicker>[0]['field'],
        ids: [row.id],
        anchor,
        query: typed ?? '',
        leave: along,
      })
    return true
  }
  const write = (wanted: FilledCell) => {
    hold()
    fillCell(wanted, { ...nothingKnown, projects })
  }
  return { down, beside, along, to, refocus, edit, write }
}
