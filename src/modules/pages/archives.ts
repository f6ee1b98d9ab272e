import { Unzip, UnzipInflate, UnzipPassThrough, type UnzipFile } from 'fflate'
import { invalid, Refusal } from '../../core/refusal.ts'

/** A file of an archive. */
export interface Packed {
  path: string
  bytes: Uint8Array
}

export interface Left {
  path: string
  reason: string
}

export const mostFiles = 5_000
/** Bytes of all files of an archive once unpacked. */
const mostUnpacked = 64 * 2 ** 20
const deepest = 90
/** So much of the archive is read at once: what it unpacks to at most is looked at after each piece. */
const piece = 16 * 1024

/**
 * The files of a zip, unpacked in memory; zips inside of it are unpacked, too, once. Nothing of it is believed before it is there: what an
 * archive says of its sizes is not asked, and paths are only names.
 * @throws Refusal too_large, or invalid_argument where it is no zip
 */
export function unpacked(archive: Uint8Array, field: string): { files: Packed[]; left: Left[] } {
  const found = new Unpacking(field)
  found.take(archive, '')
  return { files: found.files, left: found.left }
}

class Unpacking {
  readonly files: Packed[] = []
  readonly left: Left[] = []
  readonly #field: string
  #count = 0
  #bytes = 0

  constructor(field: string) {
    this.#field = field
  }

  take(archive: Uint8Array, inside: string): void {
    const inner: Packed[] = []
    const unzip = new Unzip(entry => this.#entry(entry, inside, inner))
    unzip.register(UnzipInflate)
    unzip.register(UnzipPassThrough)
    try {
      for (let at = 0; at < archive.length; at += piece) unzip.push(archive.subarray(at, at + piece), at + piece >= archive.length)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw invalid(this.#field, `the zip cannot be unpacked: ${(error as Error).message}.`, 'Make it anew, without a password.')
    }
    if (inside === '' && this.#count === 0) throw invalid(this.#field, 'there is no file in this zip, or it is none.', 'Send a zip as base64 (RFC 4648 §4).')
    for (const one of inner) this.take(one.bytes, one.path.replace(/[^/]*$/, ''))
  }

  #entry(entry: UnzipFile, inside: string, inner: Packed[]): void {
    if (++this.#count > mostFiles) throw new Refusal('too_large', `The zip has more than ${mostFiles} files.`, { field: this.#field, hint: 'Import it in parts.' })
    const name = entry.name.replaceAll('\\', '/')
    if (name.endsWith('/')) return
    const path = cleaned(name)
    if (path === undefined) return void this.left.push({ path: name.slice(0, 200), reason: 'Its path leads out of the archive.' })
    if (path.split('/').length > deepest) return void this.left.push({ path: `${path.slice(0, 200)}…`, reason: `It lies more than ${deepest} folders deep.` })
    const parts: Uint8Array[] = []
    let isBroken = false
    entry.ondata = (error, chunk, final) => {
      if (error instanceof Refusal) throw error // our own, from below
      if (error && !isBroken) this.left.push({ path: inside + path, reason: `It cannot be unpacked: ${error.message}.` })
      isBroken ||= error !== null
      if (isBroken) return
      this.#bytes += chunk.length
      if (this.#bytes > mostUnpacked) throw new Refusal('too_large', `Unpacked, the zip has more than ${mostUnpacked / 2 ** 20} MB.`, { field: this.#field, hint: 'Import it in parts.' })
      parts.push(chunk)
      if (!final) return
      const file = { path: inside + path, bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts) }
      if (inside === '' && /\.zip$/i.test(path)) inner.push(file)
      else this.files.push(file)
    }
    try {
      entry.start()
    } catch (error) {
      if (error instanceof Refusal) throw error
      this.left.push({ path: inside + path, reason: 'It is packed in a way that is not known here.' })
    }
  }
}

/** A path without `.`, doubled slashes and characters that turn text around; undefined where it leads out. */
function cleaned(name: string): string | undefined {
  const parts = name.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').split('/').filter(part => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') || /^(?:\/|[a-z]:)/i.test(name) ? undefined : parts.join('/')
}
