import type { App } from '../../operations/app.ts'
import { recordEarlyRefusal } from '../../operations/call/index.ts'
import { denied } from '../../kernel/refusal.ts'
import { authenticate } from './auth.ts'
import type { WebPage } from '../transport/request-info.ts'
import { noRoute } from '../transport/problem.ts'

const tools: Readonly<Record<string, string>> = {
  POST: 'create_api_key',
  PUT: 'update_api_key',
  PATCH: 'update_api_key',
  DELETE: 'revoke_api_key',
}

/**
 * Refuses to create, change and revoke keys over REST: no key may do that, regardless of its owner, because a leaked
 * key could create another one. All other requests go to `others`, if given.
 */
export function keyChangesPage(app: App, others?: WebPage): WebPage {
  return async (incoming) => {
    const tool = tools[incoming.method]
    if (others && tool === undefined) return others(incoming)
    const route = `${incoming.method.slice(0, 20)} /api/api-keys`
    const actor = await authenticate(app, incoming, 'api', {
      tool: tool ?? route,
      weight: 1,
      route,
    })
    if (tool === undefined) throw noRoute(incoming.method)
    const { requestId, ip, client } = incoming
    const refusal = denied(
      'Keys cannot be created, changed or revoked with a key.',
      `Sign in at ${app.baseUrl}, or use \`workspace keys create\` and \`workspace keys revoke\`.`,
    )
    throw await recordEarlyRefusal(
      app,
      actor,
      { tool, args: undefined, transport: 'rest', requestId, route, ip, client },
      refusal,
    )
  }
}
