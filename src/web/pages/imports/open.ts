import { useSyncExternalStore } from 'react'

/** The parent page of imported pages. */
export interface ParentPage {
  id: string
  title: string
}

/** Import dialog to show, with its target: the key or id of the current project, or the page. */
export type ImportTarget =
  | { kind: 'tasks'; project?: string | undefined }
  | { kind: 'pages'; parent?: ParentPage | undefined }
  | { kind: 'channels' }
  | { kind: 'contacts' }

let current: ImportTarget | undefined
const listeners = new Set<() => void>()

function setOpenImport(target: ImportTarget | undefined): void {
  current = target
  for (const listener of listeners) listener()
}

/** Opens the import dialog, which is part of the app shell and available on every screen. */
export const openImport = (target: ImportTarget) => setOpenImport(target)

export const closeImport = () => setOpenImport(undefined)

export function useOpenImport(): ImportTarget | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
