import type { App } from '../core/app.ts'
import type { Refusal } from '../core/refusal.ts'
import type { McpEndpoint } from '../mcp/handler.ts'
import { answer, answerEmpty, answerPieces, stamped, takesGzip, type HeaderList } from './answers.ts'
import { authenticate } from './auth.ts'
import { readJson } from './body.ts'
import type { Incoming, Page } from './incoming.ts'
import { methodNotAllowed, refuseWith } from './problem.ts'

const allow = ['POST', 'OPTIONS']
/** Proxies must pass streams on as they come. */
const unbuffered: HeaderList = [['x-accel-buffering', 'no']]
const ofSdk: HeaderList = [...unbuffered, ['cache-control', 'no-store']]
/** As the SDK sends its messages and its streams. */
const message: HeaderList = [...ofSdk, ['content-type', 'application/json']]
const stream: HeaderList = [...unbuffered, ['cache-control', 'no-cache, no-transform'], ['connection', 'keep-alive'], ['content-type', 'text/event-stream']]
const gzipped: HeaderList = [['content-encoding', 'gzip']]

/** The page of the MCP endpoint: POST only, behind the same key gate and the same limits as REST. */
export function mcpPage(app: App, endpoint: () => Promise<McpEndpoint>): Page {
  return async incoming => {
    if (incoming.method === 'OPTIONS') return answerEmpty(incoming, 204, [['allow', allow.join(', ')]])
    const actor = await authenticate(app, incoming, 'mcp')
    if (incoming.method !== 'POST') throw methodNotAllowed(incoming.method, allow)
    const body = await readJson(incoming)
    const caller = { actor, requestId: incoming.requestId, ip: incoming.ip, client: incoming.client }
    const done = await (await endpoint()).answer({ request: incoming.request, body, caller, gzip: takesGzip(incoming.header('accept-encoding')) })
    if (done instanceof Response) return stamped(incoming, done, ofSdk)
    if ('text' in done) return answer(incoming, 200, done.text, done.isStream ? stream : message)
    return answerPieces(incoming, done.pieces, [...unbuffered, ...(done.encoding ? gzipped : [])])
  }
}

/** The answer to a message that was refused before the protocol saw it: the status and headers of REST, the body of JSON-RPC. */
export async function refuseMcp(incoming: Incoming, refusal: Refusal): Promise<Response> {
  const { rpcRefusal } = await import('../mcp/results.ts')
  return refuseWith(incoming, refusal, rpcRefusal(refusal, incoming.requestId), unbuffered)
}
