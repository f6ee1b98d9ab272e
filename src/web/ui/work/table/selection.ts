import { useSyncExternalStore } from 'react'

/** Current and selected rows: outside React, so that moving redraws two rows instead of the list. */
interface Selection {
  cursor: string | undefined
  picked: ReadonlySet<string>
  /** From where a range was begun. */
  anchor: string | undefined
  /** The rows as they stand on the screen, from top to bottom. */
  order: readonly string[]
}

let state: Selection = { cursor: undefined, picked: new Set(), anchor: undefined, order: [] }
const listeners = new Set<() => void>()

export const selection = () => state

function setSelectionState(more: Partial<Selection>): void {
  state = { ...state, ...more }
  for (const listener of listeners) listener()
}

function useSelected<T>(read: (selection: Selection) => T): T {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(state),
  )
}

export const useIsCursor = (id: string) => useSelected(({ cursor }) => cursor === id)
/** Whether Tab leads to it: one row of a list is on the way. */
export const useIsTabStop = (id: string) =>
  useSelected(({ cursor, order }) => (cursor ?? order[0]) === id)
export const useIsPicked = (id: string) => useSelected(({ picked }) => picked.has(id))
export const useCursor = () => useSelected(({ cursor }) => cursor)
/** The rows of the list that was last on the screen. */
export const useOrder = () => useSelected(({ order }) => order)
export const usePicked = () => useSelected(({ picked }) => picked)

/** Told by the list that is on the screen. What is not in it any more is not picked either. */
export function setOrder(order: readonly string[]): void {
  const orderedIds = new Set(order)
  const picked = [...state.picked].filter((id) => orderedIds.has(id))
  setSelectionState({
    order,
    ...(picked.length === state.picked.size ? {} : { picked: new Set(picked) }),
  })
}

export function setCursor(cursor: string | undefined): void {
  if (cursor !== state.cursor) setSelectionState({ cursor })
}

/** The row that many below the one one is at; undefined where there is none. */
export function rowBy(step: number): string | undefined {
  const { order, cursor } = state
  const index = cursor === undefined ? -1 : order.indexOf(cursor)
  if (index === -1) return order[0]
  return order[Math.min(order.length - 1, Math.max(0, index + step))]
}

export function togglePicked(id: string): void {
  const picked = new Set(state.picked)
  if (!picked.delete(id)) picked.add(id)
  setSelectionState({ picked, anchor: id })
}

/** Picks all from where the range began, or from where one is, to a row, and goes there. */
export function pickTo(id: string | undefined): void {
  const { order, cursor, anchor, picked } = state
  if (id === undefined) return
  const from = anchor !== undefined && picked.has(anchor) ? anchor : (cursor ?? id)
  const [first, last] = [order.indexOf(from), order.indexOf(id)].toSorted((a, b) => a - b)
  setSelectionState({
    picked: new Set(order.slice(first, (last ?? 0) + 1)),
    anchor: from,
    cursor: id,
  })
}

export const pickAll = () => setSelectionState({ picked: new Set(state.order), anchor: undefined })
export const pickNone = () => setSelectionState({ picked: new Set(), anchor: undefined })

/** Rows that a command acts on: the selected ones, or the current one. */
export function targets(): readonly string[] {
  const { picked, cursor, order } = state
  if (picked.size > 0) return order.filter((id) => picked.has(id))
  return cursor !== undefined && order.includes(cursor) ? [cursor] : []
}
