import type { Store } from '../../db/open.ts'
import { findKeys, displayPrefix, parseKey } from '../../keys/format.ts'
import type { Limits } from '../../limits/limits.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'

const beginning = 'svc_'
const atBase64 = /_base64$/

/** Where keys are looked up, and who hears of one that works. */
interface KeyWatch {
  readonly store: Store
  readonly clock: Clock
  readonly limits: Pick<Limits, 'exposure'>
}

/**
 * Keeps keys that work out of what is written: an assistant that read one must not leave it in a task, a page or a webhook.
 * @throws Refusal live_key_in_content
 */
export async function refuseLeakedKeys(
  app: KeyWatch,
  args: Record<string, unknown>,
): Promise<void> {
  for (const { path, text } of suspects(args, '')) {
    const key = await firstLive(app, findKeys(text))
    if (key === undefined) continue
    throw new Refusal(
      'live_key_in_content',
      `${path}: contains the working API key ${displayPrefix(parseKey(key)!.lookup)}. Nothing was written.`,
      {
        field: path,
        hint: 'Remove it. It is exposed: its owner should revoke it with `workspace keys revoke` and create another one.',
      },
    )
  }
}

async function firstLive(app: KeyWatch, keys: readonly string[]): Promise<string | undefined> {
  for (const key of keys) if (await isLive(app, key)) return key
  return undefined
}

async function isLive(app: KeyWatch, key: string): Promise<boolean> {
  const found = await app.store.read.one(
    'SELECT 1 FROM api_keys WHERE lookup = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    parseKey(key)!.lookup,
    app.clock.now(),
  )
  if (!found) return false
  app.limits.exposure.noteText(key, 'content') // which proves its secret first
  return true
}

/** Texts that may hold a key, names included, with where they are. */
function* suspects(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') {
    if (value.includes(beginning)) yield { path, text: value }
    else if (atBase64.test(path)) yield* encoded(value, path)
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [name, one] of Object.entries(value)) {
    if (name.includes(beginning)) yield { path, text: name }
    yield* suspects(one, path === '' ? name : `${path}.${name}`)
  }
}

function* encoded(value: string, path: string): Generator<{ path: string; text: string }> {
  const text = Buffer.from(value, 'base64').toString('latin1')
  if (text.includes(beginning)) yield { path, text }
}
