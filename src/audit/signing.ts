// The key that signs the heads of the call log. The private half never leaves the data directory, not even in a backup:
// a restored workspace creates its own. All public halves that ever signed stay in `audit.pub`.
// Others may read these files while a server signs for the first time, so their order matters: first `audit.key`, then
// the heads, last `audit.pub`. A key in `audit.pub` proves that heads were signed; a private key alone does not.

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
import { appendLines, createFileAtomically, readLines } from './lines.ts'

/** Signs with the key of this data directory. */
export interface Signer {
  /** The public key: 43 characters of base64url, as RFC 8037 writes it. */
  key: string
  sign(text: string): string
}

const privateKeyFile = (dataDir: string) => join(dataDir, 'audit.key')

/** File of public keys, one per line. */
const publicKeysFile = (dataDir: string) => join(dataDir, 'audit.pub')

/** Whether heads were ever signed in this data directory. Read this before the heads: they exist once it is true. */
export function hasSigned(dataDir: string): boolean {
  return readLines(publicKeysFile(dataDir)).length > 0
}

/** The key of this data directory, created if it does not exist. */
export function loadSigner(dataDir: string): Signer {
  const secret = createPrivateKey(privateKeyOf(dataDir))
  return {
    key: publicKeyOf(secret),
    sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
  }
}

/** Records in `audit.pub` that a key has signed heads, which must already be durable. */
export function recordSigner(dataDir: string, key: string): void {
  if (!readLines(publicKeysFile(dataDir)).includes(key)) appendLines(publicKeysFile(dataDir), key)
}

/** The public key of this data directory; undefined if it has none yet. */
export function ownPublicKey(dataDir: string): string | undefined {
  return existsSync(privateKeyFile(dataDir)) ? loadSigner(dataDir).key : undefined
}

/** The public keys whose signatures count here, oldest first. Read them after the heads that they signed. */
export function publicKeys(dataDir: string): string[] {
  const publicKey = ownPublicKey(dataDir)
  return [
    ...new Set([
      ...readLines(publicKeysFile(dataDir)),
      ...(publicKey === undefined ? [] : [publicKey]),
    ]),
  ]
}

/** Whether the holder of a public key signed this text. */
export function isValidSignature(text: string, key: string, signature: string): boolean {
  try {
    const keyObject = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key },
      format: 'jwk',
    })
    return verify(null, Buffer.from(text), keyObject, Buffer.from(signature, 'base64url'))
  } catch {
    return false // not a valid public key
  }
}

function privateKeyOf(dataDir: string): string {
  if (!existsSync(privateKeyFile(dataDir))) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string
    createFileAtomically(privateKeyFile(dataDir), pem) // a server and a command may start at the same time: the second reads the key of the first
  }
  return readFileSync(privateKeyFile(dataDir), 'utf8')
}

function publicKeyOf(secret: KeyObject): string {
  return createPublicKey(secret).export({ format: 'jwk' }).x!
}
