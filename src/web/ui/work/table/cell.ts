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

interface Stretch<C extends string> {
  /** The current column; the row is the cursor of the selection. */
  column: CellColumn<C>
  /** The first column of the selected cell range. */
  from: CellColumn<C>
}

interface CellState<C extends string> {
  stretch: Stretch<C>
  editing: CellEditing<C> | undefined
}

/** The current cell of a table, and its text being edited; outside React, so that moving rerenders only two cells. */
export function makeCell<C extends string>() {
  const beginning: CellState<C> = {
    stretch: { column: 'head', from: 'head' },
    editing: undefined,
  }
  let state = beginning
  const listeners = new Set<() => void>()
  const set = (more: Partial<CellState<C>>) => {
    state = { ...state, ...more }
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const useCell = <T>(read: (state: CellState<C>) => T): T =>
    useSyncExternalStore(subscribe, () => read(state))
  return {
    cell: () => state.stretch,
    setColumn: (column: CellColumn<C>) => {
      const { stretch } = state
      if (stretch.column !== column || stretch.from !== column)
        set({ stretch: { column, from: column } })
    },
    /** Moves to a column and extends the selection to it, for copying. */
    extendTo: (column: CellColumn<C>) => set({ stretch: { ...state.stretch, column } }),
    startEditing: (editing: CellEditing<C>) =>
      set({ editing, stretch: { column: editing.column, from: editing.column } }),
    stopEditing: () => set({ editing: undefined }),
    isEditing: () => state.editing !== undefined,
    /** Resets to the state on opening the table. */
    resetCell: () => set(beginning),
    useColumn: () => useCell(({ stretch }) => stretch.column),
    /** The cell range for rows that show it; undefined for others, so that they do not rerender. */
    useColumnOf: (isShown: boolean) => useCell((now) => (isShown ? now.stretch : undefined)),
    useEditing: (id: string) =>
      useCell(({ editing }) => (editing?.id === id ? editing : undefined)),
    /** True for the current cell. */
    isAt: (id: string, column: CellColumn<C>) =>
      selection().cursor === id && state.stretch.column === column,
  }
}
