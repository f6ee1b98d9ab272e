import { canonicalHost } from './hosts.ts'

/** Destination that an operator permits besides the public internet. */
export interface AllowedDestination {
  host: string
  port: number
}

/**
 * Parses a list such as `mail.example.lan:993, 10.0.0.5:8080, [fd00::5]:443`.
 * @returns undefined if it is not such a list
 */
export function parseAllowedDestinations(text: string): AllowedDestination[] | undefined {
  const openings = text
    .split(',')
    .map((part) => part.trim())
    .filter((name) => name !== '')
    .map(parseDestination)
  return openings.every((item) => item !== undefined) ? openings : undefined
}

function parseDestination(text: string): AllowedDestination | undefined {
  const [, hostText = '', digits] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const host = canonicalHost(hostText)
  const port = Number(digits)
  return host && port >= 1 && port <= 65_535 ? { host, port } : undefined
}
