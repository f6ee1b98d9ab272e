// Format of API keys: `svc_`, 12 lookup characters that find the row, 43 characters of secret, 6 of checksum. Letters
// and digits only, so that a double click selects the whole key. The checksum lets scanners, and us, tell a key from
// noise without a database.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'svc_'
const LOOKUP_LENGTH = 12
const SECRET_LENGTH = 43 // 62^43 is just above 2^256
const CHECKSUM_LENGTH = 6 // 62^6 is above the 2^32 that a CRC32 needs
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = ALPHABET.length
const BYTE_LIMIT = 256 - (256 % BASE) // a byte from here on would favour the first characters of the alphabet

/** For other secrets of the same form: 256 bits in letters and digits, followed by the checksum. */
export { SECRET_LENGTH as secretLength, CHECKSUM_LENGTH as checksumLength }

/** Unanchored regular expression source for scanners of leaked keys. A match is a key only if `parseKey` agrees. */
export const keyPattern = `${PREFIX}[0-9A-Za-z]{${LOOKUP_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}`

const exactKey = new RegExp(`^${keyPattern}$`)
const embeddedKey = new RegExp(`(?=(${keyPattern}))`, 'g') // looks ahead, so that a near miss does not swallow the start of a key

/** The parts of a key stored in the database: `lookup` in clear, `secret` as a hash. */
export type KeyParts = { lookup: string; secret: string }

/** Creates a random key. `key` is shown once to its owner; `prefix` may appear in lists. */
export function mintKey(): KeyParts & { key: string; prefix: string } {
  const lookup = randomText(LOOKUP_LENGTH)
  const secret = randomText(SECRET_LENGTH)
  const body = PREFIX + lookup + secret
  return { key: body + checksum(body), lookup, secret, prefix: displayPrefix(lookup) }
}

/**
 * The parts of a well-formed key; undefined for anything else, so that typing errors and noise cause no database
 * query.
 */
export function parseKey(text: string): KeyParts | undefined {
  if (!exactKey.test(text)) return undefined
  const body = text.slice(0, -CHECKSUM_LENGTH)
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return { lookup: body.slice(PREFIX.length, -SECRET_LENGTH), secret: body.slice(-SECRET_LENGTH) }
}

/**
 * Key as shown in lists: its first 12 characters and an ellipsis, `svc_k3J9xQ2a…`, enough to recognize it without
 * revealing the secret. For a connection, the host that was authorized: its lookup is `claude.ai/k3J9xQ2aB7Lm`.
 */
export function displayPrefix(lookup: string): string {
  const slash = lookup.indexOf('/')
  return slash < 0 ? `${PREFIX}${lookup.slice(0, 8)}…` : lookup.slice(0, slash)
}

/** The lookup of a new connection. */
export function connectionLookup(host: string): string {
  return `${host}/${randomText(LOOKUP_LENGTH)}`
}

/** Every well-formed key inside a text, whatever surrounds it; detects pasted keys. */
export function findKeys(text: string): string[] {
  return Array.from(text.matchAll(embeddedKey), (match) => match[1] ?? '').filter(parseKey)
}

/** Random letters and digits, uniformly distributed. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < BYTE_LIMIT) text += ALPHABET.charAt(byte % BASE)
    }
  }
  return text
}

/** Bytes as letters and digits of fixed length, padded with zeros. */
export function base62(bytes: Uint8Array, length: number): string {
  let text = ''
  for (
    let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
    rest > 0n;
    rest /= BigInt(BASE)
  )
    text = ALPHABET.charAt(Number(rest % BigInt(BASE))) + text
  return text.padStart(length, ALPHABET.charAt(0))
}

/** The CRC32 of a text in six letters and digits. */
export function checksum(body: string): string {
  let digits = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / BASE))
    digits = ALPHABET.charAt(rest % BASE) + digits
  return digits.padStart(CHECKSUM_LENGTH, ALPHABET.charAt(0))
}

/** The secret in an Authorization header; undefined if it has none in this form. */
export function bearerSecret(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}
