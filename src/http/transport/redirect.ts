import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerBroken } from './broken-requests.ts'
import { bearerOf, tlsRequired, isForPrograms } from './cleartext.ts'
import { problemDetails } from './problem.ts'
import { limits } from './timeouts.ts'

/** Low: these requests are short. */
const maxConnections = 200

export interface Redirect {
  port: number
  close(): Promise<void>
}

/**
 * The plain HTTP port beside HTTPS: redirects browsers that request a page and refuses programs, so that their
 * operators notice at the first call. `noteKey` receives keys sent unencrypted.
 */
export async function startRedirect(
  listen: { host: string; port: number },
  baseUrl: () => string,
  noteKey: (key: string) => void,
): Promise<Redirect> {
  const server = createServer(limits, (request, response) => {
    const { authorization } = request.headers
    if (authorization !== undefined) noteKey(bearerOf(authorization))
    if (
      authorization !== undefined ||
      isForPrograms(request.url ?? '/') ||
      !/^(GET|HEAD)$/.test(request.method ?? '')
    )
      refuse(response, baseUrl())
    else redirectToHttps(request, response, baseUrl())
  })
  server.maxConnections = maxConnections
  server.on('clientError', answerBroken)
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(listen.port, listen.host, resolve),
  )
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The path is kept unchanged, but never the host: only the configuration decides the redirect target. */
function redirectToHttps(
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
  baseUrl: string,
): void {
  const path = url.startsWith('/') && !url.startsWith('//') ? url : '/'
  response
    .writeHead(308, { location: baseUrl + path, 'content-length': 0, connection: 'close' })
    .end()
}

function refuse(response: ServerResponse, baseUrl: string): void {
  const requestId = randomUUID()
  const refusal = tlsRequired(baseUrl)
  const text = JSON.stringify(problemDetails(refusal, requestId))
  response
    .writeHead(refusal.status, {
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'x-request-id': requestId,
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(text)
}
