import { isIP } from 'node:net'
import { invalid } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'

export interface NewProvider {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes?: string | undefined
  groupsClaim?: string | undefined
  domains?: readonly string[] | undefined
  accounts?: Row<'sso_providers'>['accounts'] | undefined
  linking?: Row<'sso_providers'>['linking'] | undefined
  clientAuth?: Row<'sso_providers'>['client_auth'] | undefined
}

/** Rules that decide who gets an account at the first sign-in. */
export const accountRules = ['invited', 'domain', 'group', 'anyone'] as const
/** Ways to link existing accounts: by signing in to them once, by an address in a trusted domain, or not at all. */
export const linkingRules = ['ask', 'trusted', 'no'] as const

/** Ways to send the client secret: as the provider's metadata say, in a header, or in the request body. */
export const clientAuthChoices = ['auto', 'basic', 'post'] as const

const defaultScopes = 'openid profile email'

/**
 * Validates the settings of a provider and converts them to columns. @throws Refusal invalid_argument naming the
 * field
 */
export function validateProvider(input: NewProvider) {
  const name = input.name.trim()
  if (name === '' || name.length > 60) throw invalid('name', 'give a name of 1 to 60 characters.')
  if (input.clientId.trim() === '' || input.clientId.length > 300)
    throw invalid('client_id', 'give the client id that the provider shows.')
  if (input.clientSecret === '' || input.clientSecret.length > 1000)
    throw invalid('client_secret', 'give the client secret that the provider shows.')
  return {
    name,
    issuer: validateIssuer(input.issuer),
    client_id: input.clientId.trim(),
    scopes: validateScopes(input.scopes),
    client_auth: input.clientAuth ?? 'auto',
    ...validateAccountRules(input),
  }
}

function validateAccountRules(newProvider: NewProvider) {
  const { accounts = 'invited', linking = 'ask' } = newProvider
  const groupsClaim = newProvider.groupsClaim?.trim() || null
  const domains = (newProvider.domains ?? []).map((domain) => domain.trim().toLowerCase())
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong !== undefined)
    throw invalid('domains', `${JSON.stringify(wrong)} is not a domain such as example.org.`)
  if ((accounts === 'domain' || linking === 'trusted') && domains.length === 0)
    throw invalid('domains', 'name the domains whose addresses belong to the organization.')
  if (accounts === 'group' && groupsClaim === null)
    throw invalid('groups_claim', 'name the claim that lists groups.')
  return { groups_claim: groupsClaim, domains_json: JSON.stringify(domains), accounts, linking }
}

/**
 * An https address; plain http only on this machine. Multi-tenant issuers are refused: any account of any tenant
 * could sign in.
 */
function validateIssuer(text: string): string {
  const issuer = text.trim()
  const url = issuer.length <= 500 ? URL.parse(issuer) : null
  if (url?.search !== '' || url.hash !== '' || url.username !== '')
    throw invalid(
      'issuer',
      'give the issuer address, such as https://login.example.org/realms/work.',
    )
  if (url.protocol !== 'https:' && !isLoopback(url))
    throw invalid('issuer', 'the issuer has to be an https address.')
  if (
    url.hostname === 'login.microsoftonline.com' &&
    /^\/(?:common|organizations|consumers)(?:\/|$)/i.test(url.pathname)
  )
    throw invalid(
      'issuer',
      'this issuer lets in people of any tenant.',
      'Give the one of your tenant: https://login.microsoftonline.com/<tenant id>/v2.0.',
    )
  return issuer
}

/** True if an issuer is on this machine, where plain http is safe. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}

function validateScopes(text: string | undefined): string {
  const scopes = (text ?? defaultScopes).split(/\s+/).filter((scope) => scope !== '')
  if (
    scopes.length > 20 ||
    scopes.some((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope))
  )
    throw invalid('scopes', 'give scopes separated by spaces.')
  return [...new Set(['openid', ...scopes])].join(' ')
}
