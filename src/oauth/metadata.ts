// Client metadata as published in a document on the program's own site or sent at registration (RFC 7591).

import { z } from 'zod'
import { authMethods, type AuthMethod, type ClientMetadata } from './client-metadata.ts'
import { OAuthError } from './errors.ts'
import { appRedirects } from './known-clients.ts'
import { redirectKind } from './redirects.ts'

const shortText = z.string().max(2000)
const metadataSchema = z.looseObject({
  redirect_uris: z.array(shortText).min(1).max(20),
  client_name: z.string().max(500).optional(),
  client_uri: shortText.optional().catch(undefined),
  token_endpoint_auth_method: z.string().max(100).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string().max(100)).max(20).optional(),
  jwks_uri: shortText.optional(),
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(20) }).optional(),
  grant_types: z.array(z.string().max(200)).max(20).optional(),
  response_types: z.array(z.string().max(200)).max(20).optional(),
})

/**
 * Parses the metadata of a client. Unknown members are ignored.
 * @throws OAuthError invalid_redirect_uri or invalid_client_metadata
 */
export function parseMetadata(value: unknown): ClientMetadata {
  const parsed = metadataSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') || 'the metadata'
    throw new OAuthError(
      issue?.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `${field}: ${issue?.message}`.slice(0, 300),
    )
  }
  const { data } = parsed
  for (const redirect of data.redirect_uris) requireRedirect(redirect)
  if (data.grant_types && !data.grant_types.includes('authorization_code'))
    throw new OAuthError(
      'invalid_client_metadata',
      'grant_types has to include authorization_code.',
    )
  if (data.response_types && !data.response_types.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types has to include code.')
  return {
    name: displayName(data.client_name, data.redirect_uris[0] ?? ''),
    uri: parseWebAddress(data.client_uri),
    redirects: [...new Set(data.redirect_uris)],
    methods: methodsOf(data),
    jwksUri: data.jwks_uri === undefined ? undefined : requireWebAddress(data.jwks_uri),
    jwks: data.jwks,
  }
}

/** The metadata of a client that an administrator registers, which has a secret. @throws OAuthError */
export function manualMetadata(name: string, redirects: readonly string[]): ClientMetadata {
  return parseMetadata({
    client_name: name,
    redirect_uris: redirects,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  })
}

function methodsOf({
  token_endpoint_auth_methods_supported: supportedByClient,
  token_endpoint_auth_method: authMethod,
}: z.infer<typeof metadataSchema>): readonly AuthMethod[] {
  const declared = supportedByClient ?? (authMethod === undefined ? ['none'] : [authMethod])
  const supported = authMethods.filter((method) => declared.includes(method))
  if (supported.length > 0) return supported
  throw new OAuthError(
    'invalid_client_metadata',
    `token_endpoint_auth_method has to be one of ${authMethods.join(', ')}.`,
  )
}

/**
 * Accepts addresses with a custom scheme; unknown ones are refused only when a person would be redirected to them,
 * because clients register several at once.
 */
function requireRedirect(redirect: string): void {
  if (redirectKind(redirect, appRedirects) !== undefined) return
  const url = URL.parse(redirect)
  const isApp =
    url !== null &&
    /^[a-z][a-z0-9+.-]{2,40}:$/.test(url.protocol) &&
    !/^(https?|javascript|data|file|blob|vbscript|about|ftp|wss?|view-source|filesystem):$/.test(
      url.protocol,
    ) &&
    redirect.length <= 512 &&
    !redirect.includes('#')
  if (isApp) return
  throw new OAuthError(
    'invalid_redirect_uri',
    `${JSON.stringify(redirect.slice(0, 100))} is not accepted as a redirect address: it has to be https, or http on this machine (localhost, 127.0.0.1, [::1]), at most 512 characters, without user information and fragment.`,
  )
}

function requireWebAddress(value: string): string {
  const webUrl = parseWebAddress(value)
  if (webUrl !== undefined) return webUrl
  throw new OAuthError('invalid_client_metadata', 'jwks_uri has to be an https address.')
}

function parseWebAddress(value: string | undefined): string | undefined {
  const url = value === undefined ? null : URL.parse(value)
  const isWeb = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isWeb ? url.href : undefined
}

/**
 * On one line, without control and direction characters, at most 100 characters; a client without a name is shown by
 * its host.
 */
function displayName(name: string | undefined, redirect: string): string {
  const cleanName = (name ?? '')
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    .trim()
  return cleanName === ''
    ? (URL.parse(redirect)?.hostname ?? 'Unnamed client') || 'Unnamed client'
    : cleanName
}
