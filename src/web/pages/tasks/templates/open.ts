import { useSyncExternalStore } from 'react'

/** Template dialog to show: create tasks from one, or save a task as one. */
export type TemplateWork =
  | { kind: 'use'; project?: string | undefined; template?: string | undefined }
  | { kind: 'save'; task: { id: string; key: string; title: string } }

let current: TemplateWork | undefined
const listeners = new Set<() => void>()

function setTemplateWork(work: TemplateWork | undefined): void {
  current = work
  for (const listener of listeners) listener()
}

/**
 * Opens the dialog for creating tasks from a template, which is part of the app shell and available on every screen.
 */
export const createFromTemplate = (start: { project?: string | undefined; template?: string }) =>
  setTemplateWork({ kind: 'use', ...start })

/** Opens the dialog that saves a task with its subtasks as a template. */
export const saveAsTemplate = (task: { id: string; key: string; title: string }) =>
  setTemplateWork({ kind: 'save', task })

export const closeTemplates = () => setTemplateWork(undefined)

export function useTemplateWork(): TemplateWork | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
