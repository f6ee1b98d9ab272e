// Selects the messages that are answered without the SDK: those for which it would add nothing. Anything slightly
// irregular is left to the SDK, which serves or refuses it in its own words.

import { omitUndefined } from '../kernel/present.ts'
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type CallToolRequestParams,
  type InboundClassificationOutcome,
} from '@modelcontextprotocol/server'

export interface PlainCall {
  id: string | number
  params: CallToolRequestParams
}

/** Request members whose own members are all optional. */
const optionalInside: ReadonlySet<string> = new Set(['params', '_meta', 'capabilities'])

/**
 * A message without null optional members, which some serializers write for omitted values. Tool arguments and
 * answers stay unchanged.
 */
export function withoutNulls(body: unknown): unknown {
  if (!isPlainObject(body) || typeof body.method !== 'string') return body
  return body.params === undefined ? body : withoutNullMembers(body)
}

function withoutNullMembers(value: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (member === null && name !== 'id') return []
    return [
      [
        name,
        optionalInside.has(name) && isPlainObject(member) ? withoutNullMembers(member) : member,
      ],
    ]
  })
  return Object.fromEntries(members)
}

/** The id of a request for the complete list of tools. */
export function listId(body: unknown): string | number | undefined {
  const { method, id, params } = (body ?? {}) as {
    method?: unknown
    id?: unknown
    params?: { cursor?: unknown } | null
  }
  if (method !== 'tools/list' || params === null || params?.cursor !== undefined) return undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** A request that only calls a tool: no input of an earlier round, no task. */
export function plainCall(body: unknown): PlainCall | undefined {
  const { method, id, params } = (body ?? {}) as {
    method?: unknown
    id?: unknown
    params?: unknown
  }
  if (
    method !== 'tools/call' ||
    (typeof id !== 'string' && typeof id !== 'number') ||
    !isPlainObject(params)
  )
    return undefined
  const { name, arguments: args, _meta, ...others } = params
  if (
    typeof name !== 'string' ||
    !isPlainObject(args ?? {}) ||
    args === null ||
    _meta === null ||
    !isPlainMeta(_meta ?? {})
  )
    return undefined
  return Object.keys(others).length === 0
    ? { id, params: params as CallToolRequestParams }
    : undefined
}

/** Classifies a message as the SDK does, by its body and its headers. */
export function classify({ headers }: Request, body: unknown): InboundClassificationOutcome {
  const protocolVersionHeader = headers.get('mcp-protocol-version')
  const mcpMethodHeader = headers.get('mcp-method')
  const mcpNameHeader = headers.get('mcp-name')
  return classifyInboundRequest(
    omitUndefined({
      httpMethod: 'POST',
      body,
      protocolVersionHeader: protocolVersionHeader ?? undefined,
      mcpMethodHeader: mcpMethodHeader ?? undefined,
      mcpNameHeader: mcpNameHeader ?? undefined,
    }),
  )
}

/** Whether the SDK would serve a request. */
export function isServedBySdk(route: InboundClassificationOutcome, { headers }: Request): boolean {
  const version = headers.get('mcp-protocol-version')
  if (route.kind === 'legacy')
    return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
  return (
    route.kind === 'modern' &&
    route.messageKind === 'request' &&
    route.classification.revision === '2026-07-28' &&
    version !== null &&
    headers.get('mcp-method') !== null
  )
}

/**
 * Whether a call also has the headers required by its protocol version, and its client is still waiting. Encoded
 * names are left to the SDK.
 */
export function hasRequiredHeaders(
  { params }: PlainCall,
  { headers, signal }: Request,
  era: string,
): boolean {
  if (signal.aborted) return false
  if (era === 'modern') return headers.get('mcp-name') === params.name
  const accept = headers.get('accept') ?? ''
  return !accept.includes('text/event-stream') || accept.includes('application/json')
}

const protocolPrefix = 'io.modelcontextprotocol/'
const knownMetaKeys = new Set<string>([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
])

/**
 * A progress token is allowed: the SDK would use it only for operations that report progress, and those are left to
 * it.
 */
function isPlainMeta(meta: unknown): boolean {
  if (
    !isPlainObject(meta) ||
    !(meta.progressToken === undefined || isProgressToken(meta.progressToken))
  )
    return false
  return Object.keys(meta).every((key) => !key.startsWith(protocolPrefix) || knownMetaKeys.has(key))
}

function isProgressToken(value: unknown): boolean {
  return typeof value === 'string' || Number.isInteger(value)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
