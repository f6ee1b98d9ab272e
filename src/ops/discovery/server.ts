// From the address that a person enters in an assistant to the authorization server, like a hosted assistant: without a
// key, and without leaving anything behind.

import { requestStep, Obstacle, requireJson } from './requests.ts'

const baseUrlFix =
  'set --base-url to the address that people give their assistants, and name further ones in --also-at'

/** Metadata of the authorization server, as an assistant reads it. */
export interface AuthorizationServer {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  /** Undefined if programs cannot register. */
  registrationEndpoint: string | undefined
  acceptsDocuments: boolean
}

/** Reports the result of a step. */
export type ReportStep = (step: string, says: string) => void

/** @throws Obstacle at the first problem */
export async function findAuthorizationServer(
  resource: string,
  report: ReportStep,
): Promise<AuthorizationServer> {
  const metadataUrl = await challengeAt(resource)
  report('challenge', `${resource} asks callers without a token to sign in (401).`)
  const issuer = await issuerIn(metadataUrl, resource)
  report('resource', `${metadataUrl} names ${issuer} as the authorization server.`)
  const server = await serverMetadata(issuer)
  await checkTokenEndpoint(server)
  await checkAuthorizationEndpoint(server)
  report('server', `${issuer} offers what assistants need: S256, an issuer in its answers, CORS.`)
  return server
}

/** The metadata address in the challenge. */
async function challengeAt(resource: string): Promise<string> {
  const { status, headers } = await requestStep(resource, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  if (status === 421)
    throw new Obstacle(`The instance does not answer to the name in ${resource} (421).`, baseUrlFix)
  if (status !== 401)
    throw new Obstacle(`${resource} answers ${status} where it should answer 401 without a token.`)
  const challenge = headers.get('www-authenticate') ?? ''
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
  if (metadataUrl !== undefined) return metadataUrl
  if (/realm="workspace"/.test(challenge))
    throw new Obstacle(
      `${resource} takes keys only: connecting by OAuth is off there.`,
      'set --oauth to auto or yes, and --base-url to an https address',
    )
  throw new Obstacle(
    `the 401 of ${resource} has no resource_metadata in WWW-Authenticate; a proxy may remove or replace it.`,
  )
}

/** The issuer in the resource metadata. */
async function issuerIn(metadataUrl: string, resource: string): Promise<string> {
  const { json } = await requireJson(metadataUrl)
  if (json.resource !== resource)
    throw new Obstacle(
      `${metadataUrl} is about ${String(json.resource)}, not about ${resource}.`,
      baseUrlFix,
    )
  const [issuer] = Array.isArray(json.authorization_servers) ? json.authorization_servers : []
  if (typeof issuer === 'string') return issuer
  throw new Obstacle(`${metadataUrl} names no authorization server.`)
}

async function serverMetadata(issuer: string): Promise<AuthorizationServer> {
  const url = `${issuer}/.well-known/oauth-authorization-server`
  const { json, headers } = await requireJson(url)
  const routingFix = `let ${url} reach the workspace itself, and no other program`
  if (json.issuer !== issuer)
    throw new Obstacle(
      `${url} says that its issuer is ${String(json.issuer)}, not ${issuer}.`,
      baseUrlFix,
    )
  if (!arrayOrEmpty(json.code_challenge_methods_supported).includes('S256'))
    throw new Obstacle(`${url} does not offer PKCE with S256.`, routingFix)
  if (json.authorization_response_iss_parameter_supported !== true)
    throw new Obstacle(
      `${url} promises no issuer in its answers, which ChatGPT needs for its stable address.`,
      routingFix,
    )
  if (headers.get('access-control-allow-origin') !== '*')
    throw new Obstacle(
      `${url} has no Access-Control-Allow-Origin: *, which a proxy may have removed.`,
    )
  const acceptsPublicClients = arrayOrEmpty(json.token_endpoint_auth_methods_supported).includes(
    'none',
  )
  return {
    issuer,
    authorizationEndpoint: endpoint(json, 'authorization_endpoint', routingFix),
    tokenEndpoint: endpoint(json, 'token_endpoint', routingFix),
    registrationEndpoint:
      json.registration_endpoint === undefined
        ? undefined
        : endpoint(json, 'registration_endpoint', routingFix),
    acceptsDocuments: acceptsPublicClients && json.client_id_metadata_document_supported === true,
  }
}

function endpoint(json: Record<string, unknown>, name: string, fix: string): string {
  const value = json[name]
  if (typeof value === 'string' && URL.canParse(value)) return value
  throw new Obstacle(`The metadata of the authorization server has no ${name}.`, fix)
}

async function checkTokenEndpoint({ tokenEndpoint }: AuthorizationServer): Promise<void> {
  const { status, json } = await requestStep(tokenEndpoint, { method: 'POST' })
  if (status === 400 && typeof json?.error === 'string') return
  throw new Obstacle(
    `${tokenEndpoint} answers ${status} in place of an OAuth error; something in front of it answers for it.`,
  )
}

/**
 * Checks the page to which people are sent: a request without a program must yield its own error page, without
 * redirecting.
 */
async function checkAuthorizationEndpoint({
  authorizationEndpoint,
}: AuthorizationServer): Promise<void> {
  const { status } = await requestStep(authorizationEndpoint, { headers: { accept: 'text/html' } })
  if (status === 400 || status === 429) return
  throw new Obstacle(
    `${authorizationEndpoint} answers ${status} to a request without a program, where it should answer 400; something in front of it answers for it.`,
  )
}

const arrayOrEmpty = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
