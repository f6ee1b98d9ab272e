import { useSyncExternalStore } from 'react'
import type { Priority } from '../../../ui/work/states.tsx'

/** Initial values of a new task, from the screen where it is created. */
export interface TaskStart {
  project?: string | undefined
  status?: string | undefined
  priority?: Priority | undefined
  assignee?: { id: string; title: string } | undefined
  parent?: { id: string; title: string } | undefined
}

let currentStart: TaskStart | undefined
const listeners = new Set<() => void>()

function setTaskStart(start: TaskStart | undefined): void {
  currentStart = start
  for (const listener of listeners) listener()
}

/** Opens the one-line task form, which is part of the app shell and available on every screen. */
export const openTaskForm = (start: TaskStart) => setTaskStart(start)
export const closeTaskForm = () => setTaskStart(undefined)

export function useTaskFormStart(): TaskStart | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => currentStart,
  )
}
