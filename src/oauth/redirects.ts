// Where an authorization response may go. An address counts only letter for letter; a program on the person's own machine
// listens on whatever port is free (RFC 8252, section 7.3), so there the port is ignored.

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])
const longest = 512

export type RedirectKind = 'web' | 'loopback' | 'app'

/** What kind of redirect address a text is; undefined where none may have it. `appRedirects`: addresses with a scheme of their own that are known. */
export function redirectKind(
  text: string,
  appRedirects: ReadonlySet<string>,
): RedirectKind | undefined {
  if (text.length > longest || !/^[\x21-\x7e]+$/.test(text)) return undefined
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '' || text.includes('#')) return undefined
  if (appRedirects.has(text)) return 'app'
  if (url.href !== text && url.href !== `${text}/`) return undefined // another spelling of an address: dot segments, upper case, odd escapes
  if (url.protocol === 'https:') return 'web'
  return url.protocol === 'http:' && loopbackHosts.has(url.hostname) ? 'loopback' : undefined
}

/** Whether one of the addresses that a client registered is the one asked for. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  return registered.includes(asked) || registered.some((known) => isSameLoopback(known, asked))
}

function isSameLoopback(known: string, asked: string): boolean {
  const [one, other] = [portless(known), portless(asked)]
  return one !== undefined && one === other
}

function portless(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !loopbackHosts.has(url.hostname)) return undefined
  if (url.username !== '' || url.password !== '' || text.includes('#')) return undefined
  return `${url.hostname}${url.pathname}${url.search}`
}

/** What people are shown of an address, and what a connection is called by in lists: its host, or the scheme of an app. */
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
