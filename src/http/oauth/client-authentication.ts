import { decodeJwt } from 'jose'
import { assertionType, type Assertions } from '../../oauth/assertions.ts'
import {
  oauthClientOf,
  findStoredClient,
  isSecretOf,
  type OAuthClient,
} from '../../oauth/clients.ts'
import { OAuthError } from '../../oauth/errors.ts'
import type { App } from '../../operations/app.ts'
import type { Incoming } from '../transport/request-info.ts'

/** Credentials of a client in a request, by exactly one method. */
type Credentials =
  | { by: 'none'; clientId: string }
  | { by: 'secret'; clientId: string; secret: string }
  | { by: 'assertion'; clientId: string; assertion: string }

/** The client that sent a request for tokens. @throws OAuthError invalid_client */
export async function authenticateClient(
  app: App,
  assertions: Assertions,
  {
    incoming,
    form,
    issuer,
  }: { incoming: Incoming; form: ReadonlyMap<string, string>; issuer: string },
): Promise<OAuthClient> {
  const credentials = credentialsIn(incoming.header('authorization'), form)
  const row = await findStoredClient(app.store, credentials.clientId)
  if (!row || row.policy === 'refuse') throw invalidClient('The client is not known.')
  const client = oauthClientOf(row)
  if (credentials.by === 'none' && client.methods.includes('none')) return client
  if (credentials.by === 'secret' && isSecretOf(client, credentials.secret)) return client
  if (credentials.by === 'assertion' && client.methods.includes('private_key_jwt')) {
    await assertions.verify(client, credentials.assertion, [
      issuer,
      `${issuer}/oauth/token`,
      `${issuer}/`,
    ])
    return client
  }
  throw invalidClient('The client has not authenticated as it is registered.')
}

function credentialsIn(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): Credentials {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  const assertion = form.get('client_assertion')
  const methods = [authorization, secret, assertion].filter((way) => way !== undefined)
  if (methods.length > 1) throw invalidClient('The client authenticated in more than one way.')
  if (assertion !== undefined)
    return assertionCredentials(assertion, clientId, form.get('client_assertion_type'))
  if (authorization !== undefined) return basicAuthCredentials(authorization, clientId)
  if (clientId === undefined || clientId === '') throw invalidClient('There is no client_id.')
  return secret === undefined ? { by: 'none', clientId } : { by: 'secret', clientId, secret }
}

function assertionCredentials(
  assertion: string,
  clientId: string | undefined,
  type: string | undefined,
): Credentials {
  if (type !== assertionType)
    throw invalidClient(`client_assertion_type has to be ${assertionType}.`)
  const subject = subjectOf(assertion)
  if (subject === undefined || (clientId !== undefined && clientId !== subject))
    throw invalidClient('The client assertion is not of this client.')
  return { by: 'assertion', clientId: subject, assertion }
}

/** Client that an unverified assertion claims to be from; nothing in it is trusted yet. */
function subjectOf(assertion: string): string | undefined {
  try {
    const { sub }: { sub?: unknown } = decodeJwt(assertion)
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined // not a JWT
  }
}

function basicAuthCredentials(authorization: string, clientId: string | undefined): Credentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const [name, secret] =
    encoded === undefined ? [] : basicCredentialsOf(Buffer.from(encoded, 'base64'))
  if (name === undefined || secret === undefined || (clientId !== undefined && clientId !== name))
    throw invalidClient('The Authorization header is not HTTP Basic of this client.')
  return { by: 'secret', clientId: name, secret }
}

function basicCredentialsOf(bytes: Buffer): (string | undefined)[] {
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(bytes.toString('utf8')) ?? []
  return [name, secret].map((part) => (part === undefined ? undefined : decodeFormValue(part)))
}

function decodeFormValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const invalidClient = (why: string) => new OAuthError('invalid_client', why)
