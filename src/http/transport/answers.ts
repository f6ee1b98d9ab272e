import { hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { FastResponse } from 'srvx'
import { crossOriginHeaders } from './cross-origin.ts'
import type { Incoming } from './request-info.ts'

export type HeaderList = readonly (readonly [string, string])[]
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array> | null

const securityHeaders: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
]
const httpsHeaders: HeaderList = [
  ...securityHeaders,
  ['strict-transport-security', 'max-age=31536000'],
]
const dataHeaders: HeaderList = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
]
const jsonHeaders: HeaderList = [...dataHeaders, ['content-type', 'application/json']]

/** Headers of every answer. */
function commonHeadersOf(incoming: Incoming): HeaderList {
  const { isSecure, isCrossOrigin, requestId, rateLimit, position } = incoming
  const baseHeaders: HeaderList = [
    ...(isSecure ? httpsHeaders : securityHeaders),
    ...(isCrossOrigin ? crossOriginHeaders : []),
    ['x-request-id', requestId],
    ...(position === undefined ? [] : [['x-position', String(position)] as const]),
  ]
  return rateLimit
    ? [...baseHeaders, ['ratelimit-policy', rateLimit.policy], ['ratelimit', rateLimit.limit]]
    : baseHeaders
}

/** Adds the common headers to an answer made elsewhere, without replacing its own. */
export function withCommonHeaders(
  incoming: Incoming,
  response: Response,
  more: HeaderList = [],
): Response {
  response.headers.delete('connection') // Node decides whether the connection stays open: a caller who is told wrongly gets no answer to the next request
  for (const [name, value] of [...commonHeadersOf(incoming), ...more])
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

/** The bytes of a body that may have to be sent in pieces. */
function bytesOf(body: AnswerBody): Uint8Array | undefined {
  if (typeof body === 'string') return body.length > pieceSize ? Buffer.from(body) : undefined
  return body instanceof Uint8Array ? body : undefined
}

/** An answer with the common headers and these. */
export function respondWith(
  incoming: Incoming,
  status: number,
  body: AnswerBody,
  headers: HeaderList,
): Response {
  const all = [...commonHeadersOf(incoming), ...headers] as [string, string][]
  const bytes = bytesOf(body)
  if (!bytes || bytes.length <= pieceSize)
    return new FastResponse(body as string, { status, headers: all })
  return new FastResponse(chunkedBody(bytes), {
    status,
    headers: [...all, ['content-length', String(bytes.length)]],
  })
}

/**
 * Maximum number of bytes written to a connection at once. The rest stays in the shared buffer and is not copied
 * into each connection.
 */
const pieceSize = 128 * 1024

function chunkedBody(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += pieceSize)))
      if (at >= bytes.length) controller.close()
    },
  })
}

/** A data answer: JSON unless its own headers name another type, never cached. */
export function answerJson(
  incoming: Incoming,
  status: number,
  text: AnswerBody,
  more: HeaderList = [],
): Response {
  return respondWith(
    incoming,
    status,
    text,
    more.some(([name]) => name === 'content-type')
      ? [...dataHeaders, ...more]
      : [...jsonHeaders, ...more],
  )
}

/**
 * JSON in several buffers, written one after another: large ones shared by many answers are not copied for each.
 * The server only needs to pipe such a body.
 */
export function answerPieces(
  incoming: Incoming,
  pieces: readonly Uint8Array[],
  more: HeaderList,
): Response {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const body = {
    pipe(to: Writable) {
      for (const piece of pieces) to.write(piece)
      to.end()
    },
  }
  return respondWith(incoming, 200, body as unknown as AnswerBody, [
    ...jsonHeaders,
    ['content-length', String(length)],
    ['vary', 'accept-encoding'],
    ...more,
  ])
}

export function answerEmpty(incoming: Incoming, status: number, more: HeaderList = []): Response {
  return respondWith(incoming, status, null, [...dataHeaders, ...more])
}

/**
 * Text that does not change while the process runs: compressed once, and not sent again to clients that have it
 * cached.
 */
export class StaticAnswer {
  readonly #plain: Buffer
  readonly #gzipped: Buffer
  readonly #etag: string
  readonly #headers: HeaderList

  constructor(bytes: Buffer | string, headers: HeaderList) {
    this.#plain = Buffer.from(bytes)
    this.#gzipped = gzipSync(this.#plain)
    this.#etag = etagOf(this.#plain)
    this.#headers = [
      ['etag', this.#etag],
      ['cache-control', 'no-cache'],
      ['vary', 'accept-encoding'],
      ...headers,
    ]
  }

  answer(incoming: Incoming): Response {
    if (incoming.header('if-none-match')?.includes(this.#etag))
      return respondWith(incoming, 304, null, this.#headers)
    if (!acceptsGzip(incoming.header('accept-encoding')))
      return respondWith(incoming, 200, this.#plain, this.#headers)
    return respondWith(incoming, 200, this.#gzipped, [
      ...this.#headers,
      ['content-encoding', 'gzip'],
    ])
  }
}

/** A strong entity tag of these bytes. */
export function etagOf(content: string | Uint8Array): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`
}

/** Whether an If-None-Match matches the current tag. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    (header.trim() === '*' ||
      header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag))
  )
}

/** Whether an Accept-Encoding header accepts gzip. */
export function acceptsGzip(accepted: string | undefined): boolean {
  const match =
    accepted === undefined
      ? null
      : /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i.exec(accepted)
  return match !== null && Number(match[1] ?? 1) > 0
}
