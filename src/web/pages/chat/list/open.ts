import { useSyncExternalStore } from 'react'
import type { Message } from '../data/rows.ts'

/** What is open at a message: its text for editing, the choice of an emoji, or the form of a task. */
export type OpenPopup =
  | { kind: 'edit'; id: string }
  | { kind: 'react'; message: Message; anchor: Element }
  | { kind: 'task'; message: Message }

let current: OpenPopup | undefined
const listeners = new Set<() => void>()

/** Opens one thing at a message; undefined closes it. There is one at a time. */
export function open(thing: OpenPopup | undefined): void {
  current = thing
  for (const listener of [...listeners]) listener()
}

export const useOpen = (): OpenPopup | undefined => useSyncExternalStore(subscribe, () => current)

/** Whether the text of a message is being edited; only the row concerned is drawn again. */
export const useIsEditing = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => current?.kind === 'edit' && current.id === id)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
