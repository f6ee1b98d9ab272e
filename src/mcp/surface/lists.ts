// Answers to tools/list, which hosts request at the start of every session and which never change while the process
// runs: kept as bytes, shared by all keys with the same tools. The SDK generates each text once.

import { constants, crc32, deflateRawSync } from 'node:zlib'
import { BoundedMap } from '../../kernel/bounded-map.ts'

const maxLists = 32
const maxKeysSeen = 256

/** The bytes of an answer in pieces; the large piece is shared by all. */
export interface ListAnswer {
  pieces: readonly Uint8Array[]
  encoding: 'gzip' | undefined
}

/** Cached lists: when full, a list requested once does not displace one requested repeatedly. */
export class ToolLists {
  readonly #stored = new BoundedMap<string, StoredResult>(maxLists)
  readonly #listedKeys = new BoundedMap<string, true>(maxKeysSeen)

  find(key: string): StoredResult | undefined {
    return this.#stored.use(key)
  }

  /** Keeps the result of an answer made by the SDK. */
  keep(key: string, result: unknown): StoredResult {
    const stored = new StoredResult(result)
    const isWorthIt = !this.#stored.isFull || this.#listedKeys.has(key)
    this.#listedKeys.set(key, true)
    if (isWorthIt) this.#stored.set(key, stored)
    return stored
  }
}

/**
 * A JSON-RPC result without its id. The id comes last in the text, so that everything before it can be sent
 * unchanged.
 */
export class StoredResult {
  readonly #start: Buffer
  #deflated: Deflated | undefined

  constructor(result: unknown) {
    this.#start = Buffer.from(`{"jsonrpc":"2.0","result":${JSON.stringify(result)},"id":`)
  }

  answer(id: string | number, gzip: boolean): ListAnswer {
    const end = Buffer.from(`${JSON.stringify(id)}}`)
    if (!gzip || end.length > 0xffff) return { pieces: [this.#start, end], encoding: undefined }
    this.#deflated ??= deflate(this.#start)
    return { pieces: gzipped(this.#deflated, end), encoding: 'gzip' }
  }
}

interface Deflated {
  bytes: Buffer
  crc: number
  length: number
}

/** Compresses without a final block, so that more can follow. */
function deflate(text: Buffer): Deflated {
  return {
    bytes: deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH }),
    crc: crc32(text),
    length: text.length,
  }
}

/** A gzip member (RFC 1952) of precompressed data, with a few more bytes in a stored block (RFC 1951, 3.2.4). */
function gzipped(start: Deflated, end: Buffer): Buffer[] {
  const stored = Buffer.from([
    1,
    end.length & 255,
    end.length >> 8,
    ~end.length & 255,
    (~end.length >> 8) & 255,
  ])
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(end, start.crc), 0)
  trailer.writeUInt32LE((start.length + end.length) >>> 0, 4)
  return [gzipHeader, start.bytes, Buffer.concat([stored, end, trailer])]
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
