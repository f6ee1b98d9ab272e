import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type RequestId,
  type Server,
  type StreamId,
} from '@modelcontextprotocol/server'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { describeError } from '../../db/failures.ts'
import type { Caller } from '../caller.ts'
import { authInfoOf } from '../message-context.ts'
import { EventBuffer } from './event-buffer.ts'
import { FollowedResources } from '../resources/followed-items.ts'
import { reconnectDelay, isEventStream } from './open-stream.ts'
import { OpenStreams } from './open-streams.ts'
import type { CallOutcome } from '../tools/results.ts'
import type { PendingRequest } from './run.ts'
import { PendingRequests } from './runs.ts'
import { eventsExpired, retryEventsFor } from './stream-words.ts'
import type { McpSession } from './sessions.ts'
import { sessionClient, unknownClient, type SessionMessage } from './session-client.ts'

/** Milliseconds for which the events of an idle session are kept. */
const eventRetention = 5 * 60_000
/** The SDK's name for the stream that GET opens. */
const standaloneStream = '_GET_stream'
/** The request being answered by the SDK. */
const answeredRequest = new AsyncLocalStorage<PendingRequest>()

export interface SessionOptions {
  app: App
  actor: Actor
  /** Milliseconds for which a call continues after its client stopped waiting. */
  graceMs: number
  server: Server
  onEnded: (session: Session) => void
}

/**
 * One session of the protocols before 2026-07-28. The SDK provides the transport; this class decides when the call of a
 * broken stream ends, tracks the calls that bypass the SDK, and ends the session with everything in it.
 */
export class Session implements McpSession {
  readonly id = randomBytes(24).toString('base64url')
  readonly actor: Actor
  readonly #app: App
  readonly #onEnded: (session: Session) => void
  readonly #events: EventBuffer
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #server: Server
  readonly #followed: FollowedResources
  readonly #runs: PendingRequests
  readonly #streams = new OpenStreams()
  #client = unknownClient
  #usedAt: number
  #hasEnded = false

  constructor({ app, actor, graceMs, server, onEnded }: SessionOptions) {
    this.#app = app
    this.actor = actor
    this.#runs = new PendingRequests(graceMs, (run) => this.#cancel(run))
    this.#onEnded = onEnded
    this.#usedAt = app.clock.now()
    this.#events = new EventBuffer(
      (stream, message) => this.#shouldStore(stream, message),
      () => app.clock.now(),
    )
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      eventStore: this.#events,
      retryInterval: reconnectDelay,
    })
    this.#followed = new FollowedResources(app, (uri) => this.#notifyUpdated(uri))
    this.#server = server
    this.#server.onclose = () => this.#close()
  }

  /** Whether its client opens pages for its person. */
  get opensPages(): boolean {
    return this.#client.opensPages
  }

  get usedAt(): number {
    return this.#usedAt
  }

  get isInUse(): boolean {
    return this.#runs.size > 0 || this.#streams.size > 0
  }

  touch(): void {
    this.#usedAt = this.#app.clock.now()
  }

  /** Answers the initialize request that begins the session. */
  async begin({ request, body, caller }: SessionMessage): Promise<Response> {
    this.#client = sessionClient(body)
    await this.#server.connect(this.#transport)
    return this.#transport.handleRequest(request, {
      parsedBody: body,
      authInfo: authInfoOf({ caller }),
    })
  }

  /** The sender of a message, with the client information from the initialization. */
  callerOf(caller: Caller): Caller {
    const { name = caller.client, rendersApps, takesTextOnly } = this.#client
    return { ...caller, client: name, rendersApps, takesTextOnly }
  }

  /** Passes a message to the SDK. `outcome`: of its call, if `run` has already begun it. */
  async post(
    { request, body, caller }: SessionMessage,
    run?: PendingRequest,
    outcome?: Promise<CallOutcome>,
  ): Promise<Response> {
    const message = body as { method?: unknown; id?: RequestId }
    const id = message.method === undefined ? undefined : message.id
    const authInfo = authInfoOf({
      caller,
      outcome,
      followed: this.#followed,
      opensPages: this.opensPages,
    })
    const options = { parsedBody: body, authInfo }
    if (id === undefined) return this.#accept(request, body, options)
    const currentRun = run ?? this.run(id, request)
    currentRun.isBySdk = true
    const response = await answeredRequest.run(currentRun, () =>
      this.#transport.handleRequest(request, options),
    )
    if (!isEventStream(response)) this.finish(currentRun)
    return response
  }

  /** Keeps track of a request until it is finished or cancelled. */
  run(id: RequestId, request: Request): PendingRequest {
    return this.#runs.start(id, request)
  }

  finish(run: PendingRequest): void {
    this.#runs.finish(run)
    this.touch()
  }

  /**
   * Opens or resumes the session's own stream. @throws Refusal rate_limited, or invalid_argument for an event that is
   * no longer stored
   */
  async listen(request: Request): Promise<Response> {
    const last = request.headers.get('last-event-id')
    const event = last === null ? undefined : this.#events.find(last)
    if (last !== null && !event) throw eventsExpired()
    if (event?.hasEnded) return new Response(null, { status: 204 }) // tells an EventSource not to reconnect
    const run = event && this.#runs.onStream(event.stream)
    const release = this.#app.live.registerStream(this.actor, () => this.end())
    if (event) this.#closePreviousStream(event.stream, run)
    const response = await this.#transport.handleRequest(request)
    if (!isEventStream(response)) {
      release()
      return response
    }
    if (run) this.#runs.wait(run, request)
    return this.#streams.keepOpen(response, retryEventsFor(request), () => {
      this.touch()
      release()
      if (run) this.#runs.stopWaiting(run, request)
    })
  }

  /** Ends the session at its client's request; refuses invalid requests. */
  delete(request: Request): Promise<Response> {
    return this.#transport.handleRequest(request)
  }

  tidy(now: number): void {
    if (this.#runs.size === 0) this.#events.forgetBefore(now - eventRetention)
  }

  end(): void {
    this.#streams.endAll()
    void this.#server.close().catch((error) => this.#logFailure(error))
    this.#close()
  }

  /** Handles a client's notification or response. */
  async #accept(
    request: Request,
    body: unknown,
    options: Parameters<WebStandardStreamableHTTPServerTransport['handleRequest']>[1],
  ): Promise<Response> {
    const response = await this.#transport.handleRequest(request, options)
    const { method, params } = body as { method?: string; params?: { requestId?: RequestId } }
    const run =
      response.status === 202 && method === 'notifications/cancelled'
        ? this.#runs.get(params?.requestId)
        : undefined
    if (run) this.#cancel(run)
    return response
  }

  /** Ends a call without an answer. */
  #cancel(run: PendingRequest): void {
    this.finish(run)
    run.abort()
    if (!run.isBySdk) return
    this.#transport.onmessage?.({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: run.id },
    })
    this.#transport.closeSSEStream(run.id)
    if (run.stream !== undefined) this.#events.end(run.stream)
    // Not delivered, as the stream is closed: the SDK forgets a request only when it is answered.
    void this.#transport.send({ jsonrpc: '2.0', id: run.id, result: {} }).catch(() => {})
  }

  /** A client that reconnects has lost its connection, even if this is not known here yet. */
  #closePreviousStream(stream: StreamId, run: PendingRequest | undefined): void {
    if (stream === standaloneStream) this.#transport.closeStandaloneSSEStream()
    else if (run) this.#transport.closeSSEStream(run.id)
  }

  /**
   * Inspects a message that the SDK writes to a stream: it tells which stream a request has, and when it has its
   * answer.
   */
  #shouldStore(stream: StreamId, message: JSONRPCMessage): boolean {
    if ('result' in message || 'error' in message) {
      const run = this.#runs.get(message.id)
      if (run) this.finish(run)
      return run !== undefined
    }
    const activeRun = answeredRequest.getStore()
    const run = activeRun && this.#runs.has(activeRun) ? activeRun : undefined
    if (run && stream !== standaloneStream) run.stream ??= stream
    return 'jsonrpc' in message || run !== undefined
  }

  #notifyUpdated(uri: string): void {
    this.#server.sendResourceUpdated({ uri }).catch((error) => this.#logFailure(error))
  }

  #logFailure(error: unknown): void {
    this.#app.log.warn('a message of a session could not be sent', { error: describeError(error) })
  }

  #close(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#followed.endAll()
    this.#runs.abortAll()
    this.#onEnded(this)
  }
}
