import { useSyncExternalStore } from 'react'
import type { TaskField } from './fields.ts'

/** Reasons of refused changes, by task and value: a table shows them at the value. */
const refusals = new Map<string, ReadonlyMap<TaskField, string>>()
const noRefusals: ReadonlyMap<TaskField, string> = new Map()
const listeners = new Set<() => void>()
let displayCount = 0

function setTaskRefusals(taskId: string, messages: ReadonlyMap<TaskField, string>): void {
  if (messages.size === 0) refusals.delete(taskId)
  else refusals.set(taskId, messages)
  for (const listener of listeners) listener()
}

/**
 * Records why a value was not changed. Returns whether it is displayed at the value; otherwise it must be shown
 * elsewhere.
 */
export function recordRefusal(taskId: string, field: TaskField, message: string): boolean {
  if (displayCount === 0) return false
  setTaskRefusals(taskId, new Map(refusals.get(taskId)).set(field, message))
  return true
}

export function clearRefusal(taskId: string, field: TaskField): void {
  const current = refusals.get(taskId)
  if (!current?.has(field)) return
  setTaskRefusals(taskId, new Map([...current].filter(([other]) => other !== field)))
}

/** True if changed values are all visible: then successful changes are not announced. */
export const areRefusalsDisplayed = () => displayCount > 0

/** Starts showing refusals at their values. Returns a function that stops it. */
export function displayRefusals(): () => void {
  displayCount++
  return () => {
    displayCount--
    if (displayCount === 0) refusals.clear()
  }
}

export function useRefusals(taskId: string): ReadonlyMap<TaskField, string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => refusals.get(taskId) ?? noRefusals,
  )
}
