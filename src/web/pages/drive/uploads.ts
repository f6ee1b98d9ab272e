// Uploads to the drive: of this page, across navigation, and earlier ones that can be continued.

import { useSyncExternalStore } from 'react'
import { errorMessage } from '../../api/problem.ts'
import { storedUploads, sentFraction, type StoredUpload } from '../../api/upload/kept.ts'
import { cancelUpload, uploadFile } from '../../api/upload/upload.ts'
import { useSignedIn } from '../../session/session.ts'
import { randomId } from '../../store/index.ts'
import { refetchFiles } from './data.ts'

/** A file being uploaded to a folder. */
export interface Upload {
  id: string
  folderId: string
  name: string
  size: number
  /** Modification time of the file, in milliseconds. */
  changed: number
  /** Fraction uploaded, from 0 to 1. */
  fraction: number
  /**
   * offline: continues by itself once the server is reachable. left: the page was left; the file must be chosen
   * again.
   */
  state: 'sending' | 'offline' | 'paused' | 'failed' | 'left'
  /** Why it failed. */
  problem?: string
  /** Undefined: from an earlier page. */
  file?: File
  controller: AbortController
}

let allUploads: readonly Upload[] = []
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function setUploads(next: readonly Upload[]): void {
  allUploads = next
  for (const listener of listeners) listener()
}

const updateUpload = (id: string, patch: Partial<Upload>) =>
  setUploads(allUploads.map((upload) => (upload.id === id ? { ...upload, ...patch } : upload)))
const removeUpload = (id: string) => setUploads(allUploads.filter((upload) => upload.id !== id))

/** Uploads to a folder. */
export function useUploadsInto(folderId: string): readonly Upload[] {
  const { person } = useSignedIn()
  const uploads = useSyncExternalStore(subscribe, () => allUploads)
  const folderUploads = uploads.filter((upload) => upload.folderId === folderId)
  const leftUploads = storedUploads(person.id)
    .filter(
      (stored) =>
        stored.folderId === folderId && !folderUploads.some((upload) => isSameFile(stored, upload)),
    )
    .map(leftUpload)
  return [...folderUploads, ...leftUploads]
}

const isSameFile = (stored: StoredUpload, { name, size, changed }: Upload) =>
  stored.name === name && stored.size === size && stored.changed === changed

function leftUpload(storedUpload: StoredUpload): Upload {
  const { folderId = '', name, size, changed } = storedUpload
  const id = `left ${name} ${size} ${changed}`
  const controller = new AbortController()
  return {
    id,
    folderId,
    name,
    size,
    changed,
    fraction: sentFraction(storedUpload),
    state: 'left',
    controller,
  }
}

/** Uploads files one by one. Failed ones stay in the list, to be retried or canceled. */
export async function uploadInto(folderId: string, files: readonly File[]): Promise<void> {
  const added = files.map(
    (file): Upload => ({
      id: randomId(),
      folderId,
      name: file.name,
      size: file.size,
      changed: file.lastModified,
      fraction: 0,
      state: 'sending',
      file,
      controller: new AbortController(),
    }),
  )
  setUploads([...allUploads, ...added])
  for (const upload of added) await runUpload(upload)
}

async function runUpload({ id, folderId, file, controller: { signal } }: Upload): Promise<void> {
  if (signal.aborted || file === undefined) return
  try {
    await uploadFile(file, {
      folderId,
      signal,
      onProgress: (part) => updateUpload(id, { fraction: part }),
      onWaiting: (isWaiting) => updateUpload(id, { state: isWaiting ? 'offline' : 'sending' }),
    })
    removeUpload(id)
    await refetchFiles()
  } catch (error) {
    if (!signal.aborted) updateUpload(id, { state: 'failed', problem: errorMessage(error) })
  }
}

/** Pauses an upload; received parts stay on the server. */
export function pauseUpload({ id, controller }: Upload): void {
  updateUpload(id, { state: 'paused' })
  controller.abort()
}

/** Continues a paused or failed upload where it stopped. */
export function resumeUpload(upload: Upload): void {
  const patch = { state: 'sending', problem: undefined, controller: new AbortController() } as const
  updateUpload(upload.id, patch)
  void runUpload({ ...upload, ...patch })
}

/** Cancels an upload; received parts are deleted. */
export async function giveUp(personId: string, upload: Upload): Promise<void> {
  const { id, folderId, file, controller } = upload
  controller.abort()
  const storedUpload = storedUploads(personId).find(
    (stored) => stored.folderId === folderId && isSameFile(stored, upload),
  )
  try {
    if (file) await cancelUpload({ file, folderId })
    else if (storedUpload) await cancelUpload({ stored: storedUpload })
  } finally {
    removeUpload(id)
  }
}
