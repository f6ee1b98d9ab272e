import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

/** An external web server, on loopback: stores requests, and responds as set by the test. */
export interface Receiver {
  url: string
  /** Value for `outbound_allow`. */
  opening: string
  readonly received: Received[]
  /** Maximum number of concurrent requests so far. */
  readonly most: number
  close(): Promise<void>
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds before the response. */
  after?: number
}

export async function startReceiver(
  reply: (request: Received, n: number) => Reply | 'never' = () => ({}),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = []
  let under = 0
  let maxConcurrent = 0
  const server = createServer((request, response) => {
    maxConcurrent = Math.max(maxConcurrent, ++under)
    response.on('close', () => under--)
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const got = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body,
        at: performance.now(),
      }
      received.push(got)
      const answer = reply(got, received.length)
      if (answer === 'never') return
      setTimeout(
        () => response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? 'ok'),
        answer.after ?? 0,
      )
    })
  })
  await new Promise<void>((go) => server.listen(port, '127.0.0.1', go))
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${at}`,
    opening: at,
    received,
    get most() {
      return maxConcurrent
    },
    close: () =>
      new Promise((go) => {
        server.closeAllConnections()
        server.close(() => go())
      }),
  }
}
