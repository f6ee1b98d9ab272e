// Uploads to the drive: of this page, across navigation, and earlier ones that can be continued.

import { useSyncExternalStore } from 'react'
import { errorMessage } from '../../api/problem.ts'
import { keptUploads, partSent, type KeptUpload } from '../../api/upload/kept.ts'
import { giveUpUpload, uploadFile } from '../../api/upload/upload.ts'
import { useSignedIn } from '../../session/session.ts'
import { randomId } from '../../store/index.ts'
import { filesChanged } from './data.ts'

/** A file being uploaded to a folder. */
export interface Upload {
  id: string
  folderId: string
  name: string
  size: number
  /** Modification time of the file, in milliseconds. */
  changed: number
  /** Fraction uploaded, from 0 to 1. */
  part: number
  /**
   * offline: continues by itself once the server is reachable. left: the page was left; the file must be chosen
   * again.
   */
  state: 'sending' | 'offline' | 'paused' | 'failed' | 'left'
  /** Why it failed. */
  problem?: string
  /** Undefined: from an earlier page. */
  file?: File
  stop: AbortController
}

let all: readonly Upload[] = []
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function setUploads(next: readonly Upload[]): void {
  all = next
  for (const listener of listeners) listener()
}

const updateUpload = (id: string, more: Partial<Upload>) =>
  setUploads(all.map((upload) => (upload.id === id ? { ...upload, ...more } : upload)))
const drop = (id: string) => setUploads(all.filter((upload) => upload.id !== id))

/** Uploads to a folder. */
export function useUploadsInto(folderId: string): readonly Upload[] {
  const { person } = useSignedIn()
  const uploads = useSyncExternalStore(subscribe, () => all)
  const here = uploads.filter((upload) => upload.folderId === folderId)
  const left = keptUploads(person.id)
    .filter(
      (stored) => stored.folderId === folderId && !here.some((upload) => isOf(stored, upload)),
    )
    .map(leftUpload)
  return [...here, ...left]
}

const isOf = (stored: KeptUpload, { name, size, changed }: Upload) =>
  stored.name === name && stored.size === size && stored.changed === changed

function leftUpload(storedUpload: KeptUpload): Upload {
  const { folderId = '', name, size, changed } = storedUpload
  const id = `left ${name} ${size} ${changed}`
  const stop = new AbortController()
  return { id, folderId, name, size, changed, part: partSent(storedUpload), state: 'left', stop }
}

/** Uploads files one by one. Failed ones stay in the list, to be retried or cancelled. */
export async function uploadInto(folderId: string, files: readonly File[]): Promise<void> {
  const added = files.map(
    (file): Upload => ({
      id: randomId(),
      folderId,
      name: file.name,
      size: file.size,
      changed: file.lastModified,
      part: 0,
      state: 'sending',
      file,
      stop: new AbortController(),
    }),
  )
  setUploads([...all, ...added])
  for (const upload of added) await runUpload(upload)
}

async function runUpload({ id, folderId, file, stop: { signal } }: Upload): Promise<void> {
  if (signal.aborted || file === undefined) return
  try {
    await uploadFile(file, {
      folderId,
      signal,
      progress: (part) => updateUpload(id, { part }),
      waiting: (isWaiting) => updateUpload(id, { state: isWaiting ? 'offline' : 'sending' }),
    })
    drop(id)
    await filesChanged()
  } catch (error) {
    if (!signal.aborted) updateUpload(id, { state: 'failed', problem: errorMessage(error) })
  }
}

/** Pauses an upload; received parts stay on the server. */
export function pauseUpload({ id, stop }: Upload): void {
  updateUpload(id, { state: 'paused' })
  stop.abort()
}

/** Continues a paused or failed upload where it stopped. */
export function resumeUpload(upload: Upload): void {
  const next = { state: 'sending', problem: undefined, stop: new AbortController() } as const
  updateUpload(upload.id, next)
  void runUpload({ ...upload, ...next })
}

/** Cancels an upload; received parts are deleted. */
export async function giveUp(personId: string, upload: Upload): Promise<void> {
  const { id, folderId, file, stop } = upload
  stop.abort()
  const storedUpload = keptUploads(personId).find(
    (stored) => stored.folderId === folderId && isOf(stored, upload),
  )
  try {
    if (file) await giveUpUpload({ file, folderId })
    else if (storedUpload) await giveUpUpload({ stored: storedUpload })
  } finally {
    drop(id)
  }
}
