import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { BoundedMap } from '../kernel/bounded-map.ts'
import type { App } from '../operations/app.ts'
import { messageRendersApps } from './apps/app-views.ts'
import type { Caller } from './caller.ts'
import { toolListHash } from './surface/hash.ts'
import { listen, listenRequest, type ListenRequest } from './resources/listen-requests.ts'
import { ToolLists, type ListAnswer, type StoredResult } from './surface/lists.ts'
import {
  requireOneMessage,
  withinMilliseconds,
  type McpAnswer,
  type McpMessage,
  type RequestMessage,
} from './endpoint-messages.ts'
import {
  classify,
  isServedBySdk,
  hasRequiredHeaders,
  listId,
  plainCall,
  withoutNulls,
  type PlainCall,
} from './plain.ts'
import { logMessage } from './message-log.ts'
import { approvalPage, declaresPages } from './tools/held-calls.ts'
import { isTextOnly } from './sessions/session-client.ts'
import { formOf, resultMessage } from './tools/results.ts'
import { SdkAnswers } from './sdk-answers.ts'
import { identity, defaultTuning, type TestExtensions, type McpTuning } from './server.ts'
import { SessionEndpoint, type SseMessage } from './sessions/session-endpoint.ts'
import { surfaceOf } from './surface/surface.ts'
import { toolsOf } from './tools/tool-list.ts'
import { deliversProgress, isTool, toolCallOutcome } from './tools/tools.ts'

export type { TestExtensions, McpAnswer, McpMessage }
export { iconNames, iconPath, iconSvg } from './surface/icons.ts'

const signature = { [SERVER_INFO_META_KEY]: identity }

type Route = ReturnType<typeof classify>

/**
 * The MCP endpoint behind the key gate: the 2026-07-28 revision and the older ones at one address, the latter with
 * optional sessions. The SDK implements the protocol; tools/list is answered from memory, and plain tool calls bypass
 * it.
 */
export class McpEndpoint {
  readonly #app: App
  readonly #sdk: SdkAnswers
  readonly #sessions: SessionEndpoint
  readonly #lists = new ToolLists()
  readonly #hashes = new BoundedMap<string, string>(64)
  readonly #tuning: McpTuning
  readonly #extras: TestExtensions | undefined

  constructor(
    app: App,
    {
      ways: tuning,
      extras,
    }: { ways?: Partial<McpTuning>; extras?: TestExtensions | undefined } = {},
  ) {
    this.#app = app
    this.#tuning = { ...defaultTuning, ...extras?.tuning, ...tuning }
    this.#extras = extras
    this.#sdk = new SdkAnswers(app, this.#tuning.keepAliveMs, extras)
    this.#sessions = new SessionEndpoint(app, {
      graceMs: this.#tuning.graceMs,
      makeServer: (caller) => this.#sdk.sessionServer(caller),
    })
  }

  /** @throws Refusal invalid_argument unless it is a single message */
  async answer(incoming: McpMessage): Promise<McpAnswer> {
    requireOneMessage(incoming.body)
    const cleaned = { ...incoming, body: withoutNulls(incoming.body) }
    const { request, body, from } = cleaned
    const caller: Caller = { ...from, surface: surfaceOf(this.#app, from.actor.key, request) }
    const route = classify(request, body)
    if (route.kind === 'legacy' && this.#sessions.beginsSession(request, body))
      return this.#sessions.open({ request, body, caller })
    const session = route.kind === 'legacy' ? this.#sessions.find(request, from.actor) : undefined
    const message: RequestMessage = {
      ...cleaned,
      session,
      caller: session
        ? session.callerOf(caller)
        : {
            ...caller,
            rendersApps: messageRendersApps(body),
            takesTextOnly: isTextOnly(request.headers.get('mcp-protocol-version')),
          },
    }
    const listening = route.kind === 'modern' ? listenRequest(body) : undefined
    return listening ? this.#listen(message, listening) : this.#answer(message, route)
  }

  async #answer(message: RequestMessage, route: Route): Promise<McpAnswer> {
    const { request, body, session } = message
    await logMessage(this.#app, { ...message, isModern: route.kind === 'modern' })
    const accept = request.headers.get('accept') ?? '*/*'
    const listRequestId = listId(body)
    const plain = this.#tuning.plainCalls ? plainCall(body) : undefined
    if (isServedBySdk(route, request)) {
      if (listRequestId !== undefined && /application\/json|\*\/\*/.test(accept))
        return this.#list(message, listRequestId, route.kind)
      if (
        plain &&
        isTool(this.#app, message.caller, plain.params.name) &&
        !deliversProgress(this.#app, plain.params) &&
        hasRequiredHeaders(plain, request, route.kind)
      )
        return this.#call(message, plain, route.kind)
    }
    return route.kind === 'legacy' && !session && !accept.includes('text/event-stream')
      ? this.#sdk.answerInJson(message)
      : this.#sdk.answer(message)
  }

  /** Answers GET and DELETE of a session. @throws Refusal not_found, invalid_argument or rate_limited */
  answerSession(request: Request, actor: Caller['actor']): Promise<Response> {
    return this.#sessions.answer(request, actor)
  }

  /** Opens the stream of an HTTP+SSE client. @throws Refusal rate_limited */
  openSse(request: Request, from: McpMessage['from']): Promise<Response> {
    return this.#sessions.openSse(request, from)
  }

  /**
   * Accepts a message of such a client; the answer is sent on its stream. @throws Refusal not_found or
   * invalid_argument
   */
  acceptSse(message: SseMessage): void {
    this.#sessions.acceptSse(message)
  }

  /** Hash of the tools that a key and a selection list. @throws Refusal as for a message */
  toolsHash(key: Caller['actor']['key'], request: Request): string {
    const surface = surfaceOf(this.#app, key, request)
    return this.#hashes.useOrAdd(surface.id, () =>
      toolListHash(toolsOf({ ...surface, outputSchemas: false }, this.#app)),
    )
  }

  /** Ends all sessions and streams. Called when no new messages are accepted. */
  async close(): Promise<void> {
    this.#sessions.close()
    await this.#sdk.close()
  }

  #listen(message: RequestMessage, request: ListenRequest): Promise<Response> {
    return listen(this.#app, message.caller, request, this.#extras, () => this.#sdk.answer(message))
  }

  async #call(message: RequestMessage, { id, params }: PlainCall, era: string): Promise<McpAnswer> {
    const { request, caller, session } = message
    const run = session?.run(id, request)
    const takesStream = request.headers.get('accept')?.includes('text/event-stream') === true
    const isStream = era === 'legacy' && takesStream
    const outcome = toolCallOutcome(this.#app, caller, params, {
      signal: run?.signal ?? request.signal,
      envelope: params._meta,
    })
    const streamDelayMs = session ? this.#tuning.sessionStreamDelayMs : this.#tuning.streamDelayMs
    const result = takesStream ? await withinMilliseconds(streamDelayMs, outcome) : await outcome
    if (!result)
      return era === 'modern'
        ? this.#sdk.answerInStream(message, outcome)
        : this.#sdk.answer(message, outcome, run)
    if (approvalPage(result) && (session?.opensPages ?? declaresPages(params._meta)))
      return this.#sdk.answer(message, outcome, run)
    if (run) session!.finish(run)
    const text = resultMessage(result, id, era === 'modern' ? signature : undefined, formOf(caller))
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
    const response = await (era === 'legacy'
      ? this.#sdk.answerInJson(message)
      : this.#sdk.answer(message))
    const { result } = (await response.clone().json()) as { result?: unknown }
    return result === undefined ? response : this.#lists.keep(key, result)
  }
}
