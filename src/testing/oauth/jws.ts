import { createHmac, sign, type KeyObject } from 'node:crypto'

// Handmade signed tokens, in which each part can be wrong.

export type Claims = Record<string, unknown>

/** Signs the input of a token. */
export type Signer = (input: string) => Buffer

export const rs256 =
  (key: KeyObject): Signer =>
  (input) =>
    sign('sha256', Buffer.from(input), key)

export const ecdsa =
  (digest: string, key: KeyObject, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): Signer =>
  (input) =>
    sign(digest, Buffer.from(input), { key, dsaEncoding })

export const hs256 =
  (secret: string | Buffer): Signer =>
  (input) =>
    createHmac('sha256', secret).update(input).digest()

export const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An encoded token. Undefined headers and claims are omitted. */
export function handmadeToken(header: Claims, claims: unknown, signer: Signer): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${signer(input).toString('base64url')}`
}

/** The public key as a JWK with the key id `one`. */
export const jwkOf = ({ publicKey }: { publicKey: KeyObject }, more: Claims = {}): Claims => ({
  ...publicKey.export({ format: 'jwk' }),
  kid: 'one',
  ...more,
})
