// Variants that resemble "Authorization: Bearer" with one valid key, but are not.

import { crc32 } from 'node:zlib'
import { mintKey } from '../../keys/format.ts'
import { mintToken } from '../../keys/tokens.ts'

/** The keys of a test: a working one and invalidated ones, each as text and by id. */
export interface Keys {
  good: string
  goodId: string
  revoked: string
  expired: string
  ofDeactivated: string
  /** An access token that is valid over MCP if sent correctly. */
  liveToken: string
  /** Tokens and codes of connections that are not valid, or no longer, by kind. */
  tokens: Readonly<Record<string, string>>
  /** Returns a different one each time: repeated wrong secrets for the same lookup would be rate limited. */
  forWrongSecret: () => string
}

/** Credential that a request presents in place of a key. */
export interface Presented {
  name: string
  /** Header lines. */
  lines?: string[]
  /** Appended to the address. */
  query?: string
  /** Replaces the path, which it receives. */
  target?: (path: string, host: string) => string
  body?: string
  type?: string
  /** Sent after a chunked body. */
  trailers?: string[]
  /** True if there is no Authorization header, so that the challenge names no error. */
  isAbsent?: boolean
}

const authorization = (value: string) => ({ lines: [`Authorization: ${value}`] })
const base64 = (text: string) => Buffer.from(text).toString('base64')

export function presentations(keys: Keys): Presented[] {
  const { liveToken } = keys
  const ofToken = [
    ...misspelled(liveToken),
    ...headersOf({ good: liveToken, revoked: keys.tokens['a revoked access token']! }),
    ...placesOf(liveToken),
  ]
  return [
    ...misspelled(keys.good),
    ...valuesOf(keys),
    ...headersOf(keys),
    ...placesOf(keys.good),
    ...ofToken.map((presented) => ({ ...presented, name: `${presented.name}, of a token` })),
  ]
}

/** One Authorization header with a valid key in an invalid form. */
function misspelled(key: string): Presented[] {
  const wrong: [string, string][] = [
    ['Basic with the key as password', `Basic ${base64(`x:${key}`)}`],
    ['Basic with the key as user', `Basic ${base64(`${key}:`)}`],
    ['Basic with the bare key', `Basic ${key}`],
    ['Digest', `Digest username="${key}"`],
    ['another scheme, Token', `Token ${key}`],
    ['another scheme, ApiKey', `ApiKey ${key}`],
    ['no scheme', key],
    ['a colon behind the scheme', `Bearer: ${key}`],
    ['an equals sign behind the scheme', `Bearer=${key}`],
    ['no blank behind the scheme', `Bearer${key}`],
    ['a tab behind the scheme', `Bearer\t${key}`],
    ['the scheme twice', `Bearer Bearer ${key}`],
    ['a comma in front', `, Bearer ${key}`],
    ['a comma behind', `Bearer ${key},`],
    ['double quotes', `Bearer "${key}"`],
    ['single quotes', `Bearer '${key}'`],
    ['angle brackets', `Bearer <${key}>`],
    ['a parameter', `Bearer token="${key}"`],
    ['a second word', `Bearer ${key} x`],
    ['two keys with a comma', `Bearer ${key}, Bearer ${key}`],
    ['two keys with a blank', `Bearer ${key} ${key}`],
    ['a character more', `Bearer ${key}x`],
    ['a character less', `Bearer ${key.slice(0, -1)}`],
    ['the first half', `Bearer ${key.slice(0, 32)}`],
    ['what lists show of it', `Bearer ${key.slice(0, 12)}...`],
    ['small letters', `Bearer ${key.toLowerCase()}`],
    ['capital letters', `Bearer ${key.toUpperCase()}`],
    ['the prefix in capitals', `Bearer ${key.slice(0, 4).toUpperCase()}${key.slice(4)}`],
    ['one letter in the other case', `Bearer ${otherCase(key)}`],
    ['a wrong checksum', `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['a percent-encoded key', `Bearer ${key.replace('_', '%5F')}`],
    ['the key in base64', `Bearer ${base64(key)}`],
    ['full-width letters', `Bearer ${fullWidth(key.slice(0, 3))}${key.slice(3)}`],
  ]
  return wrong.map(([name, value]) => ({ name, ...authorization(value) }))
}

/** One Authorization header without a valid key. */
function valuesOf({
  goodId,
  revoked,
  expired,
  ofDeactivated,
  tokens,
  forWrongSecret,
}: Keys): Presented[] {
  const wrong: [string, string][] = [
    ['an empty value', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and blanks', 'Bearer   '],
    [
      'a wrong secret under a right checksum',
      `Bearer ${withChecksum(`${forWrongSecret().slice(0, 16)}${mintKey().secret}`)}`,
    ],
    ['an unknown key', `Bearer ${mintKey().key}`],
    ['the id of the key', `Bearer ${goodId}`],
    ['null', 'Bearer null'],
    ['a star', 'Bearer *'],
    ['SQL', `Bearer ' OR '1'='1' --`],
    [
      'a token of another making, unsigned',
      `Bearer ${base64('{"alg":"none"}')}.${base64('{"sub":"admin"}')}.`,
    ],
    ['eight kilobytes', `Bearer ${'x'.repeat(8000)}`],
    ['a revoked key', `Bearer ${revoked}`],
    ['an expired key', `Bearer ${expired}`],
    ['a key whose owner was deactivated', `Bearer ${ofDeactivated}`],
    ...Object.entries(tokens).map(([name, token]): [string, string] => [name, `Bearer ${token}`]),
    ['an unknown access token', `Bearer ${mintToken('wat')}`],
    ['an unknown refresh token', `Bearer ${mintToken('wrt')}`],
    ['an authorization code', `Bearer ${mintToken('wac')}`],
    ['the secret of a client', `Bearer ${mintToken('wcs')}`],
  ]
  return wrong.map(([name, value]) => ({ name, ...authorization(value) }))
}

/** Other headers, or more than one. */
function headersOf({ good: key, revoked }: Pick<Keys, 'good' | 'revoked'>): Presented[] {
  const bearer = `Authorization: Bearer ${key}`
  const elsewhere = (name: string, value = key): Presented => ({
    name: `the header ${name}`,
    lines: [`${name}: ${value}`],
    isAbsent: true,
  })
  return [
    { name: 'two headers with the same key', lines: [bearer, bearer] },
    { name: 'a bad key in a first header', lines: [`Authorization: Bearer ${revoked}`, bearer] },
    { name: 'a bad key in a second header', lines: [bearer, `Authorization: Bearer ${revoked}`] },
    { name: 'an empty header behind', lines: [bearer, 'Authorization:'] },
    { name: 'two headers in different case', lines: [bearer, `authorization: Bearer ${key}`] },
    elsewhere('X-API-Key'),
    elsewhere('X-Auth-Token'),
    elsewhere('Api-Key'),
    elsewhere('Proxy-Authorization', `Bearer ${key}`),
    elsewhere('X-Authorization', `Bearer ${key}`),
    elsewhere('X-Forwarded-Authorization', `Bearer ${key}`),
    elsewhere('X-Original-Authorization', `Bearer ${key}`),
    elsewhere('Sec-WebSocket-Protocol', `bearer, ${key}`),
    elsewhere('Cookie', `key=${key}; ws=${key}; Authorization=Bearer ${key}`),
    elsewhere('X-Remote-User', 'ann@acme.test'),
    elsewhere('Forwarded', `for=127.0.0.1;by=${key}`),
  ]
}

/** Places other than headers. */
function placesOf(key: string): Presented[] {
  const isAbsent = true
  return [
    { name: 'nothing', isAbsent },
    { name: 'the query, as key', query: `key=${key}`, isAbsent },
    { name: 'the query, as access_token', query: `access_token=${key}`, isAbsent },
    { name: 'the query, as authorization', query: `authorization=Bearer%20${key}`, isAbsent },
    { name: 'the body', body: JSON.stringify({ key, authorization: `Bearer ${key}` }), isAbsent },
    {
      name: 'a form',
      body: `access_token=${key}`,
      type: 'application/x-www-form-urlencoded',
      isAbsent,
    },
    { name: 'a trailer', trailers: [`Authorization: Bearer ${key}`], isAbsent },
    {
      name: 'the user of an absolute address',
      target: (path, host) => `http://${key}:x@${host}${path}`,
      isAbsent,
    },
  ]
}

function fullWidth(letters: string): string {
  return letters.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
}

function otherCase(key: string): string {
  const at = [...key].findIndex((letter, i) => i > 15 && /[a-z]/.test(letter))
  return key.slice(0, at) + key[at]!.toUpperCase() + key.slice(at + 1)
}

/** A key body with its correct checksum. */
function withChecksum(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let checksum = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / digits.length))
    checksum = digits[rest % digits.length]! + checksum
  return body + checksum.padStart(6, '0')
}
