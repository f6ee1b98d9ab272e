import { cellElement, cells, type RowColumn } from './columns.ts'
import { cellMoves, type CellMoves } from './moves.ts'
import { selection } from './selection.ts'

/** The open list of a cell. */
export interface OpenList {
  id: string
  column: string
  anchor: Element
  /** Text typed at the cell, with which the list opens. */
  query: string
  leave: (step: number) => boolean
}

export interface RowMoves extends CellMoves<string> {
  /** Opens the cell for editing; typed text replaces its value. */
  edit: (typedText?: string) => boolean
}

interface RowMovesOptions<R> {
  columns: readonly RowColumn<R>[]
  rowOf: (id: string) => R | undefined
  holdOrder: () => void
  openList: (list: OpenList) => void
}

/** The moves through the cells of a row table, and a function that edits a cell. */
export function rowMoves<R>({ columns, rowOf, holdOrder, openList }: RowMovesOptions<R>): RowMoves {
  const moves = cellMoves({
    columns: columns.map(({ id }) => id),
    cells,
    findCell: cellElement,
    holdOrder,
  })
  const edit = (typedText?: string) => {
    const { cursor } = selection()
    const row = cursor === undefined ? undefined : rowOf(cursor)
    const column = columns.find(({ id }) => id === cells.range().column)
    if (cursor === undefined || row === undefined || !column) return false
    const anchor = cellElement(cursor, column.id)
    if (!anchor || (!column.write && !column.list)) return false
    holdOrder()
    if (column.write)
      cells.startEditing({ id: cursor, column: column.id, text: typedText ?? column.text(row) })
    else
      openList({
        id: cursor,
        column: column.id,
        anchor,
        query: typedText ?? '',
        leave: moves.moveToNext,
      })
    return true
  }
  return { ...moves, edit }
}
