import {
  createMcpHandler,
  SERVER_INFO_META_KEY,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server'
import { BoundedMap } from '../kernel/bounded-map.ts'
import type { App } from '../operations/app.ts'
import { messageRendersApps } from './apps/app-views.ts'
import type { Caller } from './caller.ts'
import { authInfoOf, type Carried } from './message-context.ts'
import { toolListHash } from './surface/hash.ts'
import { answerInJson } from './legacy.ts'
import { FeedBus, listen, listenRequest, type ListenRequest } from './resources/listen-requests.ts'
import { ToolLists, type ListAnswer, type StoredResult } from './surface/lists.ts'
import { Options } from './options.ts'
import {
  reasonOf,
  requireOneMessage,
  within,
  type McpAnswer,
  type McpMessage,
  type RequestMessage,
} from './endpoint-messages.ts'
import { classify, isPlain, isServed, listId, plainCall, type PlainCall } from './plain.ts'
import { noteMessage } from './message-log.ts'
import { approvalPage, declaresPages } from './tools/held-calls.ts'
import { resultMessage, type CallOutcome } from './tools/results.ts'
import { identity, makeServer, defaultWays, type Extras, type McpWays } from './server.ts'
import type { Run } from './sessions/run.ts'
import { SessionEndpoint, type SseMessage } from './sessions/session-endpoint.ts'
import { surfaceOf } from './surface/surface.ts'
import { isFollowed, isTool, outcomeOf, toolsOf } from './tools/tools.ts'

export type { Extras, McpAnswer, McpMessage }

const signature = { [SERVER_INFO_META_KEY]: identity }
const bothTypes = 'application/json, text/event-stream'

type Route = ReturnType<typeof classify>

/**
 * The MCP endpoint behind the key gate: the 2026-07-28 revision and the older ones at one address, these with sessions for who
 * wants them. The SDK speaks the protocol; tools/list is answered from memory, and what is merely a call of a tool without it.
 */
export class McpEndpoint {
  readonly #app: App
  readonly #options: Options
  readonly #handler: McpHttpHandler
  /** The same, for calls that take so long that proxies would cut them: its answers are streams, which are kept alive. */
  readonly #streaming: McpHttpHandler
  readonly #sessions: SessionEndpoint
  readonly #lists = new ToolLists()
  readonly #hashes = new BoundedMap<string, string>(64)
  readonly #ways: McpWays
  readonly #extras: Extras | undefined

  constructor(
    app: App,
    { ways, extras }: { ways?: Partial<McpWays>; extras?: Extras | undefined } = {},
  ) {
    this.#app = app
    this.#ways = { ...defaultWays, ...extras?.ways, ...ways }
    this.#extras = extras
    this.#options = new Options(app, extras)
    const common = {
      bus: new FeedBus(),
      maxSubscriptions: Infinity, // they are counted by key, which the SDK does not know
      keepAliveMs: this.#ways.keepAliveMs,
      onerror: (error: Error) =>
        app.log.info('an MCP message was not served', { reason: reasonOf(error) }),
    }
    this.#handler = createMcpHandler((context) => this.#dressed(context), common)
    this.#streaming = createMcpHandler((context) => this.#dressed(context), {
      ...common,
      responseMode: 'sse',
    })
    this.#sessions = new SessionEndpoint(app, {
      grace: this.#ways.grace,
      makeServer: (caller) =>
        makeServer({ app, era: 'legacy' }, this.#options.for(caller, 'legacy'), extras),
    })
    extras?.begin?.(this.#handler.notify)
  }

  /** @throws Refusal invalid_argument for what is no single message */
  async answer(sent: McpMessage): Promise<McpAnswer> {
    const { request, body, from } = sent
    requireOneMessage(body)
    const caller: Caller = { ...from, surface: surfaceOf(this.#app, from.actor.key, request) }
    const route = classify(request, body)
    if (route.kind === 'legacy' && this.#sessions.begins(request, body))
      return this.#sessions.open({ request, body, caller })
    const session = route.kind === 'legacy' ? this.#sessions.find(request, from.actor) : undefined
    const message: RequestMessage = {
      ...sent,
      session,
      caller: session
        ? session.callerOf(caller)
        : { ...caller, rendersApps: messageRendersApps(body) },
    }
    const listened = route.kind === 'modern' ? listenRequest(body) : undefined
    return listened ? this.#listen(message, listened) : this.#answer(message, route)
  }

  async #answer(message: RequestMessage, route: Route): Promise<McpAnswer> {
    const { request, body, session } = message
    await noteMessage(this.#app, { ...message, isModern: route.kind === 'modern' })
    const accept = request.headers.get('accept') ?? '*/*'
    const list = listId(body)
    const called = this.#ways.plainCalls ? plainCall(body) : undefined
    if (isPlain(route, request)) {
      if (list !== undefined && /application\/json|\*\/\*/.test(accept))
        return this.#list(message, list, route.kind)
      if (
        called &&
        isTool(this.#app, message.caller, called.params.name) &&
        !isFollowed(this.#app, called.params) &&
        isServed(called, request, route.kind)
      )
        return this.#call(message, called, route.kind)
    }
    return route.kind === 'legacy' && !session && !accept.includes('text/event-stream')
      ? this.#inJson(message)
      : this.#bySdk(message)
  }

  /** Answers GET and DELETE of a session. @throws Refusal not_found, invalid_argument or rate_limited */
  answerSession(request: Request, actor: Caller['actor']): Promise<Response> {
    return this.#sessions.answer(request, actor)
  }

  /** Opens the stream of a client of HTTP+SSE. @throws Refusal rate_limited */
  openSse(request: Request, from: McpMessage['from']): Promise<Response> {
    return this.#sessions.openSse(request, from)
  }

  /** Takes in what such a client says; the answer comes on its stream. @throws Refusal not_found or invalid_argument */
  takeSse(message: SseMessage): void {
    this.#sessions.takeSse(message)
  }

  /** What the tools are that a key and a selection are shown, as a hash. @throws Refusal as for a message */
  toolsHash(key: Caller['actor']['key'], request: Request): string {
    const surface = surfaceOf(this.#app, key, request)
    return this.#hashes.useOrAdd(surface.id, () =>
      toolListHash(toolsOf({ ...surface, outputSchemas: false })),
    )
  }

  /** Ends what is open: in a moment where nothing new comes in any more. */
  async close(): Promise<void> {
    this.#sessions.close()
    await Promise.all([this.#handler.close(), this.#streaming.close()])
  }

  #listen(message: RequestMessage, asked: ListenRequest): Promise<Response> {
    return listen(this.#app, message.caller, asked, this.#extras, () => this.#bySdk(message))
  }

  #dressed(context: McpRequestContext): Server | McpServer {
    const server = this.#serverFor(context)
    return this.#extras?.dress?.(server) ?? server
  }

  #serverFor({ era, authInfo }: McpRequestContext): Server {
    const { caller } = authInfo!.extra as unknown as Carried
    return makeServer({ app: this.#app, era }, this.#options.for(caller, era), this.#extras)
  }

  /** `outcome`: of the call that the message asks for, where it is under way already as `run`. */
  #bySdk(
    { request, body, caller, session }: RequestMessage,
    outcome?: Promise<CallOutcome>,
    run?: Run,
  ): Promise<Response> {
    if (!request.headers.has('accept')) request.headers.set('accept', bothTypes)
    if (session) return session.post({ request, body, caller }, run, outcome)
    return this.#handler.fetch(request, {
      parsedBody: body,
      authInfo: authInfoOf({ caller, outcome }),
    })
  }

  /** The answer of a long call of the present protocol, as a stream that says at intervals that it is still there. */
  #inStream({ request, body, caller }: RequestMessage, outcome: Promise<CallOutcome>) {
    return this.#streaming.fetch(request, {
      parsedBody: body,
      authInfo: authInfoOf({ caller, outcome }),
    })
  }

  #inJson({ request, body, caller }: RequestMessage): Promise<Response> {
    const authInfo = authInfoOf({ caller })
    request.headers.set('accept', bothTypes) // the SDK asks for both, whatever it then sends
    return answerInJson(this.#serverFor({ era: 'legacy', authInfo }), request, {
      parsedBody: body,
      authInfo,
    })
  }

  async #call(message: RequestMessage, { id, params }: PlainCall, era: string): Promise<McpAnswer> {
    const { request, caller, session } = message
    const run = session?.run(id, request)
    const takesStream = request.headers.get('accept')?.includes('text/event-stream') === true
    const isStream = era === 'legacy' && takesStream
    const outcome = outcomeOf(this.#app, caller, params, {
      signal: run?.signal ?? request.signal,
      envelope: params._meta,
    })
    const patience = session ? this.#ways.patienceInSession : this.#ways.patience
    const done = takesStream ? await within(patience, outcome) : await outcome
    if (!done)
      return era === 'modern'
        ? this.#inStream(message, outcome)
        : this.#bySdk(message, outcome, run)
    if (approvalPage(done) && (session?.opensPages ?? declaresPages(params._meta)))
      return this.#bySdk(message, outcome, run)
    if (run) session!.finish(run)
    const text = resultMessage(
      done,
      id,
      era === 'modern' ? signature : undefined,
      caller.surface.outputSchemas,
    )
    return { text: isStream ? `event: message\ndata: ${text}\n\n` : text, isStream }
  }

  async #list(
    message: RequestMessage,
    id: string | number,
    era: string,
  ): Promise<Response | ListAnswer> {
    const { surface, rendersApps } = message.caller
    const key = `${era} ${surface.id} ${rendersApps === true}`
    const stored = this.#lists.find(key) ?? (await this.#makeList(message, key, era))
    return stored instanceof Response ? stored : stored.answer(id, message.gzip)
  }

  async #makeList(
    message: RequestMessage,
    key: string,
    era: string,
  ): Promise<StoredResult | Response> {
    const response = await (era === 'legacy' ? this.#inJson(message) : this.#bySdk(message))
    const { result } = (await response.clone().json()) as { result?: unknown }
    return result === undefined ? response : this.#lists.keep(key, result)
  }
}
