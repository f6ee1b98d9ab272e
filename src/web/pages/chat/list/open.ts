import { useSyncExternalStore } from 'react'
import { serverIdOf } from '../../../store/index.ts'
import type { Message } from '../data/rows.ts'

/** Open popup of a message: its text for editing, the emoji picker, or the task form. */
export type OpenPopup =
  | { kind: 'edit'; id: string /** The text typed so far. */; text?: string }
  | { kind: 'react'; message: Message; anchor: Element }
  | { kind: 'task'; message: Message }

let current: OpenPopup | undefined
const listeners = new Set<() => void>()

/** Opens a popup at a message; undefined closes it. Only one is open at a time. */
export function setOpenPopup(popup: OpenPopup | undefined): void {
  current = popup
  for (const listener of [...listeners]) listener()
}

export const useOpenPopup = (): OpenPopup | undefined =>
  useSyncExternalStore(subscribe, () => current)

/** Keeps the typed text: the row of an unsent message is replaced once the server has it. */
export function storeEditedText(text: string): void {
  if (current?.kind === 'edit') current = { ...current, text }
}

export const editedText = (): string | undefined =>
  current?.kind === 'edit' ? current.text : undefined

/** True if the text of a message is being edited; rerenders only the affected row. */
export const useIsEditing = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => current?.kind === 'edit' && serverIdOf(current.id) === id)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
