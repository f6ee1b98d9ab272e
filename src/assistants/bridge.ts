// MCP over stdio for programs that can only start a command. Forwards messages unchanged between the pipe and an
// instance's endpoint. It bridges only differences of the transports: cancellation, sessions, lost connections.

import type { Readable, Writable } from 'node:stream'
import {
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/client'
import { splitLines } from './lines.ts'
import { Remote } from './remote.ts'
import { inOneLine, httpStatusOf, refusalBody, troubleOf } from './trouble.ts'

export interface BridgeOptions {
  /** The endpoint with the tool selection in its query. */
  url: string
  key: string
  input: Readable
  /** Receives messages only. */
  output: Writable
  log(line: string): void
  /** Stops the bridge at once. */
  signal?: AbortSignal
}

type Response = JSONRPCResultResponse | JSONRPCErrorResponse

/** A client request that has not been answered yet. */
interface PendingRequest {
  request: JSONRPCRequest
  /** Whether it uses a revision without sessions, which cancels a request by closing its stream. */
  isModern: boolean
  abort: AbortController
  /** Connection that sent it. */
  remote?: Remote
  /** Whether the instance has accepted it and may be working on it. */
  isAccepted?: boolean
}

/** Milliseconds that pending requests may take after the client has closed its side. */
const drainTimeoutMs = 1500
const internalError = -32603
const interruptedMessage =
  'The connection to the instance was lost before the answer arrived. The call may have been carried out: check before you repeat it.'

/** Forwards messages until the client closes its side or the signal fires. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const bridge = new Bridge(options)
  const { input, output, signal } = options
  output.on('error', () => input.destroy()) // no one reads any more
  signal?.addEventListener('abort', () => input.destroy(), { once: true })
  try {
    for await (const line of splitLines(input)) bridge.handleLine(line)
    await bridge.drained(drainTimeoutMs)
  } catch (error) {
    if (!input.destroyed) throw error
  } finally {
    await bridge.end()
  }
}

class Bridge {
  readonly #options: BridgeOptions
  readonly #pendingRequests = new Map<string | number, PendingRequest>()
  /** Resolvers of the bridge's own requests. */
  readonly #pendingById = new Map<string | number, (answer: Response | undefined) => void>()
  #remote: Remote
  /** The client's initialize request, used to recreate a lost session, and its answer. */
  #handshake: { request: JSONRPCRequest; done: Promise<void>; settle: () => void } | undefined
  readonly #subscriptions = new Map<string, JSONRPCRequest>()
  #isStale = false
  #renewal: Promise<void> | undefined
  #lastId = 0
  #whenIdle: (() => void) | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#remote = this.#connect()
  }

  /** Handles a line from the client. */
  handleLine(line: string): void {
    if (line.trim() === '') return
    const message = parseJsonLine(line)
    if (message === undefined) return this.#refuse(null, -32700, 'This line is not JSON.')
    if (!isMessage(message))
      return this.#refuse(
        (message as { id?: string } | null)?.id ?? null,
        -32600,
        'This is not a JSON-RPC 2.0 message; send one per line.',
      )
    if (!('method' in message)) void this.#forward(message)
    else if ('id' in message) void this.#request(message)
    else if (message.method === 'notifications/cancelled') this.#cancel(message)
    else void this.#forward(message)
  }

  /** Resolves when all requests are answered or the time is up. Subscriptions last as long as the client. */
  async drained(timeoutMs: number): Promise<void> {
    for (const { request, abort } of this.#pendingRequests.values())
      if (request.method === 'subscriptions/listen') this.#complete(request.id, abort)
    if (this.#pendingRequests.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#whenIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async end(): Promise<void> {
    for (const { request, abort } of this.#pendingRequests.values())
      this.#complete(request.id, abort)
    await this.#remote.end()
  }

  #connect(): Remote {
    const remote: Remote = new Remote(new URL(this.#options.url), this.#options.key, {
      message: (message) => this.#fromRemote(message),
      error: (error) => this.#logError(error, remote),
      broken: (why) => this.#onBroken(remote, why),
    })
    void remote.start()
    return remote
  }

  async #request(request: JSONRPCRequest): Promise<void> {
    const waiting: PendingRequest = {
      request,
      isModern: isModern(request),
      abort: new AbortController(),
    }
    this.#pendingRequests.set(request.id, waiting)
    if (request.method === 'initialize') {
      const { promise: done, resolve: settle } = resolvable()
      this.#handshake = { request, done, settle }
      this.#isStale = false
    }
    for (const isLast of [false, true]) if (await this.#deliver(waiting, isLast)) return
  }

  /** Returns false if the request must be delivered again in a new session. */
  async #deliver(waiting: PendingRequest, isLast: boolean): Promise<boolean> {
    const { request, abort } = waiting
    try {
      await this.#whenReady(waiting)
      if (abort.signal.aborted) return true
      waiting.remote = this.#remote
      await this.#remote.send(request, {
        requestSignal: abort.signal,
        onRequestStreamEnd: () =>
          this.#fail(waiting, { code: internalError, message: interruptedMessage }),
      })
      waiting.isAccepted = true
    } catch (error) {
      if (abort.signal.aborted) return true
      if (!isLast && this.#isSessionLost(waiting, error)) return false
      this.#fail(waiting, failureOf(error, request.id, this.#options.url))
    }
    return true
  }

  /** A message of an older revision waits for the handshake before it, and for the replacement of a lost session. */
  async #whenReady({ request, isModern }: PendingRequest): Promise<void> {
    if (isModern || request.method === 'initialize') return
    await this.#handshake?.done
    if (this.#isStale) await this.#renewSession()
  }

  /** Creates one new session, shared by all requests that need it. */
  #renewSession(): Promise<void> {
    return (this.#renewal ??= this.#replaceSession().finally(() => (this.#renewal = undefined)))
  }

  /** Whether a request was refused because its session is gone; it was never processed and may be retried. */
  #isSessionLost({ request, remote }: PendingRequest, error: unknown): boolean {
    if (
      httpStatusOf(error) !== 404 ||
      !this.#handshake ||
      request.method === 'initialize' ||
      !remote?.hasSession
    )
      return false
    if (remote === this.#remote) this.#isStale = true
    return true
  }

  async #replaceSession(): Promise<void> {
    this.#remote.retire()
    this.#remote = this.#connect()
    this.#options.log(
      'the session was lost, probably because the instance was restarted; creating another',
    )
    const answer = await this.#resend(this.#handshake!.request)
    if (!answer || 'error' in answer)
      throw new Error(answer ? answer.error.message : interruptedMessage)
    this.#remote.protocolVersion = String(answer.result.protocolVersion)
    this.#isStale = false
    await this.#remote.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    for (const request of this.#subscriptions.values())
      void this.#resend(request).catch(() => undefined) // its item may be gone by now
  }

  /** Resends a client request under an id of the bridge's own; the answer is not forwarded. */
  async #resend(request: JSONRPCRequest): Promise<Response | undefined> {
    const id = `workspace-bridge-${++this.#lastId}`
    const answer = new Promise<Response | undefined>((resolve) =>
      this.#pendingById.set(id, resolve),
    )
    try {
      await this.#remote.send(
        { ...request, id },
        { onRequestStreamEnd: () => this.#pendingById.get(id)?.(undefined) },
      )
      return await answer
    } finally {
      this.#pendingById.delete(id)
    }
  }

  #cancel(notification: JSONRPCNotification): void {
    const waiting = this.#pendingRequests.get(
      (notification.params as { requestId?: string | number } | undefined)?.requestId ?? '',
    )
    const streamAbort = waiting && (waiting.isModern || !waiting.remote?.hasSession) // in a session, the notification cancels it
    if (waiting) this.#complete(waiting.request.id, streamAbort ? waiting.abort : undefined)
    if (!waiting?.isModern) void this.#forward(notification)
  }

  /** Forwards messages without an answer: notifications, and answers to the server's requests. */
  async #forward(message: JSONRPCMessage): Promise<void> {
    await this.#handshake?.done
    const remote = this.#remote
    await remote.send(message).catch((error) => {
      if (httpStatusOf(error) === 404 && remote.hasSession && remote === this.#remote)
        this.#isStale = true
    }) // the transport has already reported it
  }

  #fromRemote(message: JSONRPCMessage): void {
    if ('method' in message) return this.#write(message)
    const id = message.id ?? ''
    const handler = this.#pendingById.get(id)
    const waiting = this.#pendingRequests.get(id)
    if (handler) return handler(message)
    if (!waiting) return // it was cancelled meanwhile
    if ('result' in message) this.#recordResult(waiting.request, message.result)
    this.#write(message)
    this.#complete(id)
  }

  /** Records the facts needed from an answer that passes through. */
  #recordResult(
    { method, params, ...rest }: JSONRPCRequest,
    result: Record<string, unknown>,
  ): void {
    if (method === 'initialize') this.#remote.protocolVersion = String(result.protocolVersion)
    const uri = String((params as { uri?: unknown } | undefined)?.uri)
    if (method === 'resources/subscribe')
      this.#subscriptions.set(uri, { ...rest, method, params: { uri } })
    if (method === 'resources/unsubscribe') this.#subscriptions.delete(uri)
  }

  #onBroken(remote: Remote, why: 'gone' | 'unreachable'): void {
    if (why === 'gone' && remote === this.#remote && this.#handshake) {
      this.#isStale = true
      this.#renewSession().catch(() => undefined) // it was reported, and the next request tries again
    }
    // Requests that the lost session had not accepted are refused and delivered again.
    const isLost = (waiting: PendingRequest) =>
      waiting.remote === remote &&
      !waiting.isModern &&
      (why === 'unreachable' || waiting.isAccepted)
    for (const waiting of this.#pendingRequests.values())
      if (isLost(waiting)) this.#fail(waiting, { code: internalError, message: interruptedMessage })
  }

  /** Reports on stderr errors that no request waits for. A lost session is reported when its replacement is created. */
  #logError(error: Error, remote: Remote): void {
    if (error.name === 'AbortError' || (httpStatusOf(error) === 404 && remote.hasSession)) return
    const isStream = /SSE stream/.test(error.message) && httpStatusOf(error) === undefined
    this.#options.log(
      isStream
        ? 'the stream of notifications was lost; reconnecting'
        : inOneLine(troubleOf(error, this.#options.url)),
    )
  }

  #fail({ request: { id } }: PendingRequest, error: JSONRPCErrorResponse['error']): void {
    if (!this.#pendingRequests.has(id)) return
    this.#write({ jsonrpc: '2.0', id, error })
    this.#complete(id)
  }

  /** Marks a request as complete: no more answers will follow. */
  #complete(id: string | number, abort?: AbortController): void {
    if (this.#handshake?.request.id === id) this.#handshake.settle()
    this.#pendingRequests.delete(id)
    abort?.abort()
    if (this.#pendingRequests.size === 0) this.#whenIdle?.()
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#write({ jsonrpc: '2.0', id: id as string, error: { code, message } })
  }

  #write(message: JSONRPCMessage): void {
    if (this.#options.output.writable) this.#options.output.write(`${JSON.stringify(message)}\n`)
  }
}

function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (
    typeof value !== 'object' ||
    value === null ||
    (value as { jsonrpc?: unknown }).jsonrpc !== '2.0'
  )
    return false
  const { id, method } = value as { id?: unknown; method?: unknown }
  const isId = typeof id === 'string' || typeof id === 'number'
  return typeof method === 'string'
    ? !('id' in value) || isId
    : isId && ('result' in value || 'error' in value)
}

/** From 2026-07-28 on, every request names its revision. */
function isModern({ params }: JSONRPCRequest): boolean {
  return (
    typeof (params?._meta as Record<string, unknown> | undefined)?.[PROTOCOL_VERSION_META_KEY] ===
    'string'
  )
}

/** The server's own words if it refused this request, otherwise a description of ours. */
function failureOf(
  error: unknown,
  id: string | number,
  url: string,
): JSONRPCErrorResponse['error'] {
  const body = parseJsonLine(refusalBody(error)) as Partial<JSONRPCErrorResponse> | null | undefined
  if (body?.id === id && body.error) return body.error
  const trouble = troubleOf(error, url)
  return { code: internalError, message: inOneLine(trouble), data: { code: trouble.code } }
}

/** Promise.withResolvers, which Node 20 lacks. */
function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
