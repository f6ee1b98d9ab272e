import { createHash, randomBytes } from 'node:crypto'

/** The value of a cookie: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What the database keeps of it. So many random bits cannot be searched, and looking up their hash tells nothing by its time. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
