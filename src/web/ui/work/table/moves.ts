import type { KeyboardEvent } from 'react'
import type { CellColumn, createCellState } from './cell.ts'
import { rowAtOffset, selection, setCursor } from './selection.ts'

/** Movements through the cells of a table. */
export interface CellMoves<C extends string> {
  /** To the row below or above. */
  moveDown: (step: number) => boolean
  /** To a column on the right or left in the same row; false at the edge. */
  moveSideways: (step: number) => boolean
  /** To the next cell, and from the end of a row to the one below; false at the end of the table. */
  moveToNext: (step: number) => boolean
  moveTo: (column: CellColumn<C>) => void
  /** Returns the focus to the cell. */
  refocus: () => void
}

interface MovesOptions<C extends string> {
  columns: readonly C[]
  cells: ReturnType<typeof createCellState<C>>
  findCell: (id: string | undefined, column: CellColumn<C>) => HTMLElement | null
  /** Keeps the order of the rows for a while. */
  holdOrder: () => void
}

/** The moves through the cells of these columns. */
export function cellMoves<C extends string>(options: MovesOptions<C>): CellMoves<C> {
  const { columns, cells, findCell, holdOrder } = options
  const order: readonly CellColumn<C>[] = ['head', ...columns]
  const refocus = () =>
    findCell(selection().cursor, cells.range().column)?.focus({ preventScroll: true })
  const moveTo = (column: CellColumn<C>) => {
    cells.setColumn(column)
    refocus()
  }
  const moveSideways = (step: number) => {
    const nextColumn = order[order.indexOf(cells.range().column) + step]
    if (nextColumn === undefined) return false
    moveTo(nextColumn)
    return true
  }
  const moveDown = (step: number) => {
    const id = rowAtOffset(step)
    holdOrder()
    if (id === undefined || id === selection().cursor) {
      refocus()
      return false
    }
    setCursor(id)
    return true
  }
  const moveToNext = (step: number) => {
    if (moveSideways(step)) return true
    const { cursor } = selection()
    const id = rowAtOffset(step)
    if (id === undefined || id === cursor) return false
    setCursor(id)
    cells.setColumn(step > 0 ? 'head' : (order.at(-1) ?? 'head'))
    return true
  }
  return { moveDown, moveSideways, moveToNext, moveTo, refocus }
}

/** True if a key types a character into the cell. The space bar keeps its usual function. */
export function isCharacterKey({
  key,
  ctrlKey,
  metaKey,
  altKey,
  nativeEvent,
}: KeyboardEvent): boolean {
  if (nativeEvent.isComposing || ctrlKey || metaKey || altKey) return false
  return [...key].length === 1 && key !== ' '
}
