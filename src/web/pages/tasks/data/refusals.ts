import { useSyncExternalStore } from 'react'
import type { TaskField } from './fields.ts'

/** Reasons of refused changes, by task and value: a table shows them at the value. */
const refused = new Map<string, ReadonlyMap<TaskField, string>>()
const none: ReadonlyMap<TaskField, string> = new Map()
const listeners = new Set<() => void>()
let shownBy = 0

function setTaskRefusals(taskId: string, messages: ReadonlyMap<TaskField, string>): void {
  if (messages.size === 0) refused.delete(taskId)
  else refused.set(taskId, messages)
  for (const listener of listeners) listener()
}

/**
 * Records why a value was not changed. Returns whether it is displayed at the value; otherwise it must be shown
 * elsewhere.
 */
export function noteRefusal(taskId: string, field: TaskField, message: string): boolean {
  if (shownBy === 0) return false
  setTaskRefusals(taskId, new Map(refused.get(taskId)).set(field, message))
  return true
}

export function clearRefusal(taskId: string, field: TaskField): void {
  const before = refused.get(taskId)
  if (!before?.has(field)) return
  setTaskRefusals(taskId, new Map([...before].filter(([other]) => other !== field)))
}

/** True if changed values are all visible: then successful changes are not announced. */
export const areShown = () => shownBy > 0

/** Starts showing refusals at their values. Returns a function that stops it. */
export function reportRefusals(): () => void {
  shownBy++
  return () => {
    shownBy--
    if (shownBy === 0) refused.clear()
  }
}

export function useRefusals(taskId: string): ReadonlyMap<TaskField, string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => refused.get(taskId) ?? none,
  )
}
