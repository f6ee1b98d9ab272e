import { useCommands } from '../../../keys/commands.ts'
import { notify } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { copyText } from '../../../ui/actions/copy.ts'
import { selection } from '../../../ui/work/table/selection.ts'
import type { ColumnActions } from './actions.ts'
import { copiedCells, cellsToClear, pasteTargets } from './block.ts'
import { cellRange, extendTo, type CellColumn } from './cell.ts'
import type { ColumnId } from './columns.ts'
import { fillCells } from './fill.ts'
import type { TableMoves } from './moves.ts'
import { readTsv } from './tsv.ts'

interface TableCommandOptions {
  columns: readonly ColumnId[]
  moves: TableMoves
  actions: ColumnActions
  openMenu: (id: ColumnId | undefined) => void
}

const isInCell = () => cellRange().column !== 'head' && selection().cursor !== undefined

/** Table-specific keyboard commands, in addition to those of lists. */
export function useTableCommands({ columns, moves, actions, openMenu }: TableCommandOptions): void {
  const withColumn = (run: (id: ColumnId) => unknown) => () => {
    const column = currentColumn()
    return column === undefined ? false : run(column)
  }
  useCommands({
    ...movingCommands(columns, moves),
    'table.clear': () => (isInCell() ? void fillCells(cellsToClear(columns)) : false),
    'table.copy': () => copyCells(columns),
    'table.paste': (event) => (event ? false : void pasteClipboard(columns)), // of keys the browser makes an event
    'table.menu': () => openMenu(currentColumn()),
    'table.columns': () => openMenu(undefined),
    'table.narrower': withColumn((id) => actions.widen(id, -1)),
    'table.wider': withColumn((id) => actions.widen(id, 1)),
    'table.moveLeft': withColumn((id) => actions.move(id, -1)),
    'table.moveRight': withColumn((id) => actions.move(id, 1)),
    'table.pin': withColumn(actions.pin),
    'table.hide': withColumn((id) => {
      moves.moveTo('head')
      actions.toggle(id)
    }),
  })
}

function currentColumn(): ColumnId | undefined {
  const { column } = cellRange()
  return column === 'head' ? undefined : column
}

function movingCommands(columns: readonly ColumnId[], moves: TableMoves) {
  const order: readonly CellColumn[] = ['head', ...columns]
  const extend = (step: number) => () => {
    const nextColumn = order[order.indexOf(cellRange().column) + step]
    if (nextColumn === undefined || nextColumn === 'head' || !isInCell()) return false
    extendTo(nextColumn)
    moves.refocus()
    return true
  }
  return {
    'table.edit': () => isInCell() && moves.edit(),
    'table.next': () => isInCell() && moves.moveToNext(1),
    'table.previous': () => isInCell() && moves.moveToNext(-1),
    'table.left': () => moves.moveSideways(-1),
    'table.right': () => moves.moveSideways(1),
    'table.first': () => moves.moveTo('head'),
    'table.last': () => moves.moveTo(order.at(-1) ?? 'head'),
    'table.extendLeft': extend(-1),
    'table.extendRight': extend(1),
    'list.back': () => {
      if (!isInCell()) return false
      moves.moveTo('head')
      return true
    },
  }
}

async function copyCells(columns: readonly ColumnId[]): Promise<void> {
  const { text, count } = copiedCells(columns)
  if (count === 0) return
  await copyText(text, t.tasks.table.copied(count))
}

/** Pastes clipboard data from a spreadsheet or this table. */
export function pasteText(text: string, columns: readonly ColumnId[]): void {
  const texts = readTsv(text)
  const problem = texts ? t.tasks.table.nothingToPaste : t.tasks.table.paste.tooLong
  if (!texts || texts.length === 0) return notify({ text: problem, seconds: 8, actions: [] })
  const { cells, skippedCount } = pasteTargets(texts, columns)
  void fillCells(cells, skippedCount)
}

async function pasteClipboard(columns: readonly ColumnId[]): Promise<void> {
  try {
    pasteText(await navigator.clipboard.readText(), columns)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    notify({ text: t.tasks.table.clipboardClosed, seconds: 8, actions: [] })
  }
}
