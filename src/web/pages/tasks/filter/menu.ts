import { useSyncExternalStore } from 'react'
import type { FilterField } from './filter.ts'

interface OpenFilter {
  anchor: Element
  /** Field whose values are listed; without it, the fields are. */
  field: FilterField | undefined
}

let current: OpenFilter | undefined
const listeners = new Set<() => void>()

function setOpenFilter(filter: OpenFilter | undefined): void {
  current = filter
  for (const listener of listeners) listener()
}

export const openFilter = (anchor: Element, field?: FilterField) => setOpenFilter({ anchor, field })
export const closeFilter = () => setOpenFilter(undefined)

export function useOpenFilter(): OpenFilter | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
