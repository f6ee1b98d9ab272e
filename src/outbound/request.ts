import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Unreachable, type Target } from './guard.ts'

export interface OutboundRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'PROPFIND' | 'REPORT'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
}

export interface OutboundResponse {
  /** Redirects are ordinary responses: they are not followed. */
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** True if the response exceeded the limit and was cut there. */
  isTruncated: boolean
}

const maxHeaderBytes = 16_384

/**
 * One request and its response over an existing connection, which is closed afterwards.
 * @throws Unreachable protocol, timeout
 */
export function exchangeOnce(
  target: Target,
  url: URL,
  socket: Socket,
  options: OutboundRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const body = options.body === undefined ? undefined : Buffer.from(options.body)
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy()
      reject(signal.aborted ? (signal.reason as Error) : new Unreachable(target, 'protocol', error))
    }
    const request = send({
      createConnection: () => socket, // no agent, and therefore no proxy from the environment
      method: options.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        ...options.headers,
        host: url.host,
        connection: 'close',
        ...(body ? { 'content-length': String(body.length) } : {}),
      },
      maxHeaderSize: maxHeaderBytes,
      signal,
    })
    request.on('error', fail).on('upgrade', () => fail(new Error('It wanted another protocol.')))
    request.on('response', (response) =>
      readResponse(response, maxBytes).then((answer) => {
        socket.destroy()
        resolve(answer)
      }, fail),
    )
    request.end(body)
  })
}

async function readResponse(
  response: IncomingMessage,
  maxBytes: number,
): Promise<OutboundResponse> {
  const parts: Buffer[] = []
  let size = 0
  let isTruncated = false
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    parts.push(part)
    if (size > maxBytes) {
      isTruncated = true
      break
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(parts).subarray(0, maxBytes),
    isTruncated,
  }
}
