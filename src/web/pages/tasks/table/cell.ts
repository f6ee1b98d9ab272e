import {
  makeCell,
  type CellColumn as AnyCellColumn,
  type CellEditing,
} from '../../../ui/work/table/cell.ts'
import type { ColumnId } from './columns.ts'

export type CellColumn = AnyCellColumn<ColumnId>
export type Editing = CellEditing<ColumnId>

/** The current cell of the task table. */
export const cells = makeCell<ColumnId>()
export const {
  cell,
  setColumn,
  extendTo,
  stopEditing,
  isEditing,
  resetCell,
  useColumn,
  useColumnOf,
  useEditing,
  isAt,
} = cells
