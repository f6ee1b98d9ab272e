// Sends a large file in parts: a broken connection or a server restart loses at most one part. Only one part is in
// memory at a time.

import { ApiError } from '../problem.ts'
import type { StoredUpload } from './kept.ts'
import { sendPart, uploadState } from './requests.ts'

const minPartBytes = 2 ** 19
const defaultPartBytes = 2 ** 22
const maxPartBytes = 2 ** 24
const maxWaitMs = 30_000

/** Options of an upload, and its progress callbacks. */
export interface TransferOptions {
  /** Receives the progress, from 0 to 1. */
  onProgress?: (fraction: number) => void
  /** Called when the server becomes unreachable, and reachable again. */
  onWaiting?: (isWaiting: boolean) => void
  signal?: AbortSignal
}

/** The upload address is no longer valid: it was used, has expired, or was cancelled. */
export class UploadGoneError extends Error {}

/**
 * Sends the missing parts of a file, regardless of connection failures, and returns the id of the file in the drive.
 * `save` is called before each part is sent, to store its record.
 * @throws ApiError if the server refuses it; UploadGoneError; DOMException AbortError
 */
export async function sendInParts(
  file: File,
  upload: StoredUpload,
  save: () => void,
  { onProgress, onWaiting, signal }: TransferOptions,
): Promise<string> {
  let partSize = defaultPartBytes
  let offset: number | undefined
  for (let failures = 0; ; ) {
    try {
      const start: number = offset ?? (await fetchOffset(upload, signal))
      onWaiting?.(false)
      const onSent = (sentBytes: number) =>
        onProgress?.(Math.min(1, (start + sentBytes) / file.size))
      const part = await preparePart(upload, start, file.slice(start, start + partSize))
      save()
      const answer = await sendPart(upload.path, part, onSent, signal)
      if (answer.status !== 204) return String(answer.body.file_id)
      offset = answer.offset
      partSize = Math.min(partSize * 2, maxPartBytes)
      failures = 0
    } catch (error) {
      if (!isTemporary(error)) throw error
      offset = undefined
      partSize = Math.max(partSize / 2, minPartBytes)
      if (failures > 0 || error.status !== 409) onWaiting?.(true)
      await pause(Math.min(maxWaitMs, 500 * 2 ** failures++), signal)
    }
  }
}

/** Prepares the next part and records it in `upload`. */
async function preparePart(upload: StoredUpload, offset: number, bytes: Blob) {
  const sha256 = await checksumOf(bytes)
  discardPartsAfter(upload, offset)
  if (sha256 !== undefined && bytes.size > 0) upload.parts.push({ size: bytes.size, sha256 })
  return { offset, bytes, sha256 }
}

async function fetchOffset(upload: StoredUpload, signal: AbortSignal | undefined): Promise<number> {
  const state = await uploadState(upload.path, signal)
  if (state === undefined) throw new UploadGoneError('This upload cannot be continued.')
  upload.until = state.expiresAt
  return state.offset
}

/** Discards records of parts after an offset that did not arrive. */
function discardPartsAfter(upload: StoredUpload, offset: number): void {
  const arrivedParts: StoredUpload['parts'] = []
  let end = 0
  for (const part of upload.parts) {
    end += part.size
    if (end > offset) break
    arrivedParts.push(part)
  }
  upload.parts = arrivedParts
}

/** True if a file is the one being uploaded: compares it with the parts that have arrived. @throws ApiError */
export async function isFileOfUpload(
  file: File,
  upload: StoredUpload,
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
function isTemporary(error: unknown): error is ApiError {
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
  const finish = () => resolve()
  const timer = setTimeout(finish, milliseconds)
  window.addEventListener('online', finish)
  signal?.addEventListener('abort', finish)
  await promise
  clearTimeout(timer)
  window.removeEventListener('online', finish)
  signal?.removeEventListener('abort', finish)
  signal?.throwIfAborted()
}
