import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { HttpRefusal, problemDetails } from './problem.ts'

/**
 * Answers what Node could not parse as a request: invalid HTTP, headers that are too large, a request that took too
 * long. If the answer cannot be delivered, the socket just ends.
 */
export function answerBroken(error: Error & { code?: string }, socket: Socket): void {
  if (!/^(HPE_|ERR_HTTP_)/.test(error.code ?? '') || !socket.writable) return void socket.destroy() // what fails below HTTP gets no answer in HTTP
  const refusal = brokenRequestRefusal(error.code)
  const requestId = randomUUID()
  const body = JSON.stringify(problemDetails(refusal, requestId))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.on('error', () => {}) // the client is gone, so the error does not matter
  setTimeout(() => socket.destroy(), 1000).unref()
}

function brokenRequestRefusal(code: string | undefined): HttpRefusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpRefusal(431, 'too_large', 'The request headers are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpRefusal(408, 'invalid_argument', 'The request took too long to arrive.')
  return new HttpRefusal(400, 'invalid_argument', 'This is not a valid HTTP request.')
}
