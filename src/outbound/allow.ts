import { plainHost } from './hosts.ts'

/** Destination that an operator permits besides the public internet. */
export interface Opening {
  host: string
  port: number
}

/**
 * Parses `mail.example.lan:993, 10.0.0.5:8080, [fd00::5]:443` as openings.
 * @returns undefined where it is no such list
 */
export function readOpenings(text: string): Opening[] | undefined {
  const openings = text
    .split(',')
    .map((part) => part.trim())
    .filter((name) => name !== '')
    .map(opening)
  return openings.every((item) => item !== undefined) ? openings : undefined
}

function opening(text: string): Opening | undefined {
  const [, written = '', digits] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const host = plainHost(written)
  const port = Number(digits)
  return host && port >= 1 && port <= 65_535 ? { host, port } : undefined
}
