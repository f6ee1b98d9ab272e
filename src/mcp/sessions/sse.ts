// HTTP+SSE of 2024-11-05: one stream for everything the server sends, and an address for the client's messages.

import { randomBytes } from 'node:crypto'
import {
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { describeError } from '../../db/failures.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { rendersApps } from '../apps/app-views.ts'
import { isTextOnly } from './session-client.ts'
import type { Caller } from '../caller.ts'
import { authInfoOf } from '../message-context.ts'
import { FollowedResources } from '../resources/followed-items.ts'
import { reconnectDelay } from './open-stream.ts'
import type { ConnectionRequest } from '../surface/selection.ts'
import type { McpSession } from './sessions.ts'
import { clientOf } from '../messages.ts'

const keepAliveInterval = 15_000
/** Maximum unread bytes, above which the stream is ended. The longest message, a list with output schemas, fits. */
const maxPendingBytes = 2 * 2 ** 20
const encoder = new TextEncoder()

/** The transport of such a session, over a byte stream. */
class SseTransport implements Transport {
  readonly sessionId = randomBytes(24).toString('base64url')
  readonly stream: ReadableStream<Uint8Array>
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #keepAlive: NodeJS.Timeout | undefined
  #isOpen = true

  constructor() {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      void (this.#controller = controller)
    this.stream = new ReadableStream(
      { start, cancel: () => this.#finish() },
      new ByteLengthQueuingStrategy({ highWaterMark: maxPendingBytes }),
    )
  }

  async start(): Promise<void> {
    this.#write(
      `event: endpoint\nretry: ${reconnectDelay}\ndata: /messages?sessionId=${this.sessionId}\n\n`,
    )
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), keepAliveInterval).unref()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isOpen) throw new Error('The stream has ended.')
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  async close(): Promise<void> {
    if (this.#isOpen) this.#controller.close()
    this.#finish()
  }

  #write(text: string): void {
    this.#controller.enqueue(encoder.encode(text))
    if (this.#controller.desiredSize! < 0) void this.close()
  }

  #finish(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearInterval(this.#keepAlive)
    this.onclose?.()
  }
}

export interface SseOptions {
  app: App
  caller: Caller
  /** Address and headers that opened the stream; they determine the surface. */
  request: ConnectionRequest
  server: Server
  onEnded: (session: SseSession) => void
}

/** An HTTP+SSE session. It lives as long as its stream. */
export class SseSession implements McpSession {
  readonly actor: Actor
  readonly request: ConnectionRequest
  readonly isInUse = true
  readonly #app: App
  readonly #transport = new SseTransport()
  readonly #server: Server
  readonly #followed: FollowedResources
  #client: Caller['client']
  #rendersApps = false
  #takesTextOnly = false
  #usedAt: number

  constructor({ app, caller: { actor }, request, server, onEnded }: SseOptions) {
    this.#app = app
    this.actor = actor
    this.request = request
    this.#usedAt = app.clock.now()
    this.#followed = new FollowedResources(app, (uri) => this.#notifyUpdated(uri))
    this.#server = server
    const release = app.live.registerStream(actor, () => this.end())
    this.#server.onclose = () => {
      release()
      this.#followed.endAll()
      onEnded(this)
    }
  }

  get id(): string {
    return this.#transport.sessionId
  }

  get usedAt(): number {
    return this.#usedAt
  }

  /** The stream, with the address for messages as its first event. */
  async open(): Promise<Response> {
    await this.#server.connect(this.#transport)
    return new Response(this.#transport.stream, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
    })
  }

  /** Accepts a message; the answer is sent on the stream. @throws Refusal invalid_argument unless it is a message */
  accept(request: Request, body: unknown, caller: Caller): void {
    this.#usedAt = this.#app.clock.now()
    const message = messageIn(body)
    if ('method' in message && message.method === 'initialize') {
      this.#client = clientOf(message.params?.clientInfo)
      this.#rendersApps = rendersApps(message.params?.capabilities)
      this.#takesTextOnly = isTextOnly(message.params?.protocolVersion)
    }
    this.#transport.onmessage?.(message, {
      request,
      authInfo: authInfoOf({
        followed: this.#followed,
        caller: {
          ...caller,
          client: this.#client ?? caller.client,
          rendersApps: this.#rendersApps,
          takesTextOnly: this.#takesTextOnly,
        },
      }),
    })
  }

  tidy(): void {
    // Stores nothing that could be dropped.
  }

  end(): void {
    void this.#server.close().catch((error) => this.#logFailure(error))
  }

  #notifyUpdated(uri: string): void {
    this.#server.sendResourceUpdated({ uri }).catch((error) => this.#logFailure(error))
  }

  #logFailure(error: unknown): void {
    this.#app.log.warn('a message of a session could not be sent', { error: describeError(error) })
  }
}

function messageIn(body: unknown): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(body)
  } catch {
    throw new Refusal('invalid_argument', 'The body is not a JSON-RPC message.')
  }
}
