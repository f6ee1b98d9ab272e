import { useSyncExternalStore } from 'react'
import type { Composition } from '../../mail/compose/composition.ts'

let current: Composition | undefined
const listeners = new Set<() => void>()

/** Opens or closes a mail that was taken over. */
export function setTakenOverMail(composition: Composition | undefined): void {
  current = composition
  for (const listener of listeners) listener()
}

/** The taken-over mail being edited. */
export function useTakenOverMail(): Composition | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
