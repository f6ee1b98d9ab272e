// The MIME parser with two changes: attachments keep their original bytes, and 8-bit text without a usable charset is
// read as UTF-8 if valid. Runs in the process of reading.ts.

import PostalMime, { type PostalMimeOptions } from 'postal-mime'
import { isWeakCharset } from './headers.ts'

/** A part, with the fields used here. The parser's tree is not part of its public interface; its version is pinned. */
export interface MimeNode {
  state: 'header' | 'body' | 'finished'
  contentType: {
    multipart: string | false
    parsed: { value: string; params: Record<string, string> }
  }
  contentTransferEncoding: { encoding: string }
  childNodes: MimeNode[]
  content: ArrayBuffer | null
}

export interface MimeTree {
  root: MimeNode
  isInlineTextNode(node: MimeNode): boolean
}

interface ParserInternals extends MimeTree {
  buf: ArrayBuffer
  readPos: number
  currentNode: MimeNode
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
}

const Parser = PostalMime as unknown as new (
  options: PostalMimeOptions,
) => PostalMime & ParserInternals

interface Range {
  start: number
  end: number
  /** Ended by a boundary, which includes the preceding line end (RFC 2046, 5.1.1). */
  isBounded: boolean
}

/** A parser for a single message. */
export class ExactParser extends Parser {
  readonly #ranges = new Map<MimeNode, Range>()
  readonly #processed = new Set<MimeNode>()

  override async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    const node = this.currentNode
    const hasBody = node.state === 'body'
    await super.processLine(line, isFinal)
    if (!hasBody || node.contentType.multipart) return
    const range = this.#ranges.get(node) ?? {
      start: line.byteOffset,
      end: line.byteOffset,
      isBounded: false,
    }
    this.#ranges.set(node, range)
    if (this.currentNode === node) range.end = this.readPos
    else range.isBounded = true
  }

  /** Called for each part once all lines are read, before its content is extracted. */
  override isInlineTextNode(node: MimeNode): boolean {
    const isText = super.isInlineTextNode(node)
    if (this.#processed.has(node) || !node.content) return isText
    this.#processed.add(node)
    if (!isText) node.content = this.#exactContent(node) ?? node.content
    const { params } = node.contentType.parsed
    if (isWeakCharset(params.charset))
      params.charset = fitsUtf8(new Uint8Array(node.content)) ? 'utf-8' : 'windows-1252'
    return isText
  }

  /** The original bytes; undefined if the parser decodes them exactly. */
  #exactContent(node: MimeNode): ArrayBuffer | undefined {
    const { encoding } = node.contentTransferEncoding
    if (encoding === 'base64') return undefined
    const range = this.#ranges.get(node)
    if (!range) return new ArrayBuffer(0)
    const bytes = new Uint8Array(this.buf, range.start, range.end - range.start)
    const content = range.isBounded ? withoutLineEnd(bytes) : bytes
    const exact = encoding === 'quoted-printable' ? decodeQuotedPrintable(content) : content
    return exact.slice().buffer as ArrayBuffer
  }
}

function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== 0x0a) return bytes
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1)
}

/** Decodes quoted-printable without changing line ends. Spaces before a line end come from the transport. */
function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at)
    const next = newline < 0 ? bytes.length : newline + 1
    let lineEnd = newline < 0 ? next : newline
    if (newline > at && bytes[newline - 1] === 0x0d) lineEnd--
    let end = lineEnd
    while (end > at && (bytes[end - 1] === 0x20 || bytes[end - 1] === 0x09)) end--
    const isSoft = end > at && bytes[end - 1] === 0x3d
    if (isSoft) end--
    for (let i = at; i < end; i++) {
      const byte =
        bytes[i] === 0x3d && i + 2 < end ? hexByte(bytes[i + 1]!, bytes[i + 2]!) : undefined
      if (byte === undefined) decoded[length++] = bytes[i]!
      else {
        decoded[length++] = byte
        i += 2
      }
    }
    if (!isSoft) for (let i = lineEnd; i < next; i++) decoded[length++] = bytes[i]!
    at = next
  }
  return decoded.subarray(0, length)
}

function hexByte(high: number, low: number): number | undefined {
  const digits = String.fromCharCode(high, low)
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

export function fitsUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
