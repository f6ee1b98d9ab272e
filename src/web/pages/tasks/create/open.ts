import { useSyncExternalStore } from 'react'
import type { Priority } from '../../../ui/work/states.tsx'

/** Initial values of a new task, from the place where it is created. */
export interface TaskStart {
  project?: string | undefined
  status?: string | undefined
  priority?: Priority | undefined
  assignee?: { id: string; title: string } | undefined
  parent?: { id: string; title: string } | undefined
}

let current: TaskStart | undefined
const listeners = new Set<() => void>()

function setTaskStart(start: TaskStart | undefined): void {
  current = start
  for (const listener of listeners) listener()
}

/** Opens the one-line task form, which is part of the app shell and available on every screen. */
export const createTask = (start: TaskStart) => setTaskStart(start)
export const closeCreation = () => setTaskStart(undefined)

export function useCreation(): TaskStart | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
