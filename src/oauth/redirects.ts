// Validates redirect addresses. They must match exactly; a program on the person's own machine
// listens on any free port (RFC 8252, section 7.3), so the port is ignored there.

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])
const maxLength = 512

export type RedirectKind = 'web' | 'loopback' | 'app'

/**
 * Classifies a redirect address; undefined if it is not permitted. `appRedirects`: known addresses with private
 * schemes.
 */
export function redirectKind(
  text: string,
  appRedirects: ReadonlySet<string>,
): RedirectKind | undefined {
  if (text.length > maxLength || !/^[\x21-\x7e]+$/.test(text)) return undefined
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '' || text.includes('#')) return undefined
  if (appRedirects.has(text)) return 'app'
  if (url.href !== text && url.href !== `${text}/`) return undefined // another spelling of an address: dot segments, upper case, odd escapes
  if (url.protocol === 'https:') return 'web'
  return url.protocol === 'http:' && loopbackHosts.has(url.hostname) ? 'loopback' : undefined
}

/** True if the requested address is one of those that a client registered. */
export function isRegistered(registered: readonly string[], redirectUri: string): boolean {
  return (
    registered.includes(redirectUri) ||
    registered.some((registeredUri) => isSameLoopback(registeredUri, redirectUri))
  )
}

function isSameLoopback(registeredUri: string, uri: string): boolean {
  const [registered, requested] = [portless(registeredUri), portless(uri)]
  return registered !== undefined && registered === requested
}

function portless(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !loopbackHosts.has(url.hostname)) return undefined
  if (url.username !== '' || url.password !== '' || text.includes('#')) return undefined
  return `${url.hostname}${url.pathname}${url.search}`
}

/** Display name of a redirect address on the consent page and in lists: its host, or the scheme of an app. */
export function redirectHost(text: string): string {
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) ? url.hostname : url.protocol
}

export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.has(hostname)
}

export function isLoopbackRedirect(text: string): boolean {
  return portless(text) !== undefined
}

export function isWebRedirect(text: string): boolean {
  return text.startsWith('https://')
}

/** A redirect address with the parameters of an authorization response. */
export function withParameters(
  redirect: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.append(name, value)
  return url.href
}
