import { useSyncExternalStore } from 'react'
import type { Composition } from '../../mail/compose/composition.ts'

let current: Composition | undefined
const listeners = new Set<() => void>()

/** Opens a mail that was taken over, or closes it. */
export function announceTaken(composition: Composition | undefined): void {
  current = composition
  for (const listener of listeners) listener()
}

/** The mail that was taken over and is being edited. */
export function useTaken(): Composition | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
