// Deletion of a registration (the only part of RFC 7592 offered). Only a client with a secret has its own registration:
// one without shares it with every program that has the same description.

import { timingSafeEqual } from 'node:crypto'
import { signingKey } from '../../files/signed-links.ts'
import { deriveToken, tokenHash } from '../../keys/tokens.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { removeRegistration } from '../../oauth/registration-removal.ts'
import type { App } from '../../operations/app.ts'
import { answerEmpty } from '../transport/answers.ts'
import type { WebPage } from '../transport/request-info.ts'
import { spendRequest } from './answers.ts'
import { requireOffered } from './metadata.ts'

/** Credentials with which a program can withdraw its registration. */
export function registrationAccess(app: App, issuer: string, clientId: string) {
  return {
    registration_client_uri: `${issuer}/oauth/register/${clientId}`,
    registration_access_token: registrationToken(app, clientId),
  }
}

/** Endpoint with which a program withdraws its registration. */
export function registrationRemovalPage(app: App): WebPage {
  return async (incoming) => {
    requireOffered(app, incoming)
    spendRequest(app, incoming, 'oauth register removal', 20)
    const clientId = incoming.params.id ?? ''
    const bearerToken = /^Bearer +(\S+)$/i.exec(incoming.header('authorization') ?? '')?.[1] ?? ''
    const expected = registrationToken(app, clientId)
    if (!timingSafeEqual(Buffer.from(tokenHash(bearerToken)), Buffer.from(tokenHash(expected))))
      throw new OAuthError('invalid_client', 'The registration access token is not the client’s.')
    await removeRegistration(app.store, clientId)
    app.log.info('an OAuth client deleted its registration', { client: clientId })
    return answerEmpty(incoming, 204, [['access-control-allow-origin', '*']])
  }
}

/** Not stored: derived from the client's id and a key of the instance. */
function registrationToken({ settings }: App, clientId: string): string {
  const key = signingKey(settings.data, 'oauth registrations').toString('hex')
  return deriveToken('wcs', key, clientId)
}
