import { useSyncExternalStore } from 'react'

/** Current and selected rows: outside React, so that moving redraws two rows instead of the list. */
interface Selection {
  cursor: string | undefined
  pickedIds: ReadonlySet<string>
  /** Start of a range selection. */
  anchor: string | undefined
  /** The displayed rows, from top to bottom. */
  order: readonly string[]
}

let state: Selection = { cursor: undefined, pickedIds: new Set(), anchor: undefined, order: [] }
const listeners = new Set<() => void>()

export const selection = () => state

function setSelectionState(changes: Partial<Selection>): void {
  state = { ...state, ...changes }
  for (const listener of listeners) listener()
}

function useSelectionState<T>(select: (selection: Selection) => T): T {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => select(state),
  )
}

export const useIsCursor = (id: string) => useSelectionState(({ cursor }) => cursor === id)
/** True if it is the tab stop: each list has one. */
export const useIsTabStop = (id: string) =>
  useSelectionState(({ cursor, order }) => (cursor ?? order[0]) === id)
export const useIsPicked = (id: string) => useSelectionState(({ pickedIds }) => pickedIds.has(id))
export const useCursor = () => useSelectionState(({ cursor }) => cursor)
/** The rows of the most recently displayed list. */
export const useOrder = () => useSelectionState(({ order }) => order)
export const usePicked = () => useSelectionState(({ pickedIds }) => pickedIds)

/** Called by the displayed list. Rows that are no longer in it are deselected. */
export function setOrder(order: readonly string[]): void {
  const orderedIds = new Set(order)
  const remainingPicked = [...state.pickedIds].filter((id) => orderedIds.has(id))
  setSelectionState({
    order,
    ...(remainingPicked.length === state.pickedIds.size
      ? {}
      : { pickedIds: new Set(remainingPicked) }),
  })
}

export function setCursor(cursor: string | undefined): void {
  if (cursor !== state.cursor) setSelectionState({ cursor })
}

/** The row at an offset from the current one; undefined if there is none. */
export function rowAtOffset(offset: number): string | undefined {
  const { order, cursor } = state
  const index = cursor === undefined ? -1 : order.indexOf(cursor)
  if (index === -1) return order[0]
  return order[Math.min(order.length - 1, Math.max(0, index + offset))]
}

export function togglePicked(id: string): void {
  const pickedIds = new Set(state.pickedIds)
  if (!pickedIds.delete(id)) pickedIds.add(id)
  setSelectionState({ pickedIds, anchor: id })
}

/** Selects a range from its anchor, or from the current row, to a row, and moves there. */
export function pickRangeTo(id: string | undefined): void {
  const { order, cursor, anchor, pickedIds } = state
  if (id === undefined) return
  const start = anchor !== undefined && pickedIds.has(anchor) ? anchor : (cursor ?? id)
  const [firstIndex, lastIndex] = [order.indexOf(start), order.indexOf(id)].toSorted(
    (a, b) => a - b,
  )
  setSelectionState({
    pickedIds: new Set(order.slice(firstIndex, (lastIndex ?? 0) + 1)),
    anchor: start,
    cursor: id,
  })
}

export const pickAll = () =>
  setSelectionState({ pickedIds: new Set(state.order), anchor: undefined })
export const pickNone = () => setSelectionState({ pickedIds: new Set(), anchor: undefined })

/** Rows that a command acts on: the selected ones, or the current one. */
export function targetIds(): readonly string[] {
  const { pickedIds, cursor, order } = state
  if (pickedIds.size > 0) return order.filter((id) => pickedIds.has(id))
  return cursor !== undefined && order.includes(cursor) ? [cursor] : []
}
