import type { App } from '../../operations/app.ts'
import { ProviderClient } from '../../sso/client.ts'
import { endProviderSessions } from '../../sso/logout.ts'
import { oauthEndpoint, answerOAuth, spendRequest } from '../oauth/answers.ts'
import { readBytes } from '../transport/body.ts'
import type { WebPage } from '../transport/request-info.ts'

/** Endpoint at which providers report that someone signed out there. */
export const backchannelPath = '/sso/:id/backchannel-logout'

const maxFormBytes = 16_384

/** Accepts logout tokens from anyone, if signed by the provider. */
export function backchannelPage(app: App): WebPage {
  const client = new ProviderClient(app)
  return oauthEndpoint(app, 'POST', async (incoming) => {
    spendRequest(app, incoming, 'provider logouts', 60)
    const form = new URLSearchParams((await readBytes(incoming, maxFormBytes)).toString('utf8'))
    const { requestId, ip } = incoming
    const endedCount = await endProviderSessions(app, client, {
      providerId: incoming.params.id ?? '',
      token: form.get('logout_token') ?? '',
      from: { requestId, ip },
    })
    app.meter?.recordSsoStep('logout', 'ok')
    app.log.info('a provider ended sessions', {
      provider: incoming.params.id,
      sessions: endedCount,
    })
    return answerOAuth(incoming, 200, {})
  })
}
