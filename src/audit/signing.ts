// The key that signs the heads of the call log. The private half never leaves the data directory, not even into a backup: a
// restored workspace makes a key of its own. All public halves that ever signed stay known in `audit.pub`.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addLine, createWhole, readLines } from './lines.ts'

/** Signs in the name of this data directory. */
export interface Signer {
  /** The public key: 43 characters of base64url, as RFC 8037 writes it. */
  key: string
  sign(text: string): string
}

const privateFile = (dataDir: string) => join(dataDir, 'audit.key')

/** Where the public keys are, one a line. */
const publicKeysFile = (dataDir: string) => join(dataDir, 'audit.pub')

/** Whether this data directory has a key yet. */
export function hasSigner(dataDir: string): boolean {
  return existsSync(privateFile(dataDir))
}

/** The key of this data directory, made where there is none. */
export function signerOf(dataDir: string): Signer {
  const secret = createPrivateKey(privateKeyOf(dataDir))
  const key = publicOf(secret)
  if (!publicKeys(dataDir).includes(key)) addLine(publicKeysFile(dataDir), key)
  return { key, sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url') }
}

/** The public keys that signed here, oldest first. */
export function publicKeys(dataDir: string): string[] {
  return readLines(publicKeysFile(dataDir))
}

/** Whether the holder of a public key signed this text. */
export function isSigned(text: string, key: string, signature: string): boolean {
  try {
    const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
    return verify(null, Buffer.from(text), known, Buffer.from(signature, 'base64url'))
  } catch {
    return false // no key at all
  }
}

function privateKeyOf(dataDir: string): string {
  if (!hasSigner(dataDir)) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string
    createWhole(privateFile(dataDir), pem) // a server and a command may start at the same time: the second reads the key of the first
  }
  return readFileSync(privateFile(dataDir), 'utf8')
}

function publicOf(secret: KeyObject): string {
  return createPublicKey(secret).export({ format: 'jwk' }).x!
}
