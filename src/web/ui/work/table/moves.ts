import type { KeyboardEvent } from 'react'
import type { CellColumn, makeCell } from './cell.ts'
import { rowBy, selection, setCursor } from './selection.ts'

/** Movements through the cells of a table. */
export interface CellMoves<C extends string> {
  /** To the row below or above. */
  down: (step: number) => boolean
  /** To a column on the right or left in the same row; false at the edge. */
  beside: (step: number) => boolean
  /** To the next cell, and from the end of a row to the one below; false at the end of the table. */
  along: (step: number) => boolean
  to: (column: CellColumn<C>) => void
  /** Returns the focus to the cell. */
  refocus: () => void
}

interface MovesOptions<C extends string> {
  columns: readonly C[]
  cell: ReturnType<typeof makeCell<C>>
  find: (id: string | undefined, column: CellColumn<C>) => HTMLElement | null
  /** Keeps the order of the rows for a while. */
  hold: () => void
}

/** The moves through the cells of these columns. */
export function cellMoves<C extends string>(options: MovesOptions<C>): CellMoves<C> {
  const { columns, cell: cells, find, hold } = options
  const order: readonly CellColumn<C>[] = ['head', ...columns]
  const refocus = () =>
    find(selection().cursor, cells.cell().column)?.focus({ preventScroll: true })
  const to = (column: CellColumn<C>) => {
    cells.setColumn(column)
    refocus()
  }
  const beside = (step: number) => {
    const next = order[order.indexOf(cells.cell().column) + step]
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
    cells.setColumn(step > 0 ? 'head' : (order.at(-1) ?? 'head'))
    return true
  }
  return { down, beside, along, to, refocus }
}

/** True if a key types a character into the cell. The space bar keeps its usual function. */
export function isWriting({ key, ctrlKey, metaKey, altKey, nativeEvent }: KeyboardEvent): boolean {
  if (nativeEvent.isComposing || ctrlKey || metaKey || altKey) return false
  return [...key].length === 1 && key !== ' '
}
