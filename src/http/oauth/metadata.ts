import { authMethods } from '../../oauth/client-metadata.ts'
import { oauthScopes, scopeText, defaultScopes } from '../../oauth/scopes.ts'
import type { App } from '../../operations/app.ts'
import type { HeaderList } from '../transport/answers.ts'
import { noRoute } from '../transport/problem.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { answerOAuth } from './answers.ts'
import { isOffered, issuerOf } from './issuer.ts'
import { resourceLimits } from './mcp-resource.ts'

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'
const cacheHeaders: HeaderList = [['cache-control', 'public, max-age=300']]

/** Metadata about the authorization server of an MCP address (RFC 9728); without a path it is /mcp. */
export function resourceMetadataPage(app: App): WebPage {
  return (incoming) => {
    const issuer = requireOffered(app, incoming)
    const path = incoming.url.pathname.slice(resourceMetadataPath.length)
    const resource = `${issuer}${path === '' || path === '/' ? '/mcp' : path}${incoming.url.search}`
    const limits = resourceLimits(app, resource)
    if (!limits) throw noRoute(incoming.method)
    return answerOAuth(
      incoming,
      200,
      {
        resource,
        authorization_servers: [issuer],
        scopes_supported: limits.readOnly ? ['workspace:read'] : defaultScopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Workspace',
        resource_documentation: `${issuer}/api/docs`,
      },
      cacheHeaders,
    )
  }
}

/** Metadata about the authorization server's endpoints and capabilities (RFC 8414). */
export function serverMetadataPage(app: App): WebPage {
  return (incoming) => {
    const issuer = requireOffered(app, incoming)
    const { oauth_registration, oauth_documents } = app.settings
    return answerOAuth(
      incoming,
      200,
      {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        ...(oauth_registration === 'no'
          ? {}
          : { registration_endpoint: `${issuer}/oauth/register` }),
        revocation_endpoint: `${issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: authMethods,
        token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
        revocation_endpoint_auth_methods_supported: authMethods,
        revocation_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
        client_id_metadata_document_supported: oauth_documents !== 'no',
        authorization_response_iss_parameter_supported: true,
        scopes_supported: [...oauthScopes, 'offline_access'],
        service_documentation: `${issuer}/api/docs`,
      },
      cacheHeaders,
    )
  }
}

/**
 * The challenge of an MCP address for a missing or invalid token (RFC 6750, RFC 9728); undefined if connecting is not
 * possible.
 */
export function mcpChallenge(
  app: App,
  incoming: Incoming,
  { error, scope }: { error?: string; scope?: string } = {},
): string | undefined {
  const issuer = issuerOf(app, incoming)
  if (!isOffered(app, issuer)) return undefined
  const { pathname, search } = incoming.url
  const path = pathname === '/messages' ? '/sse' : pathname
  const resourcePath =
    [path + search, path].find(
      (candidate) => resourceLimits(app, issuer + candidate) !== undefined,
    ) ?? '/mcp'
  const isReadOnly = resourceLimits(app, issuer + resourcePath)?.readOnly
  const defaultScope = isReadOnly ? 'workspace:read' : scopeText(defaultScopes)
  return [
    'Bearer realm="workspace"',
    error && `error="${error}"`,
    `resource_metadata="${issuer}${resourceMetadataPath}${escapeHeaderValue(resourcePath)}"`,
    `scope="${scope ?? defaultScope}"`,
  ]
    .filter(Boolean)
    .join(', ')
}

const escapeHeaderValue = (text: string) =>
  text.replace(/["\\]/g, (char) => encodeURIComponent(char))

/** @throws Refusal not_found if OAuth is off */
export function requireOffered(app: App, incoming: Incoming): string {
  const issuer = issuerOf(app, incoming)
  if (isOffered(app, issuer)) return issuer
  throw noRoute(incoming.method)
}
