import { useSyncExternalStore } from 'react'

/** The parent page of imported pages. */
export interface PageAbove {
  id: string
  title: string
}

/** Import dialog to show, with its target: the key or id of the current project, or the page. */
export type ImportWork =
  | { kind: 'tasks'; project?: string | undefined }
  | { kind: 'pages'; parent?: PageAbove | undefined }
  | { kind: 'channels' }
  | { kind: 'contacts' }

let current: ImportWork | undefined
const listeners = new Set<() => void>()

function setOpenImport(work: ImportWork | undefined): void {
  current = work
  for (const listener of listeners) listener()
}

/** Opens the import dialog, which is part of the app shell and available on every screen. */
export const openImport = (work: ImportWork) => setOpenImport(work)

export const closeImport = () => setOpenImport(undefined)

export function useImportWork(): ImportWork | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
