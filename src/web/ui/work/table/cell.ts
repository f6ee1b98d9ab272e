import { useSyncExternalStore } from 'react'
import { selection } from './selection.ts'

/** `head` is the beginning of a row. There, letters are commands; in a cell they are written into it. */
export type CellColumn<C extends string> = C | 'head'

export interface CellEditing<C extends string> {
  id: string
  column: C
  /** Initial text of the field. */
  text: string
}

interface Stretch<C extends string> {
  /** The column that one is in; the row is the cursor of the selection. */
  column: CellColumn<C>
  /** From which column a stretch of cells goes to it. */
  from: CellColumn<C>
}

interface CellState<C extends string> {
  stretch: Stretch<C>
  editing: CellEditing<C> | undefined
}

/** In which cell of a table one is, and what is written there now; outside React, so that moving draws two cells. */
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
    /** Goes to a column and takes those up to it along, for copying. */
    extendTo: (column: CellColumn<C>) => set({ stretch: { ...state.stretch, column } }),
    startEditing: (editing: CellEditing<C>) =>
      set({ editing, stretch: { column: editing.column, from: editing.column } }),
    stopEditing: () => set({ editing: undefined }),
    isEditing: () => state.editing !== undefined,
    /** Resets to the state on opening the table. */
    resetCell: () => set(beginning),
    useColumn: () => useCell(({ stretch }) => stretch.column),
    /** The stretch of cells, for the rows that it is shown in; else undefined, so that moving draws no other row. */
    useColumnOf: (isShown: boolean) => useCell((now) => (isShown ? now.stretch : undefined)),
    useEditing: (id: string) =>
      useCell(({ editing }) => (editing?.id === id ? editing : undefined)),
    /** Whether the cell is the one that one is in. */
    isAt: (id: string, column: CellColumn<C>) =>
      selection().cursor === id && state.stretch.column === column,
  }
}
