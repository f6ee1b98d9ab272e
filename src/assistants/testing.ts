import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { serve } from 'srvx'

/**
 * A server built with the official SDK alone, with everything the bridge must support: sessions, progress,
 * notifications, cancellation.
 */
export interface SdkInstance {
  url: string
  /** One line per message: HTTP method, session or era, message. */
  seen: string[]
  /** Names of tools with a cancelled call. */
  cancelled: string[]
  headers: Headers[]
  /** Forgets all sessions, as a restart does. */
  forget(): Promise<void>
  /** Notifies every session that the list of tools has changed. */
  announce(): Promise<void>
  /** Leaves messages in a session unanswered until the returned function is called. */
  hold(): () => void
  close(): Promise<void>
}

export async function serveSdk(): Promise<SdkInstance> {
  const sessions = new Map<
    string,
    { transport: WebStandardStreamableHTTPServerTransport; server: Server }
  >()
  const seen: string[] = []
  const cancelled: string[] = []
  const headers: Headers[] = []
  let gate: Promise<void> | undefined
  const modernHandler = createMcpHandler(() => serverWith(cancelled), { legacy: 'reject' })

  const handleRequest = async (request: Request): Promise<Response> => {
    const body =
      request.method === 'POST'
        ? ((await request.clone().json()) as { method?: string })
        : undefined
    headers.push(request.headers)
    const id = request.headers.get('mcp-session-id')
    const isLegacy = request.method !== 'POST' || (await isLegacyRequest(request.clone()))
    const sessionState = id ? 'session' : 'none'
    seen.push(`${request.method} ${isLegacy ? sessionState : 'modern'} ${body?.method ?? '-'}`)
    if (!isLegacy) return modernHandler.fetch(request)
    if (id !== null && request.method === 'POST') await gate
    const session = id === null ? await openSession() : sessions.get(id)
    return session
      ? session.transport.handleRequest(request)
      : Response.json(
          { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
          { status: 404 },
        )
  }
  const openSession = async () => {
    const server = serverWith(cancelled)
    const session = {
      server,
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, session),
        onsessionclosed: (id) => void sessions.delete(id),
      }),
    }
    await server.connect(session.transport)
    return session
  }
  const forget = async () => {
    const all = [...sessions.values()]
    sessions.clear()
    for (const { server } of all) await server.close()
  }

  const httpServer = serve({
    fetch: handleRequest,
    hostname: '127.0.0.1',
    port: 0,
    silent: true,
    gracefulShutdown: false,
  })
  await httpServer.ready()
  return {
    url: httpServer.url!.replace(/\/$/, ''),
    seen,
    cancelled,
    headers,
    forget,
    hold: () => {
      let release = (): void => {}
      gate = new Promise((go) => (release = go))
      return () => {
        gate = undefined
        release()
      }
    },
    announce: async () => {
      for (const { server } of sessions.values())
        await server.notification({ method: 'notifications/tools/list_changed' })
    },
    close: async () => {
      await forget()
      await modernHandler.close()
      await httpServer.close(true)
    },
  }
}

/** Tools: `echo`; `count`, which reports progress; `wait`, which ends only when cancelled. */
function serverWith(cancelled: string[]): Server {
  const server = new Server(
    { name: 'sdk', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: ['echo', 'count', 'wait'].map((name) => ({
      name,
      inputSchema: { type: 'object' as const },
    })),
  }))
  server.setRequestHandler(
    'tools/call',
    async ({ params: { name, arguments: args } }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (const progress of name === 'count' && progressToken !== undefined ? [1, 2, 3] : []) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress },
        })
      }
      if (name === 'wait') await whenAborted(mcpReq.signal).then(() => cancelled.push(name))
      return { content: [{ type: 'text', text: JSON.stringify(args ?? {}) }] }
    },
  )
  return server
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
