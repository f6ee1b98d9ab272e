// Secrets besides keys that programs send: OAuth tokens and SCIM tokens. Like keys, they have a fixed form and a
// checksum, so that scanners and we can recognize them anywhere. They have no lookup part: 256 random bits are found by
// their hash.

import { createHmac, hash, randomBytes } from 'node:crypto'
import { checksum, checksumLength, randomText, secretLength, base62 } from './format.ts'

/** Access token, refresh token, authorization code, the secret of an OAuth client, and the token of an identity provider (SCIM). */
export type TokenKind = 'wat' | 'wrt' | 'wac' | 'wcs' | 'wsc'

/** Prefixes of keys and tokens that grant access: a text without one contains no secret. */
export const secretPrefix = /svc_|wat_|wrt_|wsc_/

const pattern = `(wat|wrt|wac|wcs|wsc)_[0-9A-Za-z]{${secretLength + checksumLength}}`
const exactToken = new RegExp(`^${pattern}$`)
const embeddedToken = new RegExp(`(?=(${pattern}))`, 'g')

/** A new random token. */
export function mintToken(kind: TokenKind): string {
  return withChecksum(`${kind}_${randomText(secretLength)}`)
}

/** The successor of a token: computable only with the token, and always the same for the same salt. */
export function deriveToken(kind: TokenKind, from: string, salt: string): string {
  const bytes = createHmac('sha256', from).update(salt).digest()
  return withChecksum(`${kind}_${base62(bytes, secretLength)}`)
}

/** Random salt that a token is derived with, besides its predecessor. */
export function newSalt(): string {
  return randomBytes(16).toString('hex')
}

/** Returns the kind of a token; undefined if it is not well formed. */
export function tokenKind(text: string): TokenKind | undefined {
  const kind = exactToken.exec(text)?.[1]
  const body = text.slice(0, -checksumLength)
  return kind !== undefined && checksum(body) === text.slice(-checksumLength)
    ? (kind as TokenKind)
    : undefined
}

/** Every well-formed token inside a text, whatever surrounds it. */
export function findTokens(text: string): string[] {
  return Array.from(text.matchAll(embeddedToken), (match) => match[1] ?? '').filter(tokenKind)
}

/**
 * Hash of a token as stored in the database. A plain hash suffices: so many random bits cannot be searched, and the
 * lookup time reveals nothing.
 */
export function tokenHash(text: string): string {
  return hash('sha256', text, 'hex')
}

function withChecksum(body: string): string {
  return body + checksum(body)
}
