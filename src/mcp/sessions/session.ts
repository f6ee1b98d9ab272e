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
import { Followed } from '../resources/followed-items.ts'
import { comeBackAfter, isEventStream } from './open-stream.ts'
import { OpenStreams } from './open-streams.ts'
import type { CallOutcome } from '../tools/results.ts'
import type { Run } from './run.ts'
import { Runs } from './runs.ts'
import { forgotten, wordsFor } from './stream-words.ts'
import type { McpSession } from './sessions.ts'
import { sessionClient, unknownClient, type SessionMessage } from './session-client.ts'

/** Milliseconds for which the events of an idle session are kept. */
const eventsKept = 5 * 60_000
/** The SDK's name for the stream that GET opens. */
const ownStream = '_GET_stream'
/** The request being answered by the SDK. */
const answering = new AsyncLocalStorage<Run>()

export interface SessionOptions {
  app: App
  actor: Actor
  /** Milliseconds for which a call continues after its client stopped waiting. */
  grace: number
  server: Server
  ended: (session: Session) => void
}

/**
 * One session of the protocols before 2026-07-28. The SDK provides the transport; this adds the rest: when the call
 * of a broken stream ends, calls answered in front of the SDK, and the end of everything.
 */
export class Session implements McpSession {
  readonly id = randomBytes(24).toString('base64url')
  readonly actor: Actor
  readonly #app: App
  readonly #ended: (session: Session) => void
  readonly #events: EventBuffer
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #server: Server
  readonly #followed: Followed
  readonly #runs: Runs
  readonly #streams = new OpenStreams()
  #client = unknownClient
  #usedAt: number
  #isOver = false

  constructor({ app, actor, grace, server, ended }: SessionOptions) {
    this.#app = app
    this.actor = actor
    this.#runs = new Runs(grace, (run) => this.#cancel(run))
    this.#ended = ended
    this.#usedAt = app.clock.now()
    this.#events = new EventBuffer(
      (stream, message) => this.#admits(stream, message),
      () => app.clock.now(),
    )
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      eventStore: this.#events,
      retryInterval: comeBackAfter,
    })
    this.#followed = new Followed(app, (uri) => this.#tell(uri))
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
    run?: Run,
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
    if (id === undefined) return this.#take(request, body, options)
    const currentRun = run ?? this.run(id, request)
    currentRun.isBySdk = true
    const response = await answering.run(currentRun, () =>
      this.#transport.handleRequest(request, options),
    )
    if (!isEventStream(response)) this.finish(currentRun)
    return response
  }

  /** Keeps track of a request until it is finished or cancelled. */
  run(id: RequestId, request: Request): Run {
    return this.#runs.start(id, request)
  }

  finish(run: Run): void {
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
    if (last !== null && !event) throw forgotten()
    if (event?.isOver) return new Response(null, { status: 204 }) // what tells an EventSource not to come back
    const run = event && this.#runs.onStream(event.stream)
    const release = this.#app.live.registerStream(this.actor, () => this.end())
    if (event) this.#supersede(event.stream, run)
    const response = await this.#transport.handleRequest(request)
    if (!isEventStream(response)) {
      release()
      return response
    }
    if (run) this.#runs.wait(run, request)
    return this.#streams.keepOpen(response, wordsFor(request), () => {
      this.touch()
      release()
      if (run) this.#runs.leave(run, request)
    })
  }

  /** Ends the session at its client's request; refuses invalid requests. */
  delete(request: Request): Promise<Response> {
    return this.#transport.handleRequest(request)
  }

  tidy(now: number): void {
    if (this.#runs.size === 0) this.#events.forgetBefore(now - eventsKept)
  }

  end(): void {
    this.#streams.endAll()
    void this.#server.close().catch((error) => this.#failed(error))
    this.#close()
  }

  /** Handles a client's notification or response. */
  async #take(
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
  #cancel(run: Run): void {
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
  #supersede(stream: StreamId, run: Run | undefined): void {
    if (stream === ownStream) this.#transport.closeStandaloneSSEStream()
    else if (run) this.#transport.closeSSEStream(run.id)
  }

  /**
   * Inspects a message that the SDK writes to a stream: it tells which stream a request has, and when it has its
   * answer.
   */
  #admits(stream: StreamId, message: JSONRPCMessage): boolean {
    if ('result' in message || 'error' in message) {
      const run = this.#runs.get(message.id)
      if (run) this.finish(run)
      return run !== undefined
    }
    const activeRun = answering.getStore()
    const run = activeRun && this.#runs.has(activeRun) ? activeRun : undefined
    if (run && stream !== ownStream) run.stream ??= stream
    return 'jsonrpc' in message || run !== undefined
  }

  #tell(uri: string): void {
    this.#server.sendResourceUpdated({ uri }).catch((error) => this.#failed(error))
  }

  #failed(error: unknown): void {
    this.#app.log.warn('a session could not say something', { error: describeError(error) })
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#followed.endAll()
    this.#runs.abortAll()
    this.#ended(this)
  }
}
