import { useSyncExternalStore } from 'react'

/** Template dialog to show: create tasks from one, or save a task as one. */
export type TemplateDialogState =
  | { kind: 'use'; project?: string | undefined; template?: string | undefined }
  | { kind: 'save'; task: { id: string; key: string; title: string } }

let dialogState: TemplateDialogState | undefined
const listeners = new Set<() => void>()

function setTemplateDialog(newState: TemplateDialogState | undefined): void {
  dialogState = newState
  for (const listener of listeners) listener()
}

/**
 * Opens the dialog for creating tasks from a template, which is part of the app shell and available on every screen.
 */
export const openTemplateDialog = (options: { project?: string | undefined; template?: string }) =>
  setTemplateDialog({ kind: 'use', ...options })

/** Opens the dialog that saves a task with its subtasks as a template. */
export const openSaveTemplateDialog = (task: { id: string; key: string; title: string }) =>
  setTemplateDialog({ kind: 'save', task })

export const closeTemplateDialog = () => setTemplateDialog(undefined)

export function useTemplateDialog(): TemplateDialogState | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => dialogState,
  )
}
