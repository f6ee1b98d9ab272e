import type { App } from '../../operations/app.ts'
import { ProviderClient } from '../../sso/client.ts'
import { endProviderSessions } from '../../sso/logout.ts'
import { programPage, answerOAuth, spendRequest } from '../oauth/answers.ts'
import { readBytes } from '../transport/body.ts'
import type { WebPage } from '../transport/request-info.ts'

/** Endpoint at which providers report that someone signed out there. */
export const backchannelPath = '/sso/:id/backchannel-logout'

const largestForm = 16_384

/** Accepts logout tokens from anyone, if signed by the provider. */
export function backchannelPage(app: App): WebPage {
  const client = new ProviderClient(app)
  return programPage(app, 'POST', async (incoming) => {
    spendRequest(app, incoming, 'provider logouts', 60)
    const form = new URLSearchParams((await readBytes(incoming, largestForm)).toString('utf8'))
    const { requestId, ip } = incoming
    const ended = await endProviderSessions(app, client, {
      providerId: incoming.params.id ?? '',
      token: form.get('logout_token') ?? '',
      from: { requestId, ip },
    })
    app.meter?.recordSsoStep('logout', 'ok')
    app.log.info('sessions ended at a provider', { provider: incoming.params.id, sessions: ended })
    return answerOAuth(incoming, 200, {})
  })
}
