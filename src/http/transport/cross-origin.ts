// Programs in browsers (desktop programs, extensions, pages of other sites) call with a key, which no browser adds by itself. Cookies
// are ignored here, so such a page can do no more than any other program with that key.

import type { Incoming } from './request-info.ts'

type Header = readonly [name: string, value: string]

/** Headers of answers that such programs read, besides those that browsers show anyway. */
const exposedHeaders = [
  'www-authenticate',
  'mcp-session-id',
  'x-request-id',
  'x-call-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'etag',
  'link',
  'location',
  'content-disposition',
].join(', ')
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const maxRequestedHeaders = 1000

/** The origins that may call besides our own: all, or those that the operator lists. */
export class CallingOrigins {
  readonly #listed: ReadonlySet<string> | undefined

  /** `setting`: `any`, `none`, or origins separated by commas. */
  constructor(setting: string) {
    this.#listed =
      setting === 'any' ? undefined : new Set(setting === 'none' ? [] : setting.split(','))
  }

  has(origin: string): boolean {
    return this.#listed === undefined || this.#listed.has(origin)
  }
}

/** The headers of an answer to a program in a browser. */
export const crossOriginHeaders: readonly Header[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposedHeaders],
]

/** A browser asks whether it may send a request. */
export function isPreflight(incoming: Incoming): boolean {
  return (
    incoming.method === 'OPTIONS' && incoming.header('access-control-request-method') !== undefined
  )
}

/** Lets a browser send the headers that it names: which of them count is for the request itself. */
export function preflightHeaders(incoming: Incoming): Header[] {
  const requestedHeaders = incoming.header('access-control-request-headers') ?? ''
  const isList =
    requestedHeaders !== '' &&
    requestedHeaders.length <= maxRequestedHeaders &&
    /^[\w\-, ]*$/.test(requestedHeaders)
  return [
    ['access-control-allow-methods', allowedMethods],
    ...(isList ? [['access-control-allow-headers', requestedHeaders] as const] : []),
    ['access-control-max-age', '86400'],
    ['vary', 'origin, access-control-request-headers'],
  ]
}
