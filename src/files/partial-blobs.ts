// Contents that arrive in parts: <data>/blobs/partial/<upload>/<bytes>, a file named after the number of bytes
// received.
// A part counts once it is durable and the file is renamed. The next part truncates anything beyond it.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { copyFile, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../audit/lines.ts'
import { Refusal } from '../kernel/refusal.ts'
import { draftPath, publishDraft, putBlob, type Blob, type ExpectedBlob } from './blobs.ts'

const partialFolder = (dataDir: string) => join(dataDir, 'blobs', 'partial')

function uploadFolder(dataDir: string, id: string): string {
  if (!/^[a-z0-9_]{1,60}$/i.test(id)) throw new Error(`${JSON.stringify(id)} is no upload.`)
  return join(partialFolder(dataDir), id)
}

const fileNamesIn = (folder: string): string[] =>
  statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []

/** Number of bytes of an upload that have been stored durably. */
export function partialSize(dataDir: string, id: string): number {
  return Math.max(0, ...fileNamesIn(uploadFolder(dataDir, id)).map(Number))
}

/** A part of a content. */
export interface BlobPart {
  /** Offset at which it begins: the number of bytes received so far. */
  offset: number
  /** Maximum bytes. */
  maxBytes: number
  /** Hash of the part: a part with a different hash is discarded. */
  sha256?: Buffer | undefined
}

/**
 * Stores the next part as it arrives, and returns the total received. Bytes received before the connection broke
 * stay, unless the part has a hash that could not be verified.
 * @throws Refusal too_large, invalid_argument; errors of the source
 */
export async function addPart(
  dataDir: string,
  id: string,
  source: AsyncIterable<Uint8Array>,
  part: BlobPart,
): Promise<number> {
  const folder = uploadFolder(dataDir, id)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, String(part.offset))
  const file = await open(path, part.offset === 0 ? 'w' : 'r+', 0o600)
  let end = part.offset
  try {
    await file.truncate(part.offset)
    end = await receivePart(file, source, part, (size) => (end = part.offset + size))
  } catch (error) {
    if (part.sha256 !== undefined || error instanceof PartTooLarge) end = part.offset
    throw error instanceof PartTooLarge ? error.refusal : error
  } finally {
    if (end > part.offset) await file.sync()
    await file.close()
    if (end > part.offset) {
      renameSync(path, join(folder, String(end)))
      syncDirectory(folder)
    }
  }
  return end
}

/** Thrown if a part is too large; nothing of it is stored. */
class PartTooLarge extends Error {
  readonly refusal: Refusal

  constructor(maxBytes: number) {
    super('too much')
    this.refusal = new Refusal('too_large', `More than ${maxBytes} bytes received.`, {
      context: { limit: maxBytes },
    })
  }
}

async function receivePart(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  { offset, maxBytes, sha256 }: BlobPart,
  onBytesWritten: (size: number) => void,
): Promise<number> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of source) {
    if (size + piece.byteLength > maxBytes) throw new PartTooLarge(maxBytes)
    if (sha256) hash.update(piece)
    for (let at = 0; at < piece.byteLength; )
      at += (await file.write(piece, at, piece.byteLength - at, offset + size + at)).bytesWritten
    size += piece.byteLength
    onBytesWritten(size)
  }
  if (sha256 && !hash.digest().equals(sha256))
    throw new Refusal(
      'invalid_argument',
      'This part does not match its checksum.',
      'Send it again.',
    )
  return offset + size
}

/**
 * Verifies the complete upload and stores it as a blob; the parts stay until `deletePartial`, or are deleted if
 * verification fails.
 * @throws Refusal invalid_argument
 */
export async function completeUpload(
  dataDir: string,
  id: string,
  { maxBytes: size, sha256: announced }: ExpectedBlob,
): Promise<Blob> {
  if (size === 0) return putBlob(dataDir, new Uint8Array())
  const path = join(uploadFolder(dataDir, id), String(size))
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { end: size - 1, highWaterMark: 128 * 1024 }))
    hash.update(piece as Buffer)
  const sha256 = hash.digest('hex')
  if (announced !== undefined && announced !== sha256) {
    deletePartial(dataDir, id)
    throw new Refusal('invalid_argument', 'The content does not match the announced SHA-256.', {
      hint: 'Send the file again from the beginning.',
      context: { sha256 },
    })
  }
  const draft = draftPath(dataDir)
  try {
    linkSync(path, draft)
  } catch {
    await copyFile(path, draft) // a file system without links
  }
  return publishDraft(dataDir, draft, { sha256, size })
}

/** Deletes the parts of an upload from the disk. */
export function deletePartial(dataDir: string, id: string): void {
  rmSync(uploadFolder(dataDir, id), { recursive: true, force: true })
}

/** Uploads with stored parts. */
export const partialUploads = (dataDir: string): string[] => fileNamesIn(partialFolder(dataDir))
