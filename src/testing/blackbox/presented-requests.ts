import type { Presented } from './credentials.ts'
import type { RawAnswer } from './wire.ts'

/** An endpoint: its address, method and headers. */
export interface Entrance {
  name: string
  method: string
  path: string
  /** Header lines. */
  lines: string[]
  body?: string
  /** Content type of the body; JSON unless set. */
  type?: string
}

/** The bytes of a request with this variant instead of a key. */
export function presentedBytes(
  url: string,
  entrance: Entrance,
  { lines = [], query, target, body, type, trailers }: Presented,
): string {
  const { host } = new URL(url)
  const path =
    query === undefined
      ? entrance.path
      : `${entrance.path}${entrance.path.includes('?') ? '&' : '?'}${query}`
  const text = body ?? entrance.body ?? ''
  const sized = text === '' ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]
  const framed = trailers ? ['Transfer-Encoding: chunked', 'Trailer: Authorization'] : sized
  const ownType = body === undefined ? entrance.type : undefined
  const head = [
    `${entrance.method} ${target ? target(path, host) : path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...entrance.lines,
    ...(text === '' ? [] : [`Content-Type: ${type ?? ownType ?? 'application/json'}`]),
    ...framed,
    ...lines,
  ]
  const sent = trailers
    ? `${text.length.toString(16)}\r\n${text}\r\n0\r\n${trailers.join('\r\n')}\r\n\r\n`
    : text
  return `${head.join('\r\n')}\r\n\r\n${sent}`
}

/** Formats an answer without the parts that identify the request. */
export function withoutRequestId({ status, headers, body }: RawAnswer): string {
  const headerPairs = headers.filter(
    ([name]) => !['x-request-id', 'date', 'content-length', 'transfer-encoding'].includes(name),
  )
  return JSON.stringify([
    status,
    headerPairs,
    body.replace(/"request_id":"[^"]*"/, '"request_id":""'),
  ])
}
