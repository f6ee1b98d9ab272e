// File contents, each stored once under its hash: <data>/blobs/ab/cdef…. A content is written to a draft, flushed, and
// only then renamed to its hash, so that contents under a hash are complete. Unreferenced ones are deleted later.

import { Blob as Bytes } from 'node:buffer'
import { createHash, randomUUID, type Hash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncDirectory } from '../audit/lines.ts'
import { Refusal } from '../kernel/refusal.ts'

/** A stored content. */
export interface Blob {
  sha256: string
  size: number
}

/** The folder of all contents, in the data directory. */
const blobFolder = 'blobs'
const draftFolder = 'incoming'

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** Path of a content below the data directory. */
export function blobName(sha256: string): string {
  if (!isHash(sha256)) throw new Error(`${JSON.stringify(sha256.slice(0, 80))} is not a SHA-256.`)
  return join(blobFolder, sha256.slice(0, 2), sha256.slice(2))
}

export const blobPath = (dataDir: string, sha256: string) => join(dataDir, blobName(sha256))

/** Bytes of a stored content; undefined if missing. */
export function blobSize(dataDir: string, sha256: string): number | undefined {
  return statSync(blobPath(dataDir, sha256), { throwIfNoEntry: false })?.size
}

/** Path for a draft of a new content. */
export function draftPath(dataDir: string): string {
  const folder = join(dataDir, blobFolder, draftFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, randomUUID())
}

/** Stores bytes from memory. Durable when this returns. */
export function putBlob(dataDir: string, bytes: Uint8Array): Blob {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (touchIfStored(dataDir, sha256, bytes.length)) return { sha256, size: bytes.length }
  const draft = draftPath(dataDir)
  const file = openSync(draft, 'wx', 0o600)
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return publishDraft(dataDir, draft, { sha256, size: bytes.length })
}

/** Whether a content is already stored; refreshes its age, so that no sweep removes it before a row references it. */
function touchIfStored(dataDir: string, sha256: string, size: number): boolean {
  const path = blobPath(dataDir, sha256)
  if (statSync(path, { throwIfNoEntry: false })?.size !== size) return false
  const now = new Date()
  utimesSync(path, now, now)
  return true
}

/** Renames a durable draft to its hash. */
export function publishDraft(dataDir: string, draft: string, blob: Blob): Blob {
  if (touchIfStored(dataDir, blob.sha256, blob.size)) {
    rmSync(draft, { force: true })
    return blob
  }
  const path = blobPath(dataDir, blob.sha256)
  const isNew = !existsSync(dirname(path))
  if (isNew) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  renameSync(draft, path)
  syncDirectory(dirname(path))
  if (isNew) syncDirectory(dirname(dirname(path)))
  return blob
}

export interface ExpectedBlob {
  /** Maximum bytes. */
  maxBytes: number
  /** Exact size. */
  size?: number | undefined
  sha256?: string | undefined
}

/**
 * Stores a content as it arrives, one piece in memory at a time. Stores nothing if it is not as expected or ends early.
 * @throws Refusal too_large, invalid_argument; errors of the source
 */
export async function receiveBlob(
  dataDir: string,
  source: AsyncIterable<Uint8Array>,
  expected: ExpectedBlob,
): Promise<Blob> {
  const draft = draftPath(dataDir)
  const file = await open(draft, 'wx', 0o600)
  const hash = createHash('sha256')
  try {
    const size = await writePieces(file, hash, source, expected)
    const sha256 = hash.digest('hex')
    if (expected.size !== undefined && size !== expected.size)
      throw new Refusal(
        'invalid_argument',
        `Received ${size} bytes; ${expected.size} were announced.`,
      )
    if (expected.sha256 !== undefined && sha256 !== expected.sha256)
      throw new Refusal('invalid_argument', 'The content does not match the announced SHA-256.', {
        hint: 'Send the file again.',
        context: { sha256 },
      })
    await file.sync()
    await file.close()
    return publishDraft(dataDir, draft, { sha256, size })
  } catch (error) {
    await file.close().catch(() => {})
    rmSync(draft, { force: true })
    throw error
  }
}

async function writePieces(
  file: FileHandle,
  hash: Hash,
  source: AsyncIterable<Uint8Array>,
  { maxBytes }: ExpectedBlob,
): Promise<number> {
  let size = 0
  for await (const piece of source) {
    size += piece.byteLength
    if (size > maxBytes)
      throw new Refusal('too_large', `More than ${maxBytes} bytes received.`, {
        context: { limit: maxBytes },
      })
    hash.update(piece)
    for (let at = 0; at < piece.byteLength; ) at += (await file.write(piece, at)).bytesWritten
  }
  return size
}

/** Reads a complete small content. @throws Refusal unavailable if it is missing or damaged */
export function readBlob(dataDir: string, { sha256, size }: Blob): Buffer {
  requireBlob(dataDir, { sha256, size })
  return readFileSync(blobPath(dataDir, sha256))
}

/** @throws Refusal unavailable if a content is missing or truncated */
function requireBlob(dataDir: string, { sha256, size }: Blob): void {
  if (blobSize(dataDir, sha256) === size) return
  throw new Refusal(
    'unavailable',
    'The content of this file is missing or damaged on disk.',
    'The operator of this workspace can find out more with `workspace doctor`.',
  )
}

/** The bytes of a content in a range, both ends included. */
export function streamBlob(
  dataDir: string,
  blob: Blob,
  from = 0,
  to = blob.size - 1,
): ReadableStream<Uint8Array> {
  requireBlob(dataDir, blob)
  if (blob.size === 0) return new Bytes([]).stream() as ReadableStream<Uint8Array>
  const source = createReadStream(blobPath(dataDir, blob.sha256), {
    start: from,
    end: to,
    highWaterMark: 128 * 1024,
  })
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  )
}

/** Stored contents and their age, in milliseconds of the machine's clock. */
export function* storedBlobs(
  dataDir: string,
): Generator<{ sha256: string; size: number; at: number }> {
  const folder = join(dataDir, blobFolder)
  for (const first of existsSync(folder) ? readdirSync(folder) : []) {
    if (!/^[0-9a-f]{2}$/.test(first)) continue
    for (const rest of readdirSync(join(folder, first))) {
      const fileStats = isHash(first + rest)
        ? statSync(join(folder, first, rest), { throwIfNoEntry: false })
        : undefined
      if (fileStats) yield { sha256: first + rest, size: fileStats.size, at: fileStats.mtimeMs }
    }
  }
}

/** Deletes a content from the disk. */
export function deleteBlob(dataDir: string, sha256: string): void {
  rmSync(blobPath(dataDir, sha256), { force: true })
}

/** Removes drafts left by uploads of ended processes: those last written before a time. */
export function sweepDrafts(dataDir: string, before: number): number {
  const folder = join(dataDir, blobFolder, draftFolder)
  let swept = 0
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) >= before) continue
    rmSync(path, { force: true })
    swept++
  }
  return swept
}
