import { useCommands } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { copyText } from '../../actions/copy.ts'
import { cells, type RowColumn } from './columns.ts'
import type { RowMoves } from './row-moves.ts'
import {
  pickAll,
  pickNone,
  pickRangeTo,
  rowAtOffset,
  selection,
  setCursor,
  togglePicked,
} from './selection.ts'

interface RowTableCommandOptions<R> {
  columns: readonly RowColumn<R>[]
  moves: RowMoves
  rowOf: (id: string) => R | undefined
  open: (row: R) => void
  holdOrder: () => void
}

const isInCell = () => cells.range().column !== 'head' && selection().cursor !== undefined

/** Keyboard commands of a row table. */
export function useRowTableCommands<R>(options: RowTableCommandOptions<R>): void {
  const { columns, moves, rowOf, open, holdOrder } = options
  const withRow = (run: (row: R, id: string) => unknown) => () => {
    const { cursor } = selection()
    const row = cursor === undefined ? undefined : rowOf(cursor)
    return cursor === undefined || row === undefined ? false : run(row, cursor)
  }
  const move = (step: number) => () => {
    const id = rowAtOffset(step)
    if (id === undefined) return false
    holdOrder()
    setCursor(id)
    return true
  }
  useCommands({
    ...cellCommands(columns, moves, withRow),
    'list.next': move(1),
    'list.previous': move(-1),
    'list.open': withRow(open),
    'list.pick': withRow((_, id) => togglePicked(id)),
    'list.pickDown': () => pickRangeTo(rowAtOffset(1)),
    'list.pickUp': () => pickRangeTo(rowAtOffset(-1)),
    'list.pickAll': pickAll,
    'list.back': () => {
      if (isInCell()) return moves.moveTo('head')
      return selection().pickedIds.size > 0 ? pickNone() : false
    },
  })
}

type WithRow<R> = (run: (row: R, id: string) => unknown) => () => unknown

function cellCommands<R>(columns: readonly RowColumn<R>[], moves: RowMoves, withRow: WithRow<R>) {
  const currentColumn = () => columns.find(({ id }) => id === cells.range().column)
  return {
    'table.edit': () => isInCell() && moves.edit(),
    'table.next': () => isInCell() && moves.moveToNext(1),
    'table.previous': () => isInCell() && moves.moveToNext(-1),
    'table.left': () => moves.moveSideways(-1),
    'table.right': () => moves.moveSideways(1),
    'table.first': () => moves.moveTo('head'),
    'table.last': () => moves.moveTo(columns.at(-1)?.id ?? 'head'),
    'table.clear': withRow((row) => {
      const column = currentColumn()
      return isInCell() && column?.write ? column.write(row, '') : false
    }),
    'table.copy': withRow((row) => {
      const column = currentColumn()
      const text = column ? column.text(row) : columns.map((other) => other.text(row)).join('\t')
      void copyText(text, t.app.copied)
    }),
  }
}
