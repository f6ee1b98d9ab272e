import {
  classifyInboundRequest, createMcpHandler, Server, SUPPORTED_PROTOCOL_VERSIONS,
  type AuthInfo, type InboundClassificationOutcome, type McpHttpHandler, type McpRequestContext, type ServerOptions,
} from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../core/app.ts'
import type { ActingKey } from '../core/actor.ts'
import { Refusal } from '../core/refusal.ts'
import type { Caller } from './caller.ts'
import { instructionsOf } from './instructions.ts'
import { answerInJson } from './legacy.ts'
import { ToolLists, type ListAnswer, type StoredResult } from './lists.ts'
import { callTool, toolOf } from './tools.ts'

const identity = { name: 'workspace', title: 'Workspace', version: manifest.version }
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

/**
 * The MCP endpoint behind the key gate: the 2026-07-28 revision and the older ones at one address, without sessions. The SDK
 * speaks the protocol; tools/list is answered from memory.
 */
export class McpEndpoint {
  readonly #app: App
  readonly #options: ServerOptions
  readonly #handler: McpHttpHandler
  readonly #lists = new ToolLists()

  constructor(app: App) {
    this.#app = app
    this.#options = {
      capabilities: { tools: {} },
      instructions: instructionsOf(app.catalogue),
      cacheHints: { 'tools/list': { ttlMs: 5 * minute, cacheScope: 'private' }, 'server/discover': { ttlMs: 60 * minute, cacheScope: 'public' } },
    }
    this.#handler = createMcpHandler(context => this.#serverFor(context), { onerror: error => app.log.info('an MCP message was not served', { reason: reasonOf(error) }) })
  }

  /** @throws Refusal invalid_argument for what is no single message */
  async answer(message: Message): Promise<Response | ListAnswer> {
    const { request, body } = message
    if (body === undefined) throw new Refusal('invalid_argument', 'The request has no body.', 'Send one JSON-RPC message.')
    if (Array.isArray(body)) throw new Refusal('invalid_argument', 'Batches of messages are not accepted.', 'Send one message in a request.')
    const accept = request.headers.get('accept') ?? '*/*'
    const list = listId(body)
    const takesStream = accept.includes('text/event-stream')
    if (list === undefined && takesStream) return this.#bySdk(message)
    const route = classify(request, body)
    if (list !== undefined && isPlain(route, request) && /application\/json|\*\/\*/.test(accept)) return this.#list(message, list, route.kind)
    return route.kind === 'legacy' && !takesStream ? this.#inJson(message) : this.#bySdk(message)
  }

  /** Ends what is open: in a moment where nothing new comes in any more. */
  close(): Promise<void> {
    return this.#handler.close()
  }

  #serverFor({ authInfo }: McpRequestContext): Server {
    const caller = authInfo!.extra!.caller as Caller
    const server = new Server(identity, this.#options)
    server.setRequestHandler('tools/list', () => ({ tools: this.#app.catalogue.openTo(caller.actor.key).map(toolOf) }))
    server.setRequestHandler('tools/call', (request, context) => callTool(this.#app, caller, request.params, context.mcpReq))
    return server
  }

  #bySdk({ request, body, caller }: Message): Promise<Response> {
    if (!request.headers.has('accept')) request.headers.set('accept', bothTypes)
    return this.#handler.fetch(request, { parsedBody: body, authInfo: authInfoOf(caller) })
  }

  #inJson({ request, body, caller }: Message): Promise<Response> {
    const authInfo = authInfoOf(caller)
    request.headers.set('accept', bothTypes) // the SDK asks for both, whatever it then sends
    return answerInJson(this.#serverFor({ era: 'legacy', authInfo }), request, { parsedBody: body, authInfo })
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

/** Our own gate has authenticated; this only carries the caller through the SDK. */
function authInfoOf(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.actor.key?.id ?? caller.actor.id, scopes: [], extra: { caller } }
}

/** The id of a request for the whole list of tools. */
function listId(body: unknown): string | number | undefined {
  const { method, id, params } = (body ?? {}) as { method?: unknown; id?: unknown; params?: { cursor?: unknown } | null }
  if (method !== 'tools/list' || params === null || params?.cursor !== undefined) return undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

function classify(request: Request, body: unknown): InboundClassificationOutcome {
  const named = { protocolVersionHeader: 'mcp-protocol-version', mcpMethodHeader: 'mcp-method', mcpNameHeader: 'mcp-name' }
  const headers = Object.entries(named).flatMap(([key, name]) => {
    const value = request.headers.get(name)
    return value === null ? [] : [[key, value]]
  })
  return classifyInboundRequest({ httpMethod: 'POST', body, ...(Object.fromEntries(headers) as Record<string, string>) })
}

/** Whether a request is one that the SDK would serve; what it would refuse, it shall refuse in its own words. */
function isPlain(route: InboundClassificationOutcome, { headers }: Request): boolean {
  const version = headers.get('mcp-protocol-version')
  if (route.kind === 'legacy') return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
  return route.kind === 'modern' && route.messageKind === 'request' && route.classification.revision === '2026-07-28' && version !== null && headers.get('mcp-method') !== null
}
