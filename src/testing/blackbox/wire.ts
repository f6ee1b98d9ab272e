// Raw HTTP bytes, for requests that no client library would send.

import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  /** Lower-case names, in order. */
  headers: [string, string][]
  body: string
}

/** Sends bytes over a new connection, which the request should ask to close. Undefined: it ended without an answer. */
export function exchange(
  url: string,
  bytes: string | Buffer,
  timeoutMs = 5000,
): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = dial(url)
    const parts: Buffer[] = []
    const done = () => {
      socket.destroy()
      resolve(answerIn(Buffer.concat(parts).toString('latin1')))
    }
    socket.setTimeout(timeoutMs, done)
    socket.on('data', (part) => {
      parts.push(part)
      if (isWhole(Buffer.concat(parts).toString('latin1'))) done()
    })
    socket.on('end', done)
    socket.on('error', (error) => (parts.length > 0 ? done() : reject(error)))
    socket.write(bytes)
  })
}

/** A new connection, before any data. */
export function dial(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/** True if a response is complete, or is a stream with its first event. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = text.slice(0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  return (
    text.endsWith('\r\n0\r\n\r\n') ||
    (head.includes('text/event-stream') && text.includes('\n\n', end + 4))
  )
}

function answerIn(text: string): RawAnswer | undefined {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  if (status === undefined) return undefined
  const end = text.indexOf('\r\n\r\n')
  const lines = text.slice(0, end).split('\r\n').slice(1)
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const isChunked = headers.some(
    ([name, value]) => name === 'transfer-encoding' && value === 'chunked',
  )
  const rest = text.slice(end + 4)
  return { status: Number(status), headers, body: isChunked ? unchunked(rest) : rest }
}

function unchunked(text: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, end), 16)
    if (end < 0 || !(size > 0)) return body
    body += text.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}
