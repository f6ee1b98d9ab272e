import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from 'srvx'
import type { App } from '../core/app.ts'
import { answerBroken } from './broken.ts'
import { WebApp } from './web-app.ts'

/** How long requests that are under way may take once the server is to end, in milliseconds. */
const grace = 9_000
const mostConnections = 1000

/** Against callers who are slow, or send without end. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}

export interface RunningServer {
  /** Where it listens. */
  url: string
  /** Takes no new connections, ends streams, lets what is under way finish, and cuts off what does not. */
  close(): Promise<void>
}

/** Serves a workspace over HTTP. Sets `app.baseUrl` where no setting did. Port 0 takes a free one. */
export async function startServer(app: App, listen: { host: string; port: number }): Promise<RunningServer> {
  const web = new WebApp(app, listen.host)
  const server = serve({ fetch: web.fetch, hostname: listen.host, port: listen.port, silent: true, gracefulShutdown: false, node: limits })
  const node = server.node!.server as Server
  node.maxConnections = mostConnections
  node.on('clientError', answerBroken)
  await server.ready()
  const url = urlOf(node, listen.host)
  app.baseUrl ||= url
  return { url, close: () => close(node, web) }
}

function urlOf(node: Server, host: string): string {
  const { port } = node.address() as { port: number }
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function close(node: Server, web: WebApp): Promise<void> {
  const deadline = performance.now() + grace
  web.retire()
  const closed = new Promise<void>(resolve => node.close(() => resolve()))
  // Connections that are kept alive count as open until they idle, and each of them idles at another moment.
  const sweep = setInterval(() => node.closeIdleConnections(), 20)
  while (web.underWay > 0 && performance.now() < deadline) await pause(5)
  await web.endStreams()
  await Promise.race([closed, pause(Math.max(0, deadline - performance.now()), undefined, { ref: false })])
  clearInterval(sweep)
  node.closeAllConnections()
}

/** The same pages, as tests call them without a port. */
export function makeFetch(app: App): (request: Request) => Promise<Response> {
  const web = new WebApp(app, '127.0.0.1')
  return async request => web.fetch(request)
}
