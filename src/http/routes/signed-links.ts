import type { App } from '../../operations/app.ts'
import { call } from '../../operations/call/index.ts'
import type { Id } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import { readLink } from '../../files/signed-links.ts'
import { answerDownload, downloadIn } from './downloads.ts'
import { getOnly } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'

/**
 * Download links that need no other authorization: a person opens in a browser what an assistant requested for them.
 * The call goes through the pipeline in their name, so it is rate-limited, logged, and returns only what they see.
 */
export function signedLinksPage(app: App): WebPage {
  return getOnly(async (incoming) => {
    const token = incoming.params.token ?? ''
    const link = readLink(app.settings.data, token, app.clock.now())
    const key = link?.key == null ? undefined : { id: link.key as Id<'api_keys'> }
    const actor =
      link && (await app.keys.currentActor({ id: link.person as Id<'users'>, via: 'api', key }))
    if (!link || !actor) throw notFound('download')
    const { requestId, ip, client } = incoming
    const { value } = await call(app, actor, {
      tool: link.tool,
      args: { token },
      transport: 'rest',
      requestId,
      route: 'GET /exports/{token}',
      ip,
      client,
      signal: incoming.request.signal,
    })
    return answerFile(app, incoming, value)
  })
}

function answerFile(app: App, incoming: Incoming, value: unknown): Response {
  const download = downloadIn(value)
  if (!download) throw notFound('download')
  return answerDownload(incoming, app.settings.data, download)
}
