import type { Server } from 'node:http'
import type { Http2SecureServer } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from 'srvx'
import type { App } from '../operations/app.ts'
import type { TestExtensions } from '../mcp/handler.ts'
import { tlsOptionsOf, type Certificate } from '../tls/certificate.ts'
import { answerBroken } from './transport/broken-requests.ts'
import { Connections } from './transport/connections.ts'
import { Http2Connections, http2Options } from './transport/http2.ts'
import { watchBodies } from './transport/late-bodies.ts'
import { startRedirect } from './transport/redirect.ts'
import { SlowReaders } from './transport/slow-readers.ts'
import { limits, maxRequests, maxRequestMs } from './transport/timeouts.ts'
import { WebApp } from './web-app.ts'

const defaultGraceMs = 9_000
const maxConnections = 1000

const tlsOptions = { handshakeTimeout: 10_000, allowHTTP1: true, ...http2Options }
const http2Limits = {
  idle: 30_000,
  request: maxRequestMs,
  answer: 20_000,
  maxRequests: 4_000,
  maxRequestsPerConnection: 8,
}

export interface Listen {
  host: string
  port: number
  /** With a certificate the server speaks HTTPS, over HTTP/2 and 1.1. */
  certificate?: Certificate | undefined
  /** A plain HTTP port that redirects browsers to the server. */
  redirectPort?: number | undefined
  /** Folder of the web app's build; for tests only. */
  webFolder?: URL | undefined
}

export interface RunningServer {
  /** Address on which it listens. */
  url: string
  /** Connections that are open. */
  readonly connections: number
  /** Unsent bytes buffered for callers. */
  readonly unsentBytes: number
  /** Uses a new certificate for new connections. Existing connections stay open. */
  replaceCertificate(certificate: Certificate): void
  /**
   * Accepts no new connections, ends streams, lets running requests finish for `graceMs` (9 seconds if omitted), and
   * cuts off the rest.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Serves a workspace over HTTP. Sets `app.baseUrl` if not configured. Port 0 picks a free one. `mcpExtras`: for tests
 * only.
 */
export async function startServer(
  app: App,
  listen: Listen,
  mcpExtras?: TestExtensions,
): Promise<RunningServer> {
  const { host, port, certificate, redirectPort, webFolder } = listen
  const web = new WebApp(
    app,
    { host, isEncrypted: certificate !== undefined, webFolder },
    mcpExtras,
  )
  const tls = certificate ? { ...tlsOptions, ...tlsOptionsOf(certificate) } : {}
  const server = serve({
    fetch: web.fetch,
    hostname: host,
    port,
    silent: true,
    gracefulShutdown: false,
    node: { ...limits, ...tls },
  })
  const node = server.node!.server as Server
  node.maxConnections = maxConnections
  node.maxRequestsPerSocket = maxRequests
  watchBodies(node, maxRequestMs)
  const connections = new Connections(node, certificate !== undefined)
  const http2 = certificate
    ? new Http2Connections(node as unknown as Http2SecureServer, http2Limits)
    : undefined
  const slowReaders = new SlowReaders(connections.plaintextSockets)
  node.on('clientError', answerBroken)
  await server.ready()
  const url = urlOf(node, host, certificate ? 'https' : 'http')
  app.baseUrl ||= url
  if (!web.hasPages) app.log.info('the web app is not built: run npm run build')
  const redirect = redirectPort
    ? await startRedirect(
        { host, port: redirectPort },
        () => app.baseUrl,
        (key) => app.limits.exposure.reportText(key, 'clear_http'),
      )
    : undefined
  return {
    url,
    get connections() {
      return connections.count
    },
    get unsentBytes() {
      return [...connections.plaintextSockets].reduce(
        (sum, socket) => sum + socket.writableLength,
        0,
      )
    },
    replaceCertificate: (next) =>
      (node as unknown as Http2SecureServer).setSecureContext(tlsOptionsOf(next)),
    async close(graceMs = defaultGraceMs) {
      await Promise.all([close({ node, connections, http2, web }, graceMs), redirect?.close()])
      slowReaders.stop()
    },
  }
}

function urlOf(node: Server, host: string, scheme: string): string {
  const { port } = node.address() as { port: number }
  if (host === '0.0.0.0' || host === '::') return `${scheme}://localhost:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface ServerParts {
  node: Server
  connections: Connections
  http2: Http2Connections | undefined
  web: WebApp
}

async function close(
  { node, connections, http2, web }: ServerParts,
  graceMs: number,
): Promise<void> {
  const deadline = performance.now() + graceMs
  web.markUnready()
  const closed = new Promise<void>((resolve) => node.close(() => resolve()))
  http2?.close()
  // Keep-alive connections count as open until idle, each at a different time.
  const sweep = setInterval(() => closeIdle(node, connections), 20)
  while (web.pendingRequests > 0 && performance.now() < deadline) await pause(5)
  await web.endStreams()
  await Promise.race([
    closed,
    pause(Math.max(0, deadline - performance.now()), undefined, { ref: false }),
  ])
  clearInterval(sweep)
  for (const socket of connections.all) socket.destroy()
}

function closeIdle(node: Server, connections: Connections): void {
  node.closeIdleConnections()
  connections.endUnused()
}

/** The same pages, as tests call them without a port. */
export function makeFetch(app: App, webFolder?: URL): (request: Request) => Promise<Response> {
  const web = new WebApp(app, { host: '127.0.0.1', webFolder })
  return async (request) => web.fetch(request)
}
