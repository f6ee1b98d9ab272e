import { createMcpHandler, Server, SERVER_INFO_META_KEY, type AuthInfo, type McpHttpHandler, type McpRequestContext, type ServerOptions } from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../core/app.ts'
import type { ActingKey } from '../core/actor.ts'
import { Refusal } from '../core/refusal.ts'
import type { Caller } from './caller.ts'
import { instructionsOf } from './instructions.ts'
import { answerInJson } from './legacy.ts'
import { ToolLists, type ListAnswer, type StoredResult } from './lists.ts'
import { classify, isPlain, isServed, listId, plainCall, type PlainCall } from './plain.ts'
import { resultMessage, type Outcome } from './results.ts'
import { callTool, isTool, outcomeOf, toolOf } from './tools.ts'

const identity = { name: 'workspace', title: 'Workspace', version: manifest.version }
const signature = { [SERVER_INFO_META_KEY]: identity }
const minute = 60_000
const bothTypes = 'application/json, text/event-stream'

/** A message as it came in, its body read and parsed. */
export interface Message {
  request: Request
  body: unknown
  caller: Caller
  /** Whether the answer may be compressed. */
  gzip: boolean
}

/** An answer to a tools/call: a message, or an event stream that holds it. */
export interface CallAnswer {
  text: string
  isStream: boolean
}

/** What a message gets: an answer of the SDK's, or one that was made in front of it. */
export type McpAnswer = Response | ListAnswer | CallAnswer

/** How tests tell the ways apart on which a call can be answered. */
export interface McpWays {
  /** Whether plain calls are answered in front of the SDK. */
  plainCalls: boolean
  /** How long a call may take, in milliseconds, until a stream is opened that the SDK keeps alive. */
  patience: number
}

/**
 * The MCP endpoint behind the key gate: the 2026-07-28 revision and the older ones at one address, without sessions. The SDK
 * speaks the protocol; tools/list is answered from memory, and what is merely a call of a tool without it.
 */
export class McpEndpoint {
  readonly #app: App
  readonly #options: ServerOptions
  readonly #handler: McpHttpHandler
  readonly #lists = new ToolLists()
  readonly #ways: McpWays

  constructor(app: App, ways: McpWays = { plainCalls: true, patience: 5000 }) {
    this.#app = app
    this.#ways = ways
    this.#options = {
      capabilities: { tools: {} },
      instructions: instructionsOf(app.catalogue),
      cacheHints: { 'tools/list': { ttlMs: 5 * minute, cacheScope: 'private' }, 'server/discover': { ttlMs: 60 * minute, cacheScope: 'public' } },
    }
    this.#handler = createMcpHandler(context => this.#serverFor(context), { onerror: error => app.log.info('an MCP message was not served', { reason: reasonOf(error) }) })
  }

  /** @throws Refusal invalid_argument for what is no single message */
  async answer(message: Message): Promise<McpAnswer> {
    const { request, body } = message
    if (body === undefined) throw new Refusal('invalid_argument', 'The request has no body.', 'Send one JSON-RPC message.')
    if (Array.isArray(body)) throw new Refusal('invalid_argument', 'Batches of messages are not accepted.', 'Send one message in a request.')
    const accept = request.headers.get('accept') ?? '*/*'
    const takesStream = accept.includes('text/event-stream')
    const list = listId(body)
    const called = this.#ways.plainCalls ? plainCall(body) : undefined
    if (list === undefined && called === undefined && takesStream) return this.#bySdk(message)
    const route = classify(request, body)
    if (isPlain(route, request)) {
      if (list !== undefined && /application\/json|\*\/\*/.test(accept)) return this.#list(message, list, route.kind)
      if (called && isTool(this.#app, called.params.name) && isServed(called, request, route.kind)) return this.#call(message, called, route.kind)
    }
    return route.kind === 'legacy' && !takesStream ? this.#inJson(message) : this.#bySdk(message)
  }

  /** Ends what is open: in a moment where nothing new comes in any more. */
  close(): Promise<void> {
    return this.#handler.close()
  }

  #serverFor({ authInfo }: McpRequestContext): Server {
    const { caller, outcome } = authInfo!.extra as unknown as Carried
    const server = new Server(identity, this.#options)
    server.setRequestHandler('tools/list', () => ({ tools: this.#app.catalogue.openTo(caller.actor.key).map(toolOf) }))
    server.setRequestHandler('tools/call', (request, context) => callTool(this.#app, caller, request.params, context.mcpReq, outcome))
    return server
  }

  /** `outcome`: of the call that the message asks for, where it is under way already. */
  #bySdk({ request, body, caller }: Message, outcome?: Promise<Outcome>): Promise<Response> {
    if (!request.headers.has('accept')) request.headers.set('accept', bothTypes)
    return this.#handler.fetch(request, { parsedBody: body, authInfo: authInfoOf({ caller, outcome }) })
  }

  #inJson({ request, body, caller }: Message): Promise<Response> {
    const authInfo = authInfoOf({ caller })
    request.headers.set('accept', bothTypes) // the SDK asks for both, whatever it then sends
    return answerInJson(this.#serverFor({ era: 'legacy', authInfo }), request, { parsedBody: body, authInfo })
  }

  async #call(message: Message, { id, params }: PlainCall, era: string): Promise<McpAnswer> {
    const { request, caller } = message
    const isStream = era === 'legacy' && request.headers.get('accept')?.includes('text/event-stream') === true
    const outcome = outcomeOf(this.#app, caller, params, { signal: request.signal, envelope: params._meta })
    const done = isStream ? await within(this.#ways.patience, outcome) : await outcome
    if (!done) return this.#bySdk(message, outcome)
    const text = resultMessage(done, id, era === 'modern' ? signature : undefined)
    return { text: isStream ? `event: message\ndata: ${text}\n\n` : text, isStream }
  }

  async #list(message: Message, id: string | number, era: string): Promise<Response | ListAnswer> {
    const key = `${era} ${selectionOf(message.caller.actor.key)}`
    const stored = this.#lists.find(key) ?? (await this.#makeList(message, key, era))
    return stored instanceof Response ? stored : stored.answer(id, message.gzip)
  }

  async #makeList(message: Message, key: string, era: string): Promise<StoredResult | Response> {
    const response = await (era === 'legacy' ? this.#inJson(message) : this.#bySdk(message))
    const { result } = (await response.clone().json()) as { result?: unknown }
    return result === undefined ? response : this.#lists.keep(key, result)
  }
}

/** What the SDK says of it up to the first colon, behind which it repeats what the caller sent. */
function reasonOf({ message }: Error): string {
  return message.replace(/:.*/s, '').slice(0, 200)
}

/** Which tools a key may use, as text: keys with the same text have the same list. */
function selectionOf(key: ActingKey | undefined): string {
  return JSON.stringify([key?.read_only ?? false, key?.toolsets ? [...key.toolsets].sort() : null])
}

/** What goes through the SDK to the handler of a message. */
interface Carried {
  caller: Caller
  outcome?: Promise<Outcome> | undefined
}

/** Our own gate has authenticated; the SDK asks for this shape. */
function authInfoOf(carried: Carried): AuthInfo {
  const { key, id } = carried.caller.actor
  return { token: '', clientId: key?.id ?? id, scopes: [], extra: { ...carried } }
}

/** What a promise resolves to, or undefined where it takes longer. */
function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, undefined)
    promise.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
