import { useSyncExternalStore } from 'react'

interface SavedFile {
  id: string
  title: string
}

let files: ReadonlyMap<string, SavedFile> = new Map()
const listeners = new Set<() => void>()

/** Drive files saved from attachments since the app was opened, by attachment. */
export const savedFiles = {
  add(attachmentId: string, file: SavedFile): void {
    files = new Map([...files, [attachmentId, file]])
    for (const listener of listeners) listener()
  },
}

/** The saved files, with updates. */
export function useSavedFiles(): ReadonlyMap<string, SavedFile> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => files,
  )
}
