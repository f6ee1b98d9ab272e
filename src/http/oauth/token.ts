import { isUtf8 } from 'node:buffer'
import type { Assertions } from '../../oauth/assertions.ts'
import { OAuthError } from '../../oauth/errors.ts'
import type { TokenAnswer } from '../../oauth/connection-tokens.ts'
import { grantByCode, grantByRefresh } from '../../oauth/grants.ts'
import { canonicalResource } from '../../oauth/requests.ts'
import { revokeByToken } from '../../oauth/revocation.ts'
import type { OAuthClient } from '../../oauth/clients.ts'
import type { App } from '../../operations/app.ts'
import { readBytes } from '../transport/body.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { answerOAuth, spendRequest } from './answers.ts'
import { authenticateClient } from './client-authentication.ts'
import { requireOffered } from './metadata.ts'

const maxFormBytes = 16 * 1024
const tokensPerMinute = 60

/** The token endpoint. */
export function tokenPage(app: App, assertions: Assertions): WebPage {
  return async (incoming) => {
    const { form, client } = await readTokenRequest(app, assertions, incoming)
    return answerOAuth(incoming, 200, await grant(app, client, form))
  }
}

/** Endpoint with which a program ends its own connection (RFC 7009): the answer reveals nothing about the token. */
export function revocationPage(app: App, assertions: Assertions): WebPage {
  return async (incoming) => {
    const { form, client } = await readTokenRequest(app, assertions, incoming)
    await revokeByToken(app, client, requiredField(form, 'token'))
    return answerOAuth(incoming, 200, {})
  }
}

interface TokenRequest {
  form: ReadonlyMap<string, string>
  client: OAuthClient
}

async function readTokenRequest(
  app: App,
  assertions: Assertions,
  incoming: Incoming,
): Promise<TokenRequest> {
  const issuer = requireOffered(app, incoming)
  spendRequest(app, incoming, 'oauth token', tokensPerMinute)
  const form = await readForm(incoming)
  return { form, client: await authenticateClient(app, assertions, { incoming, form, issuer }) }
}

function grant(
  app: App,
  client: OAuthClient,
  form: ReadonlyMap<string, string>,
): Promise<TokenAnswer> {
  const type = requiredField(form, 'grant_type')
  const resource = form.get('resource')
  if (type === 'authorization_code')
    return grantByCode(app, client, {
      code: requiredField(form, 'code'),
      verifier: requiredField(form, 'code_verifier'),
      redirectUri: form.get('redirect_uri'),
      resource,
    })
  if (type === 'refresh_token')
    return grantByRefresh(app, client, {
      refreshToken: requiredField(form, 'refresh_token'),
      scope: form.get('scope'),
      resource,
    })
  throw new OAuthError(
    'unsupported_grant_type',
    'grant_type has to be authorization_code or refresh_token.',
  )
}

/** The fields of a form. A resource repeated identically counts as one. @throws OAuthError invalid_request */
async function readForm(incoming: Incoming): Promise<ReadonlyMap<string, string>> {
  const type = incoming.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw invalidRequest('Send a form, as Content-Type: application/x-www-form-urlencoded.')
  const bytes = await readBytes(incoming, maxFormBytes)
  if (!isUtf8(bytes)) throw invalidRequest('The form is not valid UTF-8.')
  const fields = new URLSearchParams(bytes.toString('utf8'))
  const form = new Map<string, string>()
  for (const name of new Set(fields.keys())) {
    const values = parameterValuesOf(fields, name)
    if (values.size > 1 || (name !== 'resource' && fields.getAll(name).length > 1))
      throw invalidRequest(`${name.slice(0, 60)} is there more than once.`)
    const [value = ''] = values
    if (value !== '') form.set(name, value) // a parameter without a value counts as left out (RFC 6749, 3.2)
  }
  return form
}

/** Two spellings of one resource are one value. */
function parameterValuesOf(fields: URLSearchParams, name: string): Set<string> {
  const values = fields.getAll(name)
  if (name !== 'resource') return new Set(values)
  return new Set(values.map((text) => canonicalResource(text) ?? text))
}

function requiredField(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name)
  if (value !== undefined) return value
  throw invalidRequest(`${name} is missing.`)
}

const invalidRequest = (why: string) => new OAuthError('invalid_request', why)
