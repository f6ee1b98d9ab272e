import { isInitializeRequest, type Server } from '@modelcontextprotocol/server'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Caller } from '../caller.ts'
import { withoutNulls } from '../plain.ts'
import { Session } from './session.ts'
import type { SessionMessage } from './session-client.ts'
import { McpSessions, type McpSession } from './sessions.ts'
import type { ConnectionRequest } from '../surface/selection.ts'
import { SseSession } from './sse.ts'
import { surfaceOf } from '../surface/surface.ts'

/** A message for an HTTP+SSE session, named by the address. */
export interface SseMessage {
  request: Request
  id: string
  body: unknown
  from: Omit<Caller, 'surface'>
}

export interface SessionEndpointOptions {
  /** Milliseconds for which a call continues after its client stopped waiting. */
  graceMs: number
  makeServer: (caller: Caller) => Server
}

/** The protocols that have sessions: Streamable HTTP up to 2025-11-25, and HTTP+SSE of 2024-11-05. */
export class SessionEndpoint {
  readonly #app: App
  readonly #options: SessionEndpointOptions
  readonly #sessions: McpSessions
  /** Created once: a closure would retain its scope, here a whole request for as long as a session lasts. */
  readonly #removeSession = (mcpSession: McpSession): void => this.#sessions.remove(mcpSession)

  constructor(app: App, options: SessionEndpointOptions) {
    this.#app = app
    this.#options = options
    this.#sessions = new McpSessions(app)
  }

  /**
   * Whether a message begins a session: a valid handshake by a client that accepts streams. Others are served without
   * one.
   */
  beginsSession({ headers }: Request, body: unknown): boolean {
    const accept = headers.get('accept') ?? ''
    if (
      (body as { method?: unknown }).method !== 'initialize' ||
      !accept.includes('text/event-stream') ||
      !accept.includes('application/json')
    )
      return false
    return isInitializeRequest(body)
  }

  /** @throws Refusal rate_limited */
  async open(message: SessionMessage): Promise<Response> {
    const { actor } = message.caller
    this.#sessions.makeRoom(actor)
    const session = new Session({
      app: this.#app,
      actor,
      graceMs: this.#options.graceMs,
      server: this.#options.makeServer(message.caller),
      onEnded: this.#removeSession,
    })
    this.#sessions.add(session)
    const response = await session.begin(message)
    if (!response.ok) session.end()
    return response
  }

  /** The session named by a request, if any. @throws Refusal not_found */
  find({ headers }: Request, actor: Actor): Session | undefined {
    const id = headers.get('mcp-session-id')
    if (id === null) return undefined
    const session = this.#sessions.find(id, actor)
    if (!(session instanceof Session)) throw noSession()
    session.touch()
    return session
  }

  /** Answers GET and DELETE. @throws Refusal not_found, invalid_argument or rate_limited */
  async answer(request: Request, actor: Actor): Promise<Response> {
    const session = this.find(request, actor)
    if (!session) throw noSession()
    return request.method === 'DELETE' ? session.delete(request) : session.listen(request)
  }

  /** Opens the stream of an HTTP+SSE client. @throws Refusal rate_limited */
  async openSse({ url, headers }: Request, from: Omit<Caller, 'surface'>): Promise<Response> {
    this.#sessions.makeRoom(from.actor)
    const request: ConnectionRequest = { url, headers: new Headers(headers) } // a copy, so that the received request is not retained for as long as the stream
    const caller: Caller = { ...from, surface: surfaceOf(this.#app, from.actor.key, request) }
    const session = new SseSession({
      app: this.#app,
      caller,
      request,
      server: this.#options.makeServer(caller),
      onEnded: this.#removeSession,
    })
    this.#sessions.add(session)
    return session.open()
  }

  /** Accepts a message of an HTTP+SSE client. @throws Refusal not_found or invalid_argument */
  acceptSse({ request, id, body, from }: SseMessage): void {
    const session = this.#sessions.find(id, from.actor)
    if (!(session instanceof SseSession)) throw noSession()
    session.accept(request, withoutNulls(body), {
      ...from,
      surface: surfaceOf(this.#app, from.actor.key, session.request),
    })
  }

  close(): void {
    this.#sessions.endAll()
  }
}

function noSession(): Refusal {
  return new Refusal(
    'not_found',
    'Session not found: it has ended or belongs to another key.',
    'Start a new one with initialize.',
  )
}
