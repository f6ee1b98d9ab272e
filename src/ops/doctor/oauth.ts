// Walks the way of a hosted assistant from the public address to the authorization server, without a key, and says what it would
// stumble over.

import { isLoopback } from '../../kernel/networks.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

const timeoutMs = 5000
/** Hosted clients give up after ten seconds in all. */
const slowMs = 3000

/** An address of a name, and whether the internet reaches it. */
export interface NamedAddress {
  address: string
  isPublic: boolean
}

/** The addresses of a host; none where it has none. */
export type AddressesOf = (host: string) => Promise<NamedAddress[]>

/** What was received at one step. */
interface Step {
  status: number
  headers: Headers
  json: Record<string, unknown> | undefined
}

/** Something at which a hosted client stops. */
class Obstacle extends Error {}

/**
 * Whether assistants that sign in find their way from the address to the sign-in. `running`: the server, if one runs; where no public
 * address is set, the way is walked on this machine.
 */
export async function checkDiscovery(
  running: { url: string } | undefined,
  { base_url, oauth }: { base_url: string; oauth: string },
  addressesOf: AddressesOf,
): Promise<DoctorFinding[]> {
  const found = new DoctorFindings('oauth')
  if (oauth === 'no') found.ok('Connecting by OAuth is switched off (--oauth no).')
  else if (!running) found.ok('No server is running on this folder.')
  else if (base_url === '') await walk(new URL(running.url).origin, found)
  else {
    const url = new URL(base_url)
    const isReachable = await checkAddress(url, found, addressesOf)
    if (isReachable || oauth === 'yes') await walk(url.origin, found)
  }
  return found.all
}

/** What can be seen of the address alone. @returns whether programs can be connected at it */
export async function checkAddress(
  url: URL,
  found: DoctorFindings,
  addressesOf: AddressesOf,
): Promise<boolean> {
  if (isLoopback(url.hostname)) return true
  if (url.protocol !== 'https:') {
    found.warn(
      `${url.origin} is not https: hosted assistants do not connect to it.`,
      'put a proxy with a certificate in front of it, or use --tls, and set --base-url to the https address',
    )
    return false
  }
  if (url.port !== '')
    found.warn(
      `${url.origin} is on port ${url.port}: Claude and others only call port 443.`,
      'serve the public address on port 443',
    )
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''))
  const hidden = addresses.filter(({ isPublic }) => !isPublic)
  if (addresses.length === 0)
    found.warn(
      `${url.hostname} is not in the DNS of this machine.`,
      'add an A record for the public address',
    )
  else if (hidden.length > 0)
    found.warn(
      `${url.hostname} leads to ${hidden.map(({ address }) => address).join(', ')}, as seen from here: hosted assistants cannot reach private addresses.`,
      'add an A record with the public address; if the internet sees another one, this is in order',
    )
  else if (addresses.every(({ address }) => address.includes(':')))
    found.warn(
      `${url.hostname} has no IPv4 address: Claude calls over IPv4 only.`,
      'add an A record',
    )
  return true
}

async function walk(origin: string, found: DoctorFindings): Promise<void> {
  const began = performance.now()
  try {
    const resource = `${origin}/mcp`
    const metadataUrl = await challengeAt(resource)
    const issuer = await authorizationServerOf(metadataUrl, resource)
    await checkServerMetadata(issuer)
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error
    return found.warn(
      `A hosted assistant cannot connect: ${error.message}`,
      'see "Assistants that sign in" in docs/operating.md; this was tried from this machine, which may see another way than the internet does',
    )
  }
  const spent = performance.now() - began
  if (spent > slowMs)
    found.warn(
      `Discovery took ${(spent / 1000).toFixed(1)} s; hosted assistants give up after 10 s.`,
      'look at the proxy and DNS',
    )
  else found.ok(`Assistants find their way from ${origin}/mcp to the sign-in.`)
}

/** The address of the metadata that the challenge names. */
async function challengeAt(resource: string): Promise<string> {
  const { status, headers } = await ask(resource, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  if (status !== 401)
    throw new Obstacle(`${resource} answers ${status} where it should answer 401 without a token.`)
  const challenge = headers.get('www-authenticate') ?? ''
  const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
  if (named === undefined)
    throw new Obstacle(
      `the 401 of ${resource} has no resource_metadata in WWW-Authenticate; a proxy may remove or replace it.`,
    )
  return named
}

/** The issuer that the metadata of the resource names. */
async function authorizationServerOf(metadataUrl: string, resource: string): Promise<string> {
  const { json } = await requireJson(metadataUrl)
  if (json.resource !== resource)
    throw new Obstacle(
      `${metadataUrl} is about ${String(json.resource)}, not about ${resource}; --base-url and --also-at have to name the public address.`,
    )
  const [issuer] = Array.isArray(json.authorization_servers) ? json.authorization_servers : []
  if (typeof issuer !== 'string')
    throw new Obstacle(`${metadataUrl} names no authorization server.`)
  return issuer
}

async function checkServerMetadata(issuer: string): Promise<void> {
  const url = `${issuer}/.well-known/oauth-authorization-server`
  const { json, headers } = await requireJson(url)
  if (json.issuer !== issuer)
    throw new Obstacle(`${url} says that its issuer is ${String(json.issuer)}, not ${issuer}.`)
  const methods = json.code_challenge_methods_supported
  if (!Array.isArray(methods) || !methods.includes('S256'))
    throw new Obstacle(
      `${url} does not offer PKCE with S256; it is not the metadata of this instance.`,
    )
  if (headers.get('access-control-allow-origin') !== '*')
    throw new Obstacle(
      `${url} has no Access-Control-Allow-Origin: *, which a proxy may have removed.`,
    )
  const token = await ask(String(json.token_endpoint), { method: 'POST' })
  if (token.status !== 400 || typeof token.json?.error !== 'string')
    throw new Obstacle(
      `${String(json.token_endpoint)} answers ${token.status} in place of an OAuth error; something in front of it answers for it.`,
    )
}

async function requireJson(
  url: string,
): Promise<{ json: Record<string, unknown>; headers: Headers }> {
  const { status, json, headers } = await ask(url)
  if (status !== 200 || !json)
    throw new Obstacle(
      `${url} answers ${status} with ${headers.get('content-type') ?? 'no type'}, where JSON is expected; let /.well-known through the proxy.`,
    )
  return { json, headers }
}

/** @throws Obstacle where it does not answer, or redirects */
async function ask(url: string, init: RequestInit = {}): Promise<Step> {
  if (!URL.canParse(url)) throw new Obstacle(`"${url.slice(0, 200)}" is no address.`)
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (response.status >= 300 && response.status < 400)
      throw new Obstacle(
        `${url} redirects to ${response.headers.get('location') ?? 'somewhere'}; hosted assistants do not follow.`,
      )
    return { status: response.status, headers: response.headers, json: objectIn(text) }
  } catch (error) {
    if (error instanceof Obstacle || !(error instanceof Error)) throw error
    const { cause } = error
    throw new Obstacle(
      `${url} does not answer: ${cause instanceof Error ? cause.message : error.message}.`,
    )
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
