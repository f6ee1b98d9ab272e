import { randomBytes } from 'node:crypto'

/** A cookie value: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export { tokenHash } from '../keys/tokens.ts'
