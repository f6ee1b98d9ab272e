// Pending sign-ins at a provider. The state is stored as a hash; the other secrets that bind the response are derived
// from it and from the browser's cookie, so neither the database nor the addresses of the redirects contain them.

import { createHmac } from 'node:crypto'
import type { Store } from '../db/open.ts'
import { browserHolder } from '../identity/challenges.ts'
import { newToken, tokenHash } from '../identity/tokens.ts'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import type { Proofs } from './client.ts'
import type { Provider } from './providers.ts'

/** Milliseconds allowed for the round trip to the provider. */
export const requestLifetimeMs = 10 * 60_000
const maxReturnLength = 1000

export interface NewSsoRequest {
  purpose: Row<'sso_requests'>['purpose']
  /** The value of the cookie that identifies the browser. */
  device: string
  /** For link and verify: the session it belongs to. */
  session: Id<'web_sessions'> | undefined
  returnTo: string
}

/** Stores a request; deletes expired ones. */
export async function createSsoRequest(
  store: Store,
  now: number,
  provider: Provider,
  { purpose, device, session, returnTo }: NewSsoRequest,
): Promise<Proofs> {
  const state = newToken()
  await store.writer.run(async () => {
    await store.write.deleteFrom('sso_requests').where('expires_at', '<=', now).execute()
    await store.write
      .insertInto('sso_requests')
      .values({
        state_hash: tokenHash(state),
        org_id: provider.org_id,
        provider_id: provider.id,
        purpose,
        holder_hash: browserHolder(device),
        session_id: session ?? null,
        return_to: returnTo,
        created_at: now,
        expires_at: now + requestLifetimeMs,
      })
      .execute()
  })
  return proofsOf(state, device)
}

/**
 * Consumes the request of a provider's response, regardless of its outcome.
 * @throws Refusal conflict if this browser has no pending request at this provider
 */
export async function consumeSsoRequest(
  store: Store,
  now: number,
  provider: Provider,
  { state, device }: { state: string; device: string },
): Promise<{ request: Row<'sso_requests'>; proofs: Proofs }> {
  const request = await store.writer.run(() =>
    store.write
      .deleteFrom('sso_requests')
      .where('state_hash', '=', tokenHash(state))
      .where('provider_id', '=', provider.id)
      .where('holder_hash', '=', browserHolder(device))
      .returningAll()
      .executeTakeFirst(),
  )
  if (!request || request.expires_at <= now || request.expires_at - now > requestLifetimeMs)
    throw new Refusal(
      'conflict',
      'This sign-in was not begun in this browser, or it took too long.',
      'Start again from the sign-in page.',
    )
  return { request, proofs: proofsOf(state, device) }
}

/** A path of this workspace to return to; the home page for any other address. */
export function safeReturnPath(baseUrl: string, text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || text.length > maxReturnLength) return '/'
  const url = URL.parse(text, baseUrl)
  if (!url || url.origin !== new URL(baseUrl).origin) return '/'
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') || /^\/(?:web|sign-in)(?:[/?#]|$)/.test(path) ? '/' : path
}

function proofsOf(state: string, device: string): Proofs {
  const derive = (purpose: string) =>
    createHmac('sha256', device).update(`sso ${purpose}\n${state}`).digest('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}
