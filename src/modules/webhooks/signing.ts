import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** Milliseconds for which the previous secret also signs. */
export const rotationOverlapMs = 24 * 60 * 60 * 1000

/** A new Standard Webhooks secret: 32 random bytes. */
export function mintSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * Standard Webhooks headers for one attempt, with one signature per secret, so that receivers can rotate theirs at
 * their own pace.
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const at = new Date(now)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
