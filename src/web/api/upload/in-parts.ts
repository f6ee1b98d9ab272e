// Sends a large file in parts: a broken connection or a server restart loses at most one part. Only one part is in
// memory at a time.

import { ApiError } from '../problem.ts'
import type { KeptUpload } from './kept.ts'
import { sendPart, uploadState } from './requests.ts'

const leastPart = 2 ** 19
const defaultPartBytes = 2 ** 22
const maxPartBytes = 2 ** 24
const maxWaitMs = 30_000

/** Options of an upload, and its progress callbacks. */
export interface UploadWatch {
  /** Receives the progress, from 0 to 1. */
  progress?: (part: number) => void
  /** Called when the server becomes unreachable, and reachable again. */
  waiting?: (isWaiting: boolean) => void
  signal?: AbortSignal
}

/** The upload address is no longer valid: it was used, has expired, or was cancelled. */
export class UploadGone extends Error {}

/**
 * Sends the missing parts of a file, regardless of connection failures, and returns the id of the file in the drive.
 * `keep` is called before each part is sent and after it has arrived.
 * @throws ApiError where the server refuses it; UploadGone; DOMException AbortError
 */
export async function sendInParts(
  file: File,
  upload: KeptUpload,
  keep: () => void,
  { progress, waiting, signal }: UploadWatch,
): Promise<string> {
  let size = defaultPartBytes
  let offset: number | undefined
  for (let failures = 0; ; ) {
    try {
      const from: number = offset ?? (await goesOnAt(upload, signal))
      waiting?.(false)
      const sending = (sent: number) => progress?.(Math.min(1, (from + sent) / file.size))
      const part = await nextPart(upload, from, file.slice(from, from + size))
      keep()
      const answer = await sendPart(upload.path, part, sending, signal)
      if (answer.status !== 204) return String(answer.body.file_id)
      offset = answer.offset
      size = Math.min(size * 2, maxPartBytes)
      failures = 0
    } catch (error) {
      if (!isPassing(error)) throw error
      offset = undefined
      size = Math.max(size / 2, leastPart)
      if (failures > 0 || error.status !== 409) waiting?.(true)
      await pause(Math.min(maxWaitMs, 500 * 2 ** failures++), signal)
    }
  }
}

/** The next part, recorded as sent. */
async function nextPart(upload: KeptUpload, offset: number, bytes: Blob) {
  const sha256 = await checksumOf(bytes)
  cutAt(upload, offset)
  if (sha256 !== undefined && bytes.size > 0) upload.parts.push({ size: bytes.size, sha256 })
  return { offset, bytes, sha256 }
}

async function goesOnAt(upload: KeptUpload, signal: AbortSignal | undefined): Promise<number> {
  const state = await uploadState(upload.path, signal)
  if (state === undefined) throw new UploadGone('This upload cannot be continued.')
  upload.until = state.until
  return state.offset
}

/** Discards records of parts after an offset that did not arrive. */
function cutAt(upload: KeptUpload, offset: number): void {
  const partsKept: KeptUpload['parts'] = []
  let end = 0
  for (const part of upload.parts) {
    end += part.size
    if (end > offset) break
    partsKept.push(part)
  }
  upload.parts = partsKept
}

/** True if a file is the one being uploaded: compares it with the parts that have arrived. @throws ApiError */
export async function isContinuedBy(
  file: File,
  upload: KeptUpload,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const state = await uploadState(upload.path, signal)
  if (state === undefined) return false
  let end = 0
  for (const { size, sha256 } of upload.parts) {
    if (end >= state.offset) break
    if ((await checksumOf(file.slice(end, end + size))) !== sha256) return false
    end += size
  }
  return end === state.offset
}

/** Base64 checksum; undefined if the browser offers no cryptography because the page was not loaded over HTTPS. */
async function checksumOf(bytes: Blob): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer())
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}

/** True for a temporary failure: the server is unreachable or busy, or has not noticed the broken connection yet. */
function isPassing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return (
    [0, 409, 502, 503, 504].includes(error.status) ||
    (error.status === 429 && error.code === 'rate_limited')
  )
}

/** Waits, but not longer than until the browser is online again. @throws DOMException AbortError */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<void>()
  const go = () => resolve()
  const timer = setTimeout(go, milliseconds)
  window.addEventListener('online', go)
  signal?.addEventListener('abort', go)
  await promise
  clearTimeout(timer)
  window.removeEventListener('online', go)
  signal?.removeEventListener('abort', go)
  signal?.throwIfAborted()
}
