import { useSyncExternalStore } from 'react'
import type { TaskField } from './fields.ts'

/** Why changes were refused, by task and value: a table says it where the value stands. */
const refused = new Map<string, ReadonlyMap<TaskField, string>>()
const none: ReadonlyMap<TaskField, string> = new Map()
const listeners = new Set<() => void>()
let shownBy = 0

function setTaskRefusals(taskId: string, messages: ReadonlyMap<TaskField, string>): void {
  if (messages.size === 0) refused.delete(taskId)
  else refused.set(taskId, messages)
  for (const listener of listeners) listener()
}

/** Notes why a value was not changed. Whether someone shows it at the value; else it has to be said otherwise. */
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

/** Whether values are changed where all of them are seen: then nothing is said of a change that worked. */
export const areShown = () => shownBy > 0

/** Begins to show refusals at their values. Returns what ends it. */
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
