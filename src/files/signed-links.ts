// Short-lived download links: the link is enough to download what a person requested, if that person can still see it.
// Links are signed, not stored; the signing key is created for the data directory and stays there.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileAtomically } from '../audit/lines.ts'

/** The contents of a signed link. */
export interface SignedLink {
  /** Person and key that requested it; the link becomes invalid when that key does. */
  person: string
  key: string | null
  /** Operation that answers it, and its arguments. */
  tool: string
  args: Readonly<Record<string, unknown>>
  /** When the link expires, in milliseconds. */
  until: number
}

const keys = new Map<string, Buffer>()

function loadLinkKey(dataDir: string): Buffer {
  const cachedKey = keys.get(dataDir)
  if (cachedKey) return cachedKey
  const path = join(dataDir, 'links.key')
  if (!existsSync(path)) createFileAtomically(path, randomBytes(32).toString('base64url')) // a server and a command may start at the same time: the second reads the secret of the first
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
  keys.set(dataDir, key)
  return key
}

/** A 32-byte key for signing values that leave the instance and return; a different one for each purpose. */
export function signingKey(dataDir: string, purpose: string): Buffer {
  return createHmac('sha256', loadLinkKey(dataDir)).update(`key ${purpose}`).digest()
}

function signature(dataDir: string, text: string): Buffer {
  return createHmac('sha256', loadLinkKey(dataDir)).update(`link ${text}`).digest()
}

/** The last part of a download link. */
export function signLink(dataDir: string, link: SignedLink): string {
  const text = Buffer.from(JSON.stringify(link)).toString('base64url')
  return `${text}.${signature(dataDir, text).toString('base64url')}`
}

/** The contents of a signed link; undefined if this instance did not sign it, or it has expired. */
export function readLink(dataDir: string, token: string, now: number): SignedLink | undefined {
  const [text, encodedSignature, ...extraParts] = token.split('.')
  if (!text || !encodedSignature || extraParts.length > 0) return undefined
  const [expected, actual] = [signature(dataDir, text), Buffer.from(encodedSignature, 'base64url')]
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const link = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as SignedLink
  return link.until > now ? link : undefined
}
