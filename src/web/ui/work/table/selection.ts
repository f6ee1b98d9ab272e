import { useSyncExternalStore } from 'react'

/** Current and selected rows: outside React, so that moving redraws two rows instead of the list. */
interface Selection {
  cursor: string | undefined
  picked: ReadonlySet<string>
  /** Start of a range selection. */
  anchor: string | undefined
  /** The displayed rows, from top to bottom. */
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
/** True if it is the tab stop: each list has one. */
export const useIsTabStop = (id: string) =>
  useSelected(({ cursor, order }) => (cursor ?? order[0]) === id)
export const useIsPicked = (id: string) => useSelected(({ picked }) => picked.has(id))
export const useCursor = () => useSelected(({ cursor }) => cursor)
/** The rows of the most recently displayed list. */
export const useOrder = () => useSelected(({ order }) => order)
export const usePicked = () => useSelected(({ picked }) => picked)

/** Called by the displayed list. Rows that are no longer in it are deselected. */
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

/** The row at an offset from the current one; undefined if there is none. */
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

/** Selects a range from its anchor, or from the current row, to a row, and moves there. */
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
