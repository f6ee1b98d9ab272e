import {
  createCellState,
  type CellColumn as AnyCellColumn,
  type CellEditing,
} from '../../../ui/work/table/cell.ts'
import type { ColumnId } from './columns.ts'

export type CellColumn = AnyCellColumn<ColumnId>
export type Editing = CellEditing<ColumnId>

/** The current cell of the task table. */
export const cells = createCellState<ColumnId>()
export const {
  range: cellRange,
  setColumn,
  extendTo,
  stopEditing,
  isEditing,
  resetCell,
  useColumn,
  useRange: useCellRange,
  useEditing,
  isCurrent: isCurrentCell,
} = cells
