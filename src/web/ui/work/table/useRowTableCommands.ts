import { useCommands } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { copyText } from '../../actions/copy.ts'
import { cells, type RowColumn } from './columns.ts'
import type { RowMoves } from './row-moves.ts'
import {
  pickAll,
  pickNone,
  pickTo,
  rowBy,
  selection,
  setCursor,
  togglePicked,
} from './selection.ts'

interface RowTableKeys<R> {
  columns: readonly RowColumn<R>[]
  moves: RowMoves
  rowOf: (id: string) => R | undefined
  open: (row: R) => void
  hold: () => void
}

const isInCell = () => cells.cell().column !== 'head' && selection().cursor !== undefined

/** Keyboard commands of a row table. */
export function useRowTableCommands<R>(keys: RowTableKeys<R>): void {
  const { columns, moves, rowOf, open, hold } = keys
  const withRow = (run: (row: R, id: string) => unknown) => () => {
    const { cursor } = selection()
    const row = cursor === undefined ? undefined : rowOf(cursor)
    return cursor === undefined || row === undefined ? false : run(row, cursor)
  }
  const move = (step: number) => () => {
    const id = rowBy(step)
    if (id === undefined) return false
    hold()
    setCursor(id)
    return true
  }
  useCommands({
    ...cellCommands(columns, moves, withRow),
    'list.next': move(1),
    'list.previous': move(-1),
    'list.open': withRow(open),
    'list.pick': withRow((_, id) => togglePicked(id)),
    'list.pickDown': () => pickTo(rowBy(1)),
    'list.pickUp': () => pickTo(rowBy(-1)),
    'list.pickAll': pickAll,
    'list.back': () => {
      if (isInCell()) return moves.to('head')
      return selection().picked.size > 0 ? pickNone() : false
    },
  })
}

type WithRow<R> = (run: (row: R, id: string) => unknown) => () => unknown

function cellCommands<R>(columns: readonly RowColumn<R>[], moves: RowMoves, withRow: WithRow<R>) {
  const here = () => columns.find(({ id }) => id === cells.cell().column)
  return {
    'table.edit': () => isInCell() && moves.edit(),
    'table.next': () => isInCell() && moves.along(1),
    'table.previous': () => isInCell() && moves.along(-1),
    'table.left': () => moves.beside(-1),
    'table.right': () => moves.beside(1),
    'table.first': () => moves.to('head'),
    'table.last': () => moves.to(columns.at(-1)?.id ?? 'head'),
    'table.clear': withRow((row) => {
      const column = here()
      return isInCell() && column?.write ? column.write(row, '') : false
    }),
    'table.copy': withRow((row) => {
      const column = here()
      const text = column ? column.text(row) : columns.map((each) => each.text(row)).join('\t')
      void copyText(text, t.app.copied)
    }),
  }
}
