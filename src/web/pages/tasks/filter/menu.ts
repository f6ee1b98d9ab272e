import { useSyncExternalStore } from 'react'
import type { FilterField } from './filter.ts'

interface FilterMenuState {
  anchor: Element
  /** Field whose values are listed; without it, the fields are. */
  field: FilterField | undefined
}

let menuState: FilterMenuState | undefined
const listeners = new Set<() => void>()

function setFilterMenu(newState: FilterMenuState | undefined): void {
  menuState = newState
  for (const listener of listeners) listener()
}

export const openFilterMenu = (anchor: Element, field?: FilterField) =>
  setFilterMenu({ anchor, field })
export const closeFilterMenu = () => setFilterMenu(undefined)

export function useFilterMenu(): FilterMenuState | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => menuState,
  )
}
