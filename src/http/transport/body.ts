import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../kernel/refusal.ts'
import { maxRequestBytes } from '../../kernel/request-size.ts'
import type { Incoming } from './request-info.ts'
import { parseJson } from './json.ts'

/** Content type of JSON bodies; SCIM allows another one. */
const plainJson = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/**
 * Limits on time and bytes for reading the rest of a body that was refused as too large, before the connection ends.
 */
const maxLingerMs = 2000
const maxLingerBytes = 64 * 2 ** 20

/**
 * Parses the JSON body of a request; undefined without a body.
 * @throws Refusal too_large, unsupported_media_type, or invalid_argument
 */
export async function readJson(incoming: Incoming, types = plainJson): Promise<unknown> {
  if (!incoming.hasBody) return undefined
  if (incoming.isHttp2 && incoming.header('content-length') === undefined)
    return readOpenEnded(incoming, types)
  checkType(incoming, types)
  if (Number(incoming.header('content-length') ?? 0) > maxRequestBytes) throw tooLarge()
  const bytes = await (incoming.node ? readNode(incoming.node) : readWeb(incoming.request))
  return parseJson(bodyTextOf(bytes))
}

/** Over HTTP/2, the end of the body may be the first sign whether there is one. */
async function readOpenEnded(incoming: Incoming, types: RegExp): Promise<unknown> {
  const bytes = await readNode(incoming.node!)
  if (bytes.length === 0) return undefined
  checkType(incoming, types)
  return parseJson(bodyTextOf(bytes))
}

function checkType(incoming: Incoming, types: RegExp): void {
  const type = incoming.header('content-type') ?? ''
  if (!types.test(type)) {
    throw new Refusal(
      'unsupported_media_type',
      type === ''
        ? 'The body has no Content-Type.'
        : `The body is ${JSON.stringify(type.slice(0, 80))}.`,
      'Send JSON as Content-Type: application/json.',
    )
  }
  const encoding = incoming.header('content-encoding') ?? 'identity'
  if (!/^identity$/i.test(encoding))
    throw new Refusal(
      'unsupported_media_type',
      `The body is encoded as ${JSON.stringify(encoding.slice(0, 40))}.`,
      'Send it uncompressed, without Content-Encoding.',
    )
}

function bodyTextOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid_argument', 'The body is not valid UTF-8.')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new Refusal(
      'invalid_argument',
      'The body begins with a byte order mark.',
      'Send it without.',
    )
  return bytes.toString('utf8')
}

function tooLarge(maxBytes = maxRequestBytes): Refusal {
  return new Refusal('too_large', `The body is larger than ${maxBytes} bytes.`, {
    context: { limit: maxBytes },
  })
}

/**
 * Reads the bytes of a body of any type.
 * @throws Refusal too_large, or invalid_argument if it ended early
 */
export function readBytes(incoming: Incoming, limit: number): Promise<Buffer> {
  if (!incoming.hasBody) return Promise.resolve(Buffer.alloc(0))
  if (Number(incoming.header('content-length') ?? 0) > limit) return Promise.reject(tooLarge(limit))
  return incoming.node ? readNode(incoming.node, limit) : readWeb(incoming.request, limit)
}

function readNode(request: IncomingMessage, maxBytes = maxRequestBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const settle = (refuse?: () => Refusal) => {
      request.off('data', take).off('end', settle).off('close', onClosed).off('error', onClosed)
      if (refuse) reject(refuse())
      else resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
    }
    const take = (part: Buffer) => {
      size += part.length
      if (size > maxBytes) settle(() => tooLarge(maxBytes))
      else parts.push(part)
    }
    const onClosed = () => settle(incompleteBody)
    request.on('data', take).on('end', settle).on('close', onClosed).on('error', onClosed)
  })
}

async function readWeb(request: Request, limit = maxRequestBytes): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body!) {
    size += part.byteLength
    if (size > limit) throw tooLarge(limit)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function incompleteBody(): Refusal {
  return new Refusal('invalid_argument', 'The body ended before it was complete.')
}

/**
 * Body of an answer sent while the request is still arriving. It sends everything at once and ends when the request
 * has ended, or after a while: closing a connection with unread bytes resets it and loses the answer.
 */
export function lingeringBody(request: IncomingMessage, text: string): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(Buffer.from(text)),
      pull: async (controller) => {
        await drain(request)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let size = 0
    const done = () => {
      clearTimeout(timer)
      request.off('data', count)
      resolve()
    }
    const count = (part: Buffer) => {
      size += part.length
      if (size > maxLingerBytes) done()
    }
    const timer = setTimeout(done, maxLingerMs)
    if (request.complete || request.destroyed) return done()
    request.on('data', count)
    request.once('end', done)
    request.once('close', done)
    request.resume()
  })
}
