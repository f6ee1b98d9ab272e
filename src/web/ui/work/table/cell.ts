import { useSyncExternalStore } from 'react'
import { selection } from './selection.ts'

/** `head` is the row header. There, letters are commands; in a cell they start editing. */
export type CellColumn<C extends string> = C | 'head'

export interface CellEditing<C extends string> {
  id: string
  column: C
  /** Initial text of the field. */
  text: string
}

interface CellRange<C extends string> {
  /** The current column; the row is the cursor of the selection. */
  column: CellColumn<C>
  /** The first column of the selected cell range. */
  startColumn: CellColumn<C>
}

interface CellState<C extends string> {
  range: CellRange<C>
  editing: CellEditing<C> | undefined
}

/** The current cell of a table, and its text being edited; outside React, so that moving rerenders only two cells. */
export function createCellState<C extends string>() {
  const initialState: CellState<C> = {
    range: { column: 'head', startColumn: 'head' },
    editing: undefined,
  }
  let state = initialState
  const listeners = new Set<() => void>()
  const update = (changes: Partial<CellState<C>>) => {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const useCell = <T>(select: (state: CellState<C>) => T): T =>
    useSyncExternalStore(subscribe, () => select(state))
  return {
    range: () => state.range,
    setColumn: (column: CellColumn<C>) => {
      const { range } = state
      if (range.column !== column || range.startColumn !== column)
        update({ range: { column, startColumn: column } })
    },
    /** Moves to a column and extends the selection to it, for copying. */
    extendTo: (column: CellColumn<C>) => update({ range: { ...state.range, column } }),
    startEditing: (editing: CellEditing<C>) =>
      update({ editing, range: { column: editing.column, startColumn: editing.column } }),
    stopEditing: () => update({ editing: undefined }),
    isEditing: () => state.editing !== undefined,
    /** Resets to the state on opening the table. */
    resetCell: () => update(initialState),
    useColumn: () => useCell(({ range }) => range.column),
    /** The cell range for rows that show it; undefined for others, so that they do not rerender. */
    useRange: (isShown: boolean) => useCell((current) => (isShown ? current.range : undefined)),
    useEditing: (id: string) =>
      useCell(({ editing }) => (editing?.id === id ? editing : undefined)),
    /** True for the current cell. */
    isCurrent: (id: string, column: CellColumn<C>) =>
      selection().cursor === id && state.range.column === column,
  }
}
