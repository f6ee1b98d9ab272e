import { Unzip, UnzipInflate, UnzipPassThrough, type UnzipFile } from 'fflate'
import { invalid, Refusal } from '../kernel/refusal.ts'

/** A file of an archive. */
export interface ArchiveFile {
  path: string
  bytes: Uint8Array
}

export interface SkippedFile {
  path: string
  reason: string
}

export interface ArchiveLimits {
  files: number
  /** Total of all files, unpacked. */
  bytes: number
}

export const archiveLimits: ArchiveLimits = { files: 5_000, bytes: 64 * 2 ** 20 }
const maxDepth = 90
/** Number of bytes of the archive read at a time: the limits are checked after each piece. */
const chunkLength = 16 * 1024

/**
 * The files of a zip, unpacked in memory, with nested zips unpacked one level deep. Rejected immediately if its
 * directory declares too much; since a directory may lie, the same limits apply during unpacking. Paths are only
 * names. Runs in a reader process.
 * @throws Refusal too_large, or invalid_argument if it is not a zip
 */
export function unpackZip(
  archive: Uint8Array,
  field: string,
  limits = archiveLimits,
): { files: ArchiveFile[]; skipped: SkippedFile[] } {
  const unpacking = new ZipUnpacker(field, limits)
  unpacking.check(readDirectoryTotals(archive))
  unpacking.take(archive, '')
  return { files: unpacking.files, skipped: unpacking.skipped }
}

class ZipUnpacker {
  readonly files: ArchiveFile[] = []
  readonly skipped: SkippedFile[] = []
  readonly #field: string
  #count = 0
  #bytes = 0

  readonly #limits: ArchiveLimits

  constructor(field: string, limits: ArchiveLimits) {
    this.#field = field
    this.#limits = limits
  }

  /** @throws Refusal too_large */
  check({ files, bytes }: ArchiveLimits): void {
    const { files: maxFiles, bytes: maxBytes } = this.#limits
    if (files > maxFiles)
      throw new Refusal('too_large', `The zip has more than ${maxFiles} files.`, {
        field: this.#field,
        hint: 'Import it in parts.',
      })
    if (bytes > maxBytes)
      throw new Refusal('too_large', `Unpacked, the zip has more than ${maxBytes / 2 ** 20} MB.`, {
        field: this.#field,
        hint: 'Import it in parts.',
      })
  }

  take(archive: Uint8Array, parentPath: string): void {
    const nestedZips: ArchiveFile[] = []
    const unzip = new Unzip((entry) => this.#entry(entry, parentPath, nestedZips))
    unzip.register(UnzipInflate)
    unzip.register(UnzipPassThrough)
    try {
      for (let at = 0; at < archive.length; at += chunkLength)
        unzip.push(archive.subarray(at, at + chunkLength), at + chunkLength >= archive.length)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw invalid(
        this.#field,
        `the zip cannot be unpacked: ${(error as Error).message}.`,
        'Create it again without a password.',
      )
    }
    if (parentPath === '' && this.#count === 0)
      throw invalid(
        this.#field,
        'there is no file in this zip, or it is none.',
        'Send a zip as base64 (RFC 4648 §4).',
      )
    for (const packed of nestedZips) this.take(packed.bytes, packed.path.replace(/[^/]*$/, ''))
  }

  #entry(entry: UnzipFile, parentPath: string, inner: ArchiveFile[]): void {
    this.check({ files: ++this.#count, bytes: this.#bytes })
    const name = entry.name.replaceAll('\\', '/')
    if (name.endsWith('/')) return
    const path = normalizePath(name)
    if (path === undefined)
      return void this.skipped.push({
        path: name.slice(0, 200),
        reason: 'Its path leads out of the archive.',
      })
    if (path.split('/').length > maxDepth)
      return void this.skipped.push({
        path: `${path.slice(0, 200)}…`,
        reason: `It is nested more than ${maxDepth} folders deep.`,
      })
    const parts: Uint8Array[] = []
    let isBroken = false
    entry.ondata = (error, chunk, final) => {
      if (error instanceof Refusal) throw error // thrown by the check below
      if (error && !isBroken)
        this.skipped.push({
          path: parentPath + path,
          reason: `It cannot be unpacked: ${error.message}.`,
        })
      isBroken ||= error !== null
      if (isBroken) return
      this.#bytes += chunk.length
      this.check({ files: this.#count, bytes: this.#bytes })
      parts.push(chunk)
      if (!final) return
      const file = {
        path: parentPath + path,
        bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts),
      }
      if (parentPath === '' && /\.zip$/i.test(path)) inner.push(file)
      else this.files.push(file)
    }
    try {
      entry.start()
    } catch (error) {
      if (error instanceof Refusal) throw error
      this.skipped.push({
        path: parentPath + path,
        reason: 'It is packed in a way that is not known here.',
      })
    }
  }
}

/** A path without `.`, doubled slashes and bidirectional control characters; undefined if it leads outside. */
function normalizePath(name: string): string | undefined {
  const parts = name
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') || /^(?:\/|[a-z]:)/i.test(name)
    ? undefined
    : parts.join('/')
}

const endLength = 22
const maxCommentLength = 0xffff
const entryLength = 46

/** Reads the number and size of files from the directory at the end of a zip; zero if it has no readable one. */
function readDirectoryTotals(archive: Uint8Array): ArchiveLimits {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const totals = { files: 0, bytes: 0 }
  let end = archive.length - endLength
  const first = Math.max(0, end - maxCommentLength)
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < first) return totals
  const count = view.getUint16(end + 10, true) // 0xffff: the true number is in the ZIP64 record, and exceeds every limit
  let at = view.getUint32(end + 16, true)
  for (
    ;
    totals.files < count &&
    at + entryLength <= archive.length &&
    view.getUint32(at, true) === 0x02014b50;
    totals.files++
  ) {
    totals.bytes += view.getUint32(at + 24, true)
    at +=
      entryLength +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true)
  }
  return { files: Math.max(totals.files, count), bytes: totals.bytes }
}
