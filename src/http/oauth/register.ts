import { registerClient } from '../../oauth/clients.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { parseMetadata } from '../../oauth/metadata.ts'
import type { App } from '../../operations/app.ts'
import { readJson } from '../transport/body.ts'
import { noRoute } from '../transport/problem.ts'
import type { WebPage } from '../transport/request-info.ts'
import { answerOAuth } from './answers.ts'
import { requireOffered } from './metadata.ts'
import { registrationAccess } from './unregister.ts'

const registrationLimit = { perMinute: 20 / 60, burst: 20 }

/** Endpoint for dynamic client registration (RFC 7591). */
export function registrationPage(app: App): WebPage {
  return async (incoming) => {
    const issuer = requireOffered(app, incoming)
    const { oauth_registration: registration } = app.settings
    if (registration === 'no') throw noRoute(incoming.method)
    const { ip } = incoming
    const wait = app.limits.spending.tryTake(ip, 'oauth register', registrationLimit)
    if (wait > 0)
      throw new OAuthError('slow_down', 'Too many registrations came from this address.', {
        status: 429,
        retryAfterSeconds: wait,
      })
    const metadata = parseMetadata(await readJson(incoming))
    const { store, clock, log } = app
    const { client, secret, issuedAt } = await registerClient(store, clock, metadata, {
      registration,
      ip,
    })
    app.meter?.recordConnectingStep('register', 'ok')
    log.info('an OAuth client was registered', { client: client.clientId, ip })
    return answerOAuth(incoming, 201, {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(issuedAt / 1000),
      ...(secret === undefined
        ? {}
        : {
            client_secret: secret,
            client_secret_expires_at: 0,
            ...registrationAccess(app, issuer, client.clientId),
          }),
      client_name: client.name,
      ...(client.uri === undefined ? {} : { client_uri: client.uri }),
      redirect_uris: client.redirects,
      token_endpoint_auth_method: client.methods.find((method) =>
        secret === undefined
          ? !method.startsWith('client_secret')
          : method.startsWith('client_secret'),
      ),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
  }
}
