import { useSyncExternalStore } from 'react'

/** One value to be changed. */
export interface PreviewLine {
  taskId: string
  key: string
  title: string
  /** The name of the value. */
  field: string
  from: string
  to: string
  /** Why it cannot be changed. */
  problem?: string | undefined
}

export interface Preview {
  title: string
  /** Label of the button that continues. */
  action: string
  lines: readonly PreviewLine[]
  /** Further remarks to show first. */
  notes?: readonly string[]
  /** Asks the server why tasks cannot be changed, by id. */
  check?: (signal: AbortSignal) => Promise<ReadonlyMap<string, string>>
}

export interface OpenPreview extends Preview {
  finish: (isConfirmed: boolean) => void
}

let openPreview: OpenPreview | undefined
const listeners = new Set<() => void>()

function setOpenPreview(preview: OpenPreview | undefined): void {
  openPreview = preview
  for (const listener of listeners) listener()
}

/** Shows a preview and asks for confirmation; returns the answer. Cancels an open one. */
export function confirmWithPreview(preview: Preview): Promise<boolean> {
  openPreview?.finish(false)
  return new Promise((resolve) =>
    setOpenPreview({
      ...preview,
      finish: (isConfirmed) => {
        setOpenPreview(undefined)
        resolve(isConfirmed)
      },
    }),
  )
}

export function closePreview(): void {
  openPreview?.finish(false)
}

export function useOpenPreview(): OpenPreview | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => openPreview,
  )
}
