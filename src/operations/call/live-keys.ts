import type { Store } from '../../db/open.ts'
import { findKeys, displayPrefix, parseKey } from '../../keys/format.ts'
import { findTokens, secretPrefix, tokenHash } from '../../keys/tokens.ts'
import type { Limits } from '../../limits/limits.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'

const base64Field = /_base64$/

/** The database in which keys are looked up, and the limits to which live ones are reported. */
interface LiveKeyLookup {
  readonly store: Store
  readonly clock: Clock
  readonly limits: Pick<Limits, 'exposure'>
}

/**
 * Keeps working keys out of stored content: an assistant that has read one must not leave it in a task, a page or a
 * webhook.
 * @throws Refusal live_key_in_content
 */
export async function refuseLeakedKeys(
  app: LiveKeyLookup,
  args: Record<string, unknown>,
): Promise<void> {
  for (const { path, text } of suspiciousTexts(args, '')) {
    const key = await firstLive(findKeys(text), (text) => isKeyActive(app, text))
    if (key !== undefined)
      throw leakedKeyRefusal(path, `the working API key ${displayPrefix(parseKey(key)!.lookup)}`)
    const token = await firstLive(findTokens(text), (text) => isLiveToken(app, text))
    if (token !== undefined) throw leakedKeyRefusal(path, 'a working token of a connection')
    const scimToken = await firstLive(findTokens(text), (text) => isLiveScimToken(app, text))
    if (scimToken !== undefined)
      throw leakedKeyRefusal(path, 'a working token of an identity provider')
  }
}

async function firstLive(
  texts: readonly string[],
  isLiveText: (text: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const text of texts) if (await isLiveText(text)) return text
  return undefined
}

function leakedKeyRefusal(path: string, what: string): Refusal {
  return new Refusal('live_key_in_content', `${path}: contains ${what}. Nothing was written.`, {
    field: path,
    hint: 'Remove it. It is exposed: its owner should revoke it with `workspace keys revoke` and create another one.',
  })
}

async function isLiveToken(app: LiveKeyLookup, token: string): Promise<boolean> {
  const liveToken = await app.store.read.one(
    `SELECT 1 FROM oauth_tokens t JOIN api_keys k ON k.id = t.key_id
     WHERE t.token_hash = ? AND t.expires_at > ? AND k.revoked_at IS NULL`,
    tokenHash(token),
    app.clock.now(),
  )
  if (!liveToken) return false
  app.limits.exposure.reportText(token, 'content')
  return true
}

async function isLiveScimToken({ store, clock }: LiveKeyLookup, token: string): Promise<boolean> {
  const liveToken = await store.read.one(
    'SELECT 1 FROM scim_tokens WHERE token_hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    tokenHash(token),
    clock.now(),
  )
  return liveToken !== undefined
}

async function isKeyActive(app: LiveKeyLookup, key: string): Promise<boolean> {
  const liveKey = await app.store.read.one(
    'SELECT 1 FROM api_keys WHERE lookup = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    parseKey(key)!.lookup,
    app.clock.now(),
  )
  if (!liveKey) return false
  app.limits.exposure.reportText(key, 'content') // noteText verifies the secret of the key first
  return true
}

/** Texts that may contain a key, including names, with their paths. */
function* suspiciousTexts(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') {
    if (secretPrefix.test(value)) yield { path, text: value }
    else if (base64Field.test(path)) yield* decodedText(value, path)
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [name, child] of Object.entries(value)) {
    if (secretPrefix.test(name)) yield { path, text: name }
    yield* suspiciousTexts(child, path === '' ? name : `${path}.${name}`)
  }
}

function* decodedText(value: string, path: string): Generator<{ path: string; text: string }> {
  const text = Buffer.from(value, 'base64').toString('latin1')
  if (secretPrefix.test(text)) yield { path, text }
}
