import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server'
import type { App } from '../operations/app.ts'
import type { Caller } from './caller.ts'
import { shortReasonOf, type RequestMessage } from './endpoint-messages.ts'
import { answerInJson } from './legacy.ts'
import { authInfoOf, messageContextOf } from './message-context.ts'
import { ServerOptionsCache } from './options.ts'
import { FeedBus } from './resources/listen-requests.ts'
import { makeServer, type TestExtensions } from './server.ts'
import type { PendingRequest } from './sessions/run.ts'
import type { CallOutcome } from './tools/results.ts'

const bothTypes = 'application/json, text/event-stream'

/** Answers of the SDK: everything except tool lists and plain calls, which bypass it. */
export class SdkAnswers {
  readonly #app: App
  readonly #options: ServerOptionsCache
  readonly #handler: McpHttpHandler
  /** The same for calls so long that proxies would time out: answers are streams with keep-alives. */
  readonly #streaming: McpHttpHandler
  readonly #extras: TestExtensions | undefined

  /** `keepAliveMs`: keep-alive interval of an open stream; 0: never. */
  constructor(app: App, keepAliveMs: number, extras: TestExtensions | undefined) {
    this.#app = app
    this.#extras = extras
    this.#options = new ServerOptionsCache(app, extras)
    const common = {
      bus: new FeedBus(),
      maxSubscriptions: Infinity, // they are counted by key, which the SDK does not know
      keepAliveMs,
      onerror: (error: Error) =>
        app.log.info('an MCP message was not served', { reason: shortReasonOf(error) }),
    }
    this.#handler = createMcpHandler((context) => this.#makeForRequest(context), common)
    this.#streaming = createMcpHandler((context) => this.#makeForRequest(context), {
      ...common,
      responseMode: 'sse',
    })
    extras?.onStart?.(this.#handler.notify)
  }

  /** A server for one session of an earlier protocol. */
  sessionServer(caller: Caller): Server {
    return this.#make(caller, 'legacy')
  }

  /** `outcome`: of the message's call, if it is already running as `run`. */
  answer(
    { request, body, caller, session }: RequestMessage,
    outcome?: Promise<CallOutcome>,
    run?: PendingRequest,
  ): Promise<Response> {
    if (!request.headers.has('accept')) request.headers.set('accept', bothTypes)
    if (session) return session.post({ request, body, caller }, run, outcome)
    return this.#handler.fetch(request, {
      parsedBody: body,
      authInfo: authInfoOf({ caller, outcome }),
    })
  }

  /** Answers a long call of the current protocol with a stream that sends keep-alives. */
  answerInStream({ request, body, caller }: RequestMessage, outcome: Promise<CallOutcome>) {
    return this.#streaming.fetch(request, {
      parsedBody: body,
      authInfo: authInfoOf({ caller, outcome }),
    })
  }

  /** Answers a client of an earlier protocol that accepts no streams. */
  answerInJson({ request, body, caller }: RequestMessage): Promise<Response> {
    request.headers.set('accept', bothTypes) // the SDK requires both, whichever it then sends
    return answerInJson(this.#make(caller, 'legacy'), request, {
      parsedBody: body,
      authInfo: authInfoOf({ caller }),
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.#handler.close(), this.#streaming.close()])
  }

  #makeForRequest({ era, authInfo }: McpRequestContext): Server | McpServer {
    const { caller } = messageContextOf(authInfo!)
    const server = this.#make(caller, era)
    return this.#extras?.wrap?.(server) ?? server
  }

  #make(caller: Caller, era: McpRequestContext['era']): Server {
    return makeServer({ app: this.#app, era }, this.#options.for(caller, era), this.#extras)
  }
}
