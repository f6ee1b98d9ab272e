import { isIP } from 'node:net'

/** Names that always refer to the local network. */
const localSuffixes = [
  'internal',
  'local',
  'localhost',
  'svc',
  'lan',
  'home.arpa',
  'localdomain',
  'intranet',
  'corp',
  'home',
  'private',
  'onion',
  'test',
  'invalid',
]

/**
 * A URL's host without brackets and trailing dot: `[::1]` is `::1`; the URL parser has already turned `0x7f.1` into
 * `127.0.0.1`.
 */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** A standalone host in the canonical spelling of URLs; undefined if it is not a host. */
export function canonicalHost(text: string): string | undefined {
  const bracketed = isIP(text) === 6 ? `[${text}]` : text
  const url =
    /[/\\?#@\s]/.test(bracketed) || /:\d*$/.test(bracketed.replace(/\[.*\]/, ''))
      ? null
      : URL.parse(`http://${bracketed}/`)
  return url ? bareHost(url.hostname) : undefined
}

/** True if a name can be public: it has a dot and no local suffix. */
export function isPublicName(name: string): boolean {
  return (
    /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name) &&
    !localSuffixes.some((ending) => name.endsWith(`.${ending}`))
  )
}
