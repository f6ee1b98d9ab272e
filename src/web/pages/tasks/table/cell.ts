import { useSyncExternalStore } from 'react'
import { selection } from '../list/selection.ts'
import type { ColumnId } from './columns.ts'

/** `head` is the beginning of a row: its key. There, letters are commands; in a cell they are written into it. */
export type CellColumn = ColumnId | 'head'

export interface Editing {
  id: string
  column: ColumnId
  /** What stands in the field at first. */
  text: string
}

interface Stretch {
  /** The column that one is in; the row is the cursor of the selection. */
  column: CellColumn
  /** From which column a stretch of cells goes to it. */
  from: CellColumn
}

interface CellState {
  stretch: Stretch
  editing: Editing | undefined
}

const beginning: CellState = { stretch: { column: 'head', from: 'head' }, editing: undefined }
let state = beginning
const listeners = new Set<() => void>()

export const cell = () => state.stretch

function set(more: Partial<CellState>): void {
  state = { ...state, ...more }
  for (const listener of listeners) listener()
}

export function setColumn(column: CellColumn): void {
  const { stretch } = state
  if (stretch.column !== column || stretch.from !== column)
    set({ stretch: { column, from: column } })
}

/** Goes to a column and takes those up to it along, for copying. */
export const extendTo = (column: CellColumn) => set({ stretch: { ...state.stretch, column } })

export const startEditing = (editing: Editing) =>
  set({ editing, stretch: { column: editing.column, from: editing.column } })
export const stopEditing = () => set({ editing: undefined })
export const isEditing = () => state.editing !== undefined

/** As when the table is opened. */
export const resetCell = () => set(beginning)

function useCell<T>(read: (state: CellState) => T): T {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(state),
  )
}

export const useColumn = () => useCell(({ stretch }) => stretch.column)
/** The stretch of cells, for the rows that it is shown in; else undefined, so that moving draws no other row. */
export const useColumnOf = (isShown: boolean) =>
  useCell((state) => (isShown ? state.stretch : undefined))
/** What is written in a row now. */
export const useEditing = (id: string) =>
  useCell(({ editing }) => (editing?.id === id ? editing : undefined))

/** Whether the cell is the one that one is in. */
export const isAt = (id: string, column: CellColumn) =>
  selection().cursor === id && state.stretch.column === column
