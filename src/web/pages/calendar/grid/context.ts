import { createContext, useContext, type PointerEvent } from 'react'
import type { EventRow } from '../data/events.ts'
import type { PlannableTask } from '../tasks/plannable.ts'
import type { BusyPart, BusyPerson } from '../data/useBusy.ts'
import type { EventPart } from './drag.ts'

export interface GridState {
  /** Id of the event at the keyboard position. */
  cursorId: string | undefined
  /** The open event. */
  openId: string | undefined
  today: string
  now: string
  /** The day at the keyboard position. */
  cursorDay: string
  colorById: ReadonlyMap<string, string | undefined>
  go: (id: string) => void
  open: (row: EventRow) => void
  toDay: (day: string) => void
  createAt: (start: { day: string; from?: number; until?: number }) => void
  /** Creates focus time for a task. */
  plan: (task: PlannableTask, slot: { day: string; from: number }) => void
  /** Colleagues whose busy times are shown behind the events. */
  people: readonly BusyPerson[]
  busyOn: (day: string) => BusyPart[]
  /** Starts dragging an event, if the view supports it. */
  grab?: (event: PointerEvent, row: EventRow, part: EventPart) => void
}

export const GridContext = createContext<GridState | undefined>(undefined)

export function useGrid(): GridState {
  const state = useContext(GridContext)
  if (!state) throw new Error('useGrid must be used inside GridContext.')
  return state
}
