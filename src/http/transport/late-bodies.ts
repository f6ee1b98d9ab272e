import type { IncomingMessage, Server } from 'node:http'

/**
 * True for upload addresses: large bodies are monitored while they are received (uploads.ts), and may take as long as
 * they make progress.
 */
export const isUpload = (path: string | undefined) =>
  path !== undefined && /^\/uploads\//.test(path)

/**
 * Ends HTTP/1.1 requests with a body that takes too long to arrive, like Node's requestTimeout, except for uploads.
 */
export function watchBodies(server: Server, timeoutMs: number): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.httpVersionMajor !== 1 || !hasBody(request) || isUpload(request.url)) return
    const timeout = setTimeout(() => {
      if (!request.complete)
        server.emit(
          'clientError',
          Object.assign(new Error('The body took too long to arrive.'), {
            code: 'ERR_HTTP_REQUEST_TIMEOUT',
          }),
          request.socket,
        )
    }, timeoutMs).unref()
    request.once('close', () => clearTimeout(timeout))
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0'
}
