import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, type CallToolRequestParams, type CallToolResult, type Tool } from '@modelcontextprotocol/server'
import type { App } from '../core/app.ts'
import { call } from '../core/call.ts'
import { hintsOf, type Entry } from '../core/catalogue.ts'
import { invalid, Refusal } from '../core/refusal.ts'
import { idempotencyKey as idempotencyKeySchema } from '../core/schemas.ts'
import type { Caller } from './caller.ts'
import { resultOf, type Outcome } from './results.ts'

/** An operation as tools/list shows it. Without an output schema: it would double the list, and every session pays for it. */
export function toolOf({ operation, schemas }: Entry): Tool {
  const { name, about, kind, idempotent } = operation
  const inputSchema = schemas.toolJson as Tool['inputSchema']
  return { name, title: titleOf(name), description: about, inputSchema, annotations: hintsOf(kind, idempotent) }
}

/** `list_labels` is "List labels". */
export function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}

/** What the SDK knows of the message that a call came in. */
export interface ToolMessage {
  signal: AbortSignal
  /** What a request of the present protocol says of itself; the SDK takes it out of the arguments' _meta. */
  envelope?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Answers tools/call. `underWay`: how the call ends, where it has been made already.
 * @throws ProtocolError for a tool that does not exist
 */
export async function callTool(app: App, caller: Caller, params: CallToolRequestParams, message: ToolMessage, underWay?: Promise<Outcome>): Promise<CallToolResult> {
  const { name } = params
  const entry = app.catalogue.find(name)
  if (entry?.operation.unlisted) throw noTool(name)
  const outcome = await (underWay ?? outcomeOf(app, caller, params, message))
  if (!entry) throw noTool(name)
  try {
    return resultOf(outcome)
  } catch (error) {
    return resultOf(asRefusal(app, error))
  }
}

/** Whether there is a tool of that name. */
export function isTool(app: App, name: string): boolean {
  const entry = app.catalogue.find(name)
  return entry !== undefined && !entry.operation.unlisted
}

/** Makes a call, and tells how it ends: never by an error. */
export async function outcomeOf(app: App, caller: Caller, params: CallToolRequestParams, message: ToolMessage): Promise<Outcome> {
  try {
    return await call(app, caller.actor, requestOf(caller, params, message))
  } catch (error) {
    return asRefusal(app, error)
  }
}

function requestOf({ requestId, ip, client }: Caller, { name, arguments: args, _meta }: CallToolRequestParams, { envelope, signal }: ToolMessage) {
  return { tool: name, args, transport: 'mcp' as const, requestId, route: 'tools/call', ip, client: clientIn(envelope) ?? client, idempotencyKey: idempotencyKeyIn(_meta), signal }
}

function noTool(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name.slice(0, 80))}.`)
}

function idempotencyKeyIn(meta: Record<string, unknown> | undefined): string | undefined {
  const key = meta?.idempotencyKey
  if (key === undefined) return undefined
  const parsed = idempotencyKeySchema().safeParse(key)
  if (parsed.success) return parsed.data
  throw invalid('_meta.idempotencyKey', 'must be 1 to 255 printable ASCII characters.')
}

/** How the assistant names itself in a request of the present protocol. */
function clientIn(envelope: ToolMessage['envelope']): Caller['client'] {
  const { name, version } = (envelope?.[CLIENT_INFO_META_KEY] ?? {}) as { name?: unknown; version?: unknown }
  if (typeof name !== 'string' || name === '') return undefined
  return { name: name.slice(0, 80), ...(typeof version === 'string' ? { version: version.slice(0, 40) } : {}) }
}

/** call() throws refusals only; whatever else comes here is a mistake of this file, and no text of it may reach a model. */
function asRefusal(app: App, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  app.log.error('a tool call failed outside the call', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return new Refusal('internal', 'Something went wrong on our side.')
}
