import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { Unauthenticated } from '../../keys/verify.ts'
import { scopeText, defaultScopes } from '../../oauth/scopes.ts'
import type { McpEndpoint, McpMessage } from '../../mcp/handler.ts'
import {
  respondWith,
  answerEmpty,
  answerPieces,
  withCommonHeaders,
  acceptsGzip,
  type HeaderList,
} from '../transport/answers.ts'
import { mcpChallenge } from '../oauth/metadata.ts'
import { admit, authenticate, logRefusal, identify, type Purpose } from './auth.ts'
import { readJson } from '../transport/body.ts'
import { byMethod, refusedAfter } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { HttpRefusal, methodNotAllowed, refuseWith } from '../transport/problem.ts'

const allowInSession = ['GET', 'POST', 'DELETE', 'OPTIONS']
/** Addresses of the MCP endpoint: plain, and with a selection in the path. */
export const mcpPaths = ['/mcp', '/mcp/p/:preset'].flatMap((start) =>
  ['', '/x/:toolsets'].flatMap((modules) =>
    ['', '/readonly'].map((suffix) => start + modules + suffix),
  ),
)
/** Proxies must not buffer streams. */
const unbuffered: HeaderList = [['x-accel-buffering', 'no']]
const sdkHeaders: HeaderList = [...unbuffered, ['cache-control', 'no-store']]
/** Headers of messages and streams, as the SDK sends them. */
const messageHeaders: HeaderList = [...sdkHeaders, ['content-type', 'application/json']]
const streamHeaders: HeaderList = [
  ...unbuffered,
  ['cache-control', 'no-cache, no-transform'],
  ['content-type', 'text/event-stream'],
]
const gzipHeader: HeaderList = [['content-encoding', 'gzip']]

/**
 * The page of the MCP endpoint, with the same key checks and limits as REST. GET and DELETE require a session, named
 * by Mcp-Session-Id. Without one there is no stream and nothing to end: 405, as the protocol specifies, after which
 * clients continue.
 */
export function mcpPage(app: App, endpoint: () => Promise<McpEndpoint>): WebPage {
  const post: WebPage = async (incoming) => {
    const { actor, body } = await readMessage(app, incoming)
    const from = senderOf(app, incoming, actor)
    const answer = await (await endpoint()).answer({
      request: incoming.request,
      body,
      from,
      gzip: acceptsGzip(incoming.header('accept-encoding')),
    })
    if (answer instanceof Response) return withCommonHeaders(incoming, answer, sdkHeaders)
    if ('text' in answer)
      return respondWith(
        incoming,
        200,
        answer.text,
        answer.isStream ? streamHeaders : messageHeaders,
      )
    return answerPieces(incoming, answer.pieces, [
      ...unbuffered,
      ...(answer.encoding ? gzipHeader : []),
    ])
  }
  return byMethod(
    { POST: post },
    {
      otherwise: async (incoming, refusal) =>
        answerSession(incoming, await authenticate(app, incoming, 'mcp'), { endpoint, refusal }),
    },
  )
}

/** Reads a message and its sender. Its cost against the key's rate depends on the message, so that is read first. */
async function readMessage(app: App, incoming: Incoming): Promise<{ actor: Actor; body: unknown }> {
  const actor = await identify(app, incoming, 'mcp')
  const read = await readJson(incoming).then(
    (body) => ({ body }),
    (error: unknown) => ({ error }),
  )
  if ('body' in read) incoming.messageId = requestIdOf(read.body)
  await admit(app, incoming, actor, 'error' in read ? plainMessage : purposeOf(app, read.body))
  if ('error' in read) throw await logRefusal(app, incoming, actor, plainMessage, read.error)
  const changes = actor.key?.connection?.canAskToWrite ? changeIn(app, read.body) : undefined
  if (actor.key?.read_only && changes)
    throw await logRefusal(app, incoming, actor, changes, new InsufficientScope(changes.tool))
  return { actor, body: read.body }
}

/** The call of an operation that changes something. */
function changeIn(app: App, body: unknown): Purpose | undefined {
  const purpose = purposeOf(app, body)
  const entry = app.catalogue.find(purpose.tool)
  return entry && entry.operation.kind !== 'read' ? purpose : undefined
}

function requestIdOf(body: unknown): string | number | undefined {
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : undefined
}

const plainMessage: Purpose = { tool: 'message', weight: 1, route: 'POST /mcp' }

function purposeOf(app: App, body: unknown): Purpose {
  const { method, params } = (body ?? {}) as {
    method?: unknown
    params?: { name?: unknown; arguments?: { tool_name?: unknown } } | null
  }
  if (typeof method !== 'string' || !/^[a-zA-Z/]{1,60}$/.test(method)) return plainMessage
  if (method !== 'tools/call') return { tool: method, weight: 1, route: method }
  const { name, arguments: args } = params ?? {}
  const operation = [name, args?.tool_name]
    .map((item) => (typeof item === 'string' ? app.catalogue.find(item)?.operation : undefined))
    .find(Boolean)
  return { tool: operation?.name ?? method, weight: operation?.weight ?? 1, route: method, args }
}

async function answerSession(
  incoming: Incoming,
  actor: Actor,
  { endpoint, refusal }: { endpoint: () => Promise<McpEndpoint>; refusal: Refusal },
): Promise<Response> {
  const { method, request } = incoming
  if (incoming.header('mcp-session-id') === undefined) throw refusal
  if (method !== 'GET' && method !== 'DELETE') throw methodNotAllowed(method, allowInSession)
  return withCommonHeaders(
    incoming,
    await (await endpoint()).answerSession(request, actor),
    sdkHeaders,
  )
}

function senderOf(app: App, incoming: Incoming, actor: Actor): McpMessage['from'] {
  const { requestId, ip, client, trace } = incoming
  return {
    actor,
    requestId,
    ip,
    client,
    trace,
    scopeChallenge: scopeChallengeTo(app, incoming, actor),
  }
}

/**
 * Challenge that asks the person to allow changes, which they did not allow when connecting the program; undefined if
 * the address itself is read-only.
 */
function scopeChallengeTo(app: App, incoming: Incoming, { key }: Actor): string | undefined {
  if (!key?.connection || !key.read_only) return undefined
  if (new URL(key.connection.resource).pathname.endsWith('/readonly')) return undefined
  return mcpChallenge(app, incoming, {
    error: 'insufficient_scope',
    scope: scopeText(defaultScopes),
  })
}

/** The stream of HTTP+SSE, for the oldest clients. */
export function ssePage(app: App, endpoint: () => Promise<McpEndpoint>): WebPage {
  const page: WebPage = async (incoming) => {
    const actor = await authenticate(app, incoming, 'mcp')
    if (!/text\/event-stream|\*\/\*/.test(incoming.header('accept') ?? '*/*'))
      throw new HttpRefusal(
        406,
        'invalid_argument',
        'Only an event stream is available here.',
        'Send Accept: text/event-stream.',
      )
    return withCommonHeaders(
      incoming,
      await (await endpoint()).openSse(incoming.request, senderOf(app, incoming, actor)),
      unbuffered,
    )
  }
  return byMethod({ GET: page }, { withoutHead: true, otherwise: refusedAfterKeyCheck(app) })
}

/** Endpoint for the client's messages to such a stream. */
export function messagesPage(app: App, endpoint: () => Promise<McpEndpoint>): WebPage {
  const post: WebPage = async (incoming) => {
    const { actor, body } = await readMessage(app, incoming)
    const id = incoming.url.searchParams.get('sessionId') ?? ''
    const mcp = await endpoint()
    mcp.acceptSse({ request: incoming.request, id, body, from: senderOf(app, incoming, actor) })
    return answerEmpty(incoming, 202)
  }
  return byMethod({ POST: post }, { otherwise: refusedAfterKeyCheck(app) })
}

const refusedAfterKeyCheck = (app: App) =>
  refusedAfter((incoming) => authenticate(app, incoming, 'mcp'))

/** Hash of the tools of a key and a selection; it changes when one of them does. */
export function toolsHashPage(app: App, endpoint: () => Promise<McpEndpoint>): WebPage {
  return async (incoming) => {
    const { key } = await authenticate(app, incoming, 'api')
    const hash = (await endpoint()).toolsHash(key, incoming.request)
    const headers: HeaderList = [
      ['etag', `"${hash}"`],
      ['cache-control', 'private, no-cache'],
      ['content-type', 'text/plain; charset=utf-8'],
    ]
    if (incoming.header('if-none-match')?.includes(hash))
      return respondWith(incoming, 304, null, headers)
    return respondWith(incoming, 200, `${hash}  tools/list\n`, headers)
  }
}

/** The answer to a message refused before the protocol handler: status and headers of REST, body of JSON-RPC. */
export function refuseMcp(app: App) {
  return async (incoming: Incoming, refusal: Refusal): Promise<Response> => {
    const { rpcRefusal } = await import('../../mcp/tools/results.ts')
    const challenge = challengeTo(app, incoming, refusal)
    return refuseWith(
      incoming,
      refusal,
      rpcRefusal(refusal, incoming.requestId, incoming.messageId),
      challenge === undefined ? unbuffered : [...unbuffered, ['www-authenticate', challenge]],
    )
  }
}

/** Challenge that starts a sign-in, or asks the person for more rights, if programs can be connected. */
function challengeTo(app: App, incoming: Incoming, refusal: Refusal): string | undefined {
  if (refusal instanceof InsufficientScope)
    return mcpChallenge(app, incoming, {
      error: 'insufficient_scope',
      scope: scopeText(defaultScopes),
    })
  if (!(refusal instanceof Unauthenticated)) return undefined
  return mcpChallenge(app, incoming, refusal.isAbsent ? {} : { error: 'invalid_token' })
}

/** A change by a connection that is read-only because its program never requested more: it may ask the person now. */
class InsufficientScope extends HttpRefusal {
  constructor(tool: string) {
    super(
      403,
      'permission_denied',
      `${tool} makes changes, and this connection may only read.`,
      'Ask the person to allow changes: the program can do that by a new authorization with the scopes named in WWW-Authenticate.',
    )
  }
}
