import { isIP } from 'node:net'

/** Names that mean something of the own network wherever they are asked for. */
const localEndings = [
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

/** A host as a URL has it, without brackets and the dot at the end: `[::1]` is `::1`, `0x7f.1` was made `127.0.0.1` by the URL. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** A host written on its own, in the canonical spelling of URLs; undefined if it is not a host. */
export function plainHost(text: string): string | undefined {
  const written = isIP(text) === 6 ? `[${text}]` : text
  const url =
    /[/\\?#@\s]/.test(written) || /:\d*$/.test(written.replace(/\[.*\]/, ''))
      ? null
      : URL.parse(`http://${written}/`)
  return url ? bareHost(url.hostname) : undefined
}

/** Whether a name can be one of the public internet: with a dot in it, and no ending of the own network. */
export function isPublicName(name: string): boolean {
  return (
    /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name) &&
    !localEndings.some((ending) => name.endsWith(`.${ending}`))
  )
}
