import type { OAuthClient } from '../../oauth/clients.ts'
import type { ClientDocuments } from '../../oauth/documents.ts'
import { OAuthError, type OAuthErrorCode } from '../../oauth/errors.ts'
import { withParameters } from '../../oauth/redirects.ts'
import { canonicalResource, storeRequest } from '../../oauth/requests.ts'
import { requestedScopes } from '../../oauth/scopes.ts'
import type { App } from '../../operations/app.ts'
import { answerEmpty } from '../transport/answers.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { admitClient } from './admission.ts'
import { asOAuthError, spendRequest } from './answers.ts'
import { errorPage } from './error-page.ts'
import { requireOffered } from './metadata.ts'
import { resourceLimits } from './mcp-resource.ts'

const maxStateLength = 2000

/**
 * Authorization endpoint for the person's browser. Until the redirect address is known to belong to the client, every
 * error is shown only here; from then on errors are reported to the program at that address.
 */
export function authorizePage(app: App, documents: ClientDocuments): WebPage {
  return async (incoming) => {
    const issuer = requireOffered(app, incoming)
    try {
      spendRequest(app, incoming, 'oauth authorize', 60)
      const query = incoming.url.searchParams
      const [clientId, redirectUri] = [
        singleValue(query, 'client_id'),
        singleValue(query, 'redirect_uri'),
      ]
      const clientIdentity = { clientId, redirectUri, ip: incoming.ip }
      const client = await admitClient(app, documents, clientIdentity)
      return seeOther(
        incoming,
        await redirectTarget(app, incoming, { issuer, client, redirectUri }),
      )
    } catch (error) {
      const failure = asOAuthError(app, incoming, error)
      app.meter?.recordConnectingStep('authorize', failure.code)
      return errorPage(app, incoming, failure)
    }
  }
}

interface AdmittedRequest {
  issuer: string
  client: OAuthClient
  redirectUri: string
}

/** The address of the consent page, or the redirect address with an error. */
async function redirectTarget(
  app: App,
  incoming: Incoming,
  request: AdmittedRequest,
): Promise<string> {
  const query = incoming.url.searchParams
  const { issuer, client, redirectUri } = request
  const [state] = query.getAll('state').length === 1 ? query.getAll('state') : []
  try {
    const checked = checkParameters(app, query, issuer)
    const token = await storeRequest(app.store, app.clock, {
      clientId: client.clientId,
      redirectUri,
      state,
      issuer,
      ip: incoming.ip,
      ...checked,
    })
    app.meter?.recordConnectingStep('authorize', 'ok')
    return `${issuer}/connect/${token}`
  } catch (error) {
    const failure = asOAuthError(app, incoming, error)
    app.meter?.recordConnectingStep('authorize', failure.code)
    return withParameters(redirectUri, {
      error: failure.code,
      error_description: failure.message,
      state,
      iss: issuer,
    })
  }
}

/** @throws OAuthError */
function checkParameters(app: App, query: URLSearchParams, issuer: string) {
  for (const name of new Set(query.keys()))
    if (name !== 'resource' && query.getAll(name).length > 1)
      throw authorizationError('invalid_request', `${name.slice(0, 60)} is there more than once.`)
  const failed = requirements.find(({ holds }) => !holds((name) => query.get(name) ?? ''))
  if (failed) throw authorizationError(failed.code, failed.text)
  return {
    challenge: query.get('code_challenge') ?? '',
    scope: requestedScopes(query.get('scope') ?? undefined),
    resource: resourceIn(app, query, issuer),
  }
}

const requirements: readonly {
  code: OAuthErrorCode
  text: string
  holds: (parameter: (name: string) => string) => boolean
}[] = [
  {
    code: 'invalid_request',
    text: `state has more than ${maxStateLength} characters.`,
    holds: (parameter) => parameter('state').length <= maxStateLength,
  },
  {
    code: 'request_not_supported',
    text: 'request is not supported.',
    holds: (parameter) => parameter('request') === '',
  },
  {
    code: 'request_uri_not_supported',
    text: 'request_uri is not supported.',
    holds: (parameter) => parameter('request_uri') === '',
  },
  {
    code: 'unsupported_response_type',
    text: 'response_type has to be code.',
    holds: (parameter) => parameter('response_type') === 'code',
  },
  {
    code: 'invalid_request',
    text: 'response_mode has to be query.',
    holds: (parameter) => ['', 'query'].includes(parameter('response_mode')),
  },
  {
    code: 'invalid_request',
    text: 'code_challenge_method has to be S256 (PKCE).',
    holds: (parameter) => parameter('code_challenge_method') === 'S256',
  },
  {
    code: 'invalid_request',
    text: 'code_challenge has to be 43 characters of base64url (PKCE).',
    holds: (parameter) => /^[\w-]{43}$/.test(parameter('code_challenge')),
  },
  {
    code: 'interaction_required',
    text: 'A person has to decide.',
    holds: (parameter) => parameter('prompt') !== 'none',
  },
]

/** MCP address that the program will call; the plain one by default. @throws OAuthError invalid_target */
function resourceIn(app: App, query: URLSearchParams, issuer: string): string {
  const values = query.getAll('resource').filter((text) => text !== '')
  const requested = new Set(values.map((text) => canonicalResource(text)))
  if (requested.size > 1)
    throw authorizationError('invalid_target', 'resource is there more than once.')
  const [resource] = requested.size === 0 ? [`${issuer}/mcp`] : requested
  if (resource && new URL(resource).origin === issuer && resourceLimits(app, resource))
    return resource
  throw authorizationError(
    'invalid_target',
    `resource has to be an MCP address of this server, such as ${issuer}/mcp.`,
  )
}

/** The single value of a parameter. @throws OAuthError */
function singleValue(query: URLSearchParams, name: string): string {
  const [value, ...more] = query.getAll(name)
  if (value !== undefined && value !== '' && more.length === 0) return value
  throw authorizationError('invalid_request', `The request has to have exactly one ${name}.`)
}

function seeOther(incoming: Incoming, location: string): Response {
  return answerEmpty(incoming, 303, [['location', location]])
}

const authorizationError = (code: OAuthErrorCode, description: string) =>
  new OAuthError(code, description, { status: 400 })
