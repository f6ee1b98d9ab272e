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
import { inOneLine, httpStatusOf, describeTrouble, troubleOf } from './trouble.ts'

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

/** A client request without an answer yet. */
interface Waiting {
  request: JSONRPCRequest
  /** Whether it uses a revision without sessions, which cancels a request by closing its stream. */
  isModern: boolean
  abort: AbortController
  /** Connection that sent it. */
  remote?: Remote
  /** Whether the instance has accepted it and may be working on it. */
  isTaken?: boolean
}

/** Milliseconds that pending requests may take after the client has closed its side. */
const lastPatience = 1500
const internalError = -32603
const interrupted =
  'The connection to the instance was lost before the answer arrived. The call may have been carried out: check before you repeat it.'

/** Forwards messages until the client closes its side or the signal fires. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const bridge = new Bridge(options)
  const { input, output, signal } = options
  output.on('error', () => input.destroy()) // no one reads any more
  signal?.addEventListener('abort', () => input.destroy(), { once: true })
  try {
    for await (const line of splitLines(input)) bridge.take(line)
    await bridge.drained(lastPatience)
  } catch (error) {
    if (!input.destroyed) throw error
  } finally {
    await bridge.end()
  }
}

class Bridge {
  readonly #options: BridgeOptions
  readonly #waiting = new Map<string | number, Waiting>()
  /** Requests of the bridge itself. */
  readonly #pendingById = new Map<string | number, (answer: Response | undefined) => void>()
  #remote: Remote
  /** The client's initialize request, used to recreate a lost session, and its answer. */
  #handshake: { request: JSONRPCRequest; done: Promise<void>; settle: () => void } | undefined
  readonly #subscriptions = new Map<string, JSONRPCRequest>()
  #isStale = false
  #renewal: Promise<void> | undefined
  #ids = 0
  #whenIdle: (() => void) | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#remote = this.#connected()
  }

  /** Handles a line from the client. */
  take(line: string): void {
    if (line.trim() === '') return
    const message = parseJsonLine(line)
    if (message === undefined) return this.#refuse(null, -32700, 'This line is not JSON.')
    if (!isMessage(message))
      return this.#refuse(
        (message as { id?: string } | null)?.id ?? null,
        -32600,
        'This is not a JSON-RPC 2.0 message; send one per line.',
      )
    if (!('method' in message)) void this.#pass(message)
    else if ('id' in message) void this.#request(message)
    else if (message.method === 'notifications/cancelled') this.#cancel(message)
    else void this.#pass(message)
  }

  /** Resolves when all requests are answered or the time is up. Subscriptions last as long as the client. */
  async drained(timeoutMs: number): Promise<void> {
    for (const { request, abort } of this.#waiting.values())
      if (request.method === 'subscriptions/listen') this.#settle(request.id, abort)
    if (this.#waiting.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#whenIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async end(): Promise<void> {
    for (const { request, abort } of this.#waiting.values()) this.#settle(request.id, abort)
    await this.#remote.end()
  }

  #connected(): Remote {
    const remote: Remote = new Remote(new URL(this.#options.url), this.#options.key, {
      message: (message) => this.#fromRemote(message),
      trouble: (error) => this.#tell(error, remote),
      broken: (why) => this.#broken(remote, why),
    })
    void remote.start()
    return remote
  }

  async #request(request: JSONRPCRequest): Promise<void> {
    const waiting: Waiting = { request, isModern: isModern(request), abort: new AbortController() }
    this.#waiting.set(request.id, waiting)
    if (request.method === 'initialize') {
      const { promise: done, resolve: settle } = resolvable()
      this.#handshake = { request, done, settle }
      this.#isStale = false
    }
    for (const isLast of [false, true]) if (await this.#deliver(waiting, isLast)) return
  }

  /** Returns false if the request must be delivered again in a new session. */
  async #deliver(waiting: Waiting, isLast: boolean): Promise<boolean> {
    const { request, abort } = waiting
    try {
      await this.#ready(waiting)
      if (abort.signal.aborted) return true
      waiting.remote = this.#remote
      await this.#remote.send(request, {
        requestSignal: abort.signal,
        onRequestStreamEnd: () =>
          this.#fail(waiting, { code: internalError, message: interrupted }),
      })
      waiting.isTaken = true
    } catch (error) {
      if (abort.signal.aborted) return true
      if (!isLast && this.#lost(waiting, error)) return false
      this.#fail(waiting, failureOf(error, request.id, this.#options.url))
    }
    return true
  }

  /** A message of an older revision waits for the handshake before it, and for the replacement of a lost session. */
  async #ready({ request, isModern }: Waiting): Promise<void> {
    if (isModern || request.method === 'initialize') return
    await this.#handshake?.done
    if (this.#isStale) await this.#renewed()
  }

  /** Creates one new session, shared by all requests that need it. */
  #renewed(): Promise<void> {
    return (this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined)))
  }

  /** Whether a request was refused because its session is gone; it was never processed and may be retried. */
  #lost({ request, remote }: Waiting, error: unknown): boolean {
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

  async #renew(): Promise<void> {
    this.#remote.retire()
    this.#remote = this.#connected()
    this.#options.log(
      'the session was lost, probably because the instance was restarted; creating another',
    )
    const answer = await this.#ask(this.#handshake!.request)
    if (!answer || 'error' in answer) throw new Error(answer ? answer.error.message : interrupted)
    this.#remote.protocolVersion = String(answer.result.protocolVersion)
    this.#isStale = false
    await this.#remote.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    for (const request of this.#subscriptions.values())
      void this.#ask(request).catch(() => undefined) // its item may be gone by now
  }

  /** Resends a client request under an id of ours; the answer is not forwarded. */
  async #ask(request: JSONRPCRequest): Promise<Response | undefined> {
    const id = `workspace-bridge-${++this.#ids}`
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
    const waiting = this.#waiting.get(
      (notification.params as { requestId?: string | number } | undefined)?.requestId ?? '',
    )
    const byStream = waiting && (waiting.isModern || !waiting.remote?.hasSession) // a session goes by the notification
    if (waiting) this.#settle(waiting.request.id, byStream ? waiting.abort : undefined)
    if (!waiting?.isModern) void this.#pass(notification)
  }

  /** Forwards messages without an answer: notifications, and answers to the server's requests. */
  async #pass(message: JSONRPCMessage): Promise<void> {
    await this.#handshake?.done
    const remote = this.#remote
    await remote.send(message).catch((error) => {
      if (httpStatusOf(error) === 404 && remote.hasSession && remote === this.#remote)
        this.#isStale = true
    }) // the transport has told of it already
  }

  #fromRemote(message: JSONRPCMessage): void {
    if ('method' in message) return this.#put(message)
    const id = message.id ?? ''
    const handler = this.#pendingById.get(id)
    const waiting = this.#waiting.get(id)
    if (handler) return handler(message)
    if (!waiting) return // it was cancelled meanwhile
    if ('result' in message) this.#notice(waiting.request, message.result)
    this.#put(message)
    this.#settle(id)
  }

  /** Records the facts needed from an answer that passes through. */
  #notice({ method, params, ...rest }: JSONRPCRequest, result: Record<string, unknown>): void {
    if (method === 'initialize') this.#remote.protocolVersion = String(result.protocolVersion)
    const uri = String((params as { uri?: unknown } | undefined)?.uri)
    if (method === 'resources/subscribe')
      this.#subscriptions.set(uri, { ...rest, method, params: { uri } })
    if (method === 'resources/unsubscribe') this.#subscriptions.delete(uri)
  }

  #broken(remote: Remote, why: 'gone' | 'unreachable'): void {
    if (why === 'gone' && remote === this.#remote && this.#handshake) {
      this.#isStale = true
      this.#renewed().catch(() => undefined) // it was reported, and the next request tries again
    }
    // Requests that the lost session had not accepted are refused and delivered again.
    const isLost = (waiting: Waiting) =>
      waiting.remote === remote && !waiting.isModern && (why === 'unreachable' || waiting.isTaken)
    for (const waiting of this.#waiting.values())
      if (isLost(waiting)) this.#fail(waiting, { code: internalError, message: interrupted })
  }

  /** Reports on stderr errors that no request waits for. A lost session is reported when its replacement is created. */
  #tell(error: Error, remote: Remote): void {
    if (error.name === 'AbortError' || (httpStatusOf(error) === 404 && remote.hasSession)) return
    const isStream = /SSE stream/.test(error.message) && httpStatusOf(error) === undefined
    this.#options.log(
      isStream
        ? 'the stream of notifications was lost; reconnecting'
        : inOneLine(troubleOf(error, this.#options.url)),
    )
  }

  #fail({ request: { id } }: Waiting, error: JSONRPCErrorResponse['error']): void {
    if (!this.#waiting.has(id)) return
    this.#put({ jsonrpc: '2.0', id, error })
    this.#settle(id)
  }

  /** Marks a request as complete: no more answers will follow. */
  #settle(id: string | number, abort?: AbortController): void {
    if (this.#handshake?.request.id === id) this.#handshake.settle()
    this.#waiting.delete(id)
    abort?.abort()
    if (this.#waiting.size === 0) this.#whenIdle?.()
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#put({ jsonrpc: '2.0', id: id as string, error: { code, message } })
  }

  #put(message: JSONRPCMessage): void {
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
  const body = parseJsonLine(describeTrouble(error)) as
    | Partial<JSONRPCErrorResponse>
    | null
    | undefined
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
