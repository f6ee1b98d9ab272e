import type { Store } from '../../db/open.ts'
import { isId, newId, type Id } from '../../kernel/ids.ts'
import { invalid, notFound, Refusal } from '../../kernel/refusal.ts'
import { assertStorableText } from '../../kernel/text/text.ts'
import { findKeys } from '../../keys/format.ts'
import { recordRevocation } from '../../keys/revocations.ts'
import { findTokens, mintToken, tokenHash, tokenKind } from '../../keys/tokens.ts'
import type { App } from '../../operations/app.ts'
import type { Row } from '../../records/resource.ts'
import { requireProvider, type Provider } from '../providers.ts'

const maxTokens = 10
const useRecordIntervalMs = 60_000

export interface NewScimToken {
  name: string
  /** In milliseconds; undefined if the token is valid until revoked. */
  expiresAt?: number | undefined
  createdBy?: Id<'users'> | undefined
}

/** A token as shown to its creator, once. */
export interface IssuedScimToken {
  id: Id<'scim_tokens'>
  token: string
  hint: string
}

/** Creates a token for a provider; inside a job of the writer. Only its hash is stored. @throws Refusal */
export async function issueScimToken(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  provider: Provider,
  { name, expiresAt, createdBy }: NewScimToken,
): Promise<IssuedScimToken> {
  const now = clock.now()
  checkName(name)
  if (expiresAt !== undefined && expiresAt <= now)
    throw invalid('expires_at', 'has to be in the future.')
  const activeTokens = (await scimTokensOf(store.write, provider)).filter(
    (row) => row.revoked_at === null,
  )
  if (activeTokens.length >= maxTokens)
    throw new Refusal('conflict', `A provider has at most ${maxTokens} SCIM tokens.`, {
      hint: 'Revoke one that is not used.',
    })
  const token = mintToken('wsc')
  const id = newId<'scim_tokens'>('sct', now)
  const hint = `${token.slice(0, 8)}…`
  await store.write
    .insertInto('scim_tokens')
    .values({
      id,
      org_id: provider.org_id,
      provider_id: provider.id,
      name: name.trim(),
      token_hash: tokenHash(token),
      hint,
      created_at: now,
      created_by: createdBy ?? null,
      expires_at: expiresAt ?? null,
      revoked_at: null,
      used_at: null,
    })
    .execute()
  return { id, token, hint }
}

/** The tokens of a provider, oldest first. */
export function scimTokensOf(
  db: Store['read'],
  { id }: Pick<Provider, 'id'>,
): Promise<Row<'scim_tokens'>[]> {
  return db
    .selectFrom('scim_tokens')
    .selectAll()
    .where('provider_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** @throws Refusal not_found */
export async function requireScimToken(db: Store['read'], id: string): Promise<Row<'scim_tokens'>> {
  const row = isId('sct', id)
    ? await db
        .selectFrom('scim_tokens')
        .selectAll()
        .where('id', '=', id as Id<'scim_tokens'>)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('SCIM token', 'id', '`workspace sso scim list` shows all.')
  return row
}

/**
 * Revokes a token permanently, even if an older database is restored; inside a job of the writer. Returns false if it was
 * already revoked.
 */
export async function revokeScimToken(
  { store, clock, settings }: Pick<App, 'store' | 'clock' | 'settings'>,
  { id, hint, revoked_at }: Row<'scim_tokens'>,
): Promise<boolean> {
  if (revoked_at !== null) return false
  const at = clock.now()
  await store.write
    .updateTable('scim_tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .execute()
  recordRevocation(settings.data, { key_id: id, lookup: hint, at })
  return true
}

/** Finds the provider that a token belongs to. `known`: the token was issued here, but is no longer valid. */
export async function findScimToken(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  text: string,
): Promise<{ provider: Provider; row: Row<'scim_tokens'> } | 'known' | undefined> {
  if (tokenKind(text) !== 'wsc') return undefined
  const row = await store.read
    .selectFrom('scim_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash(text))
    .executeTakeFirst()
  if (!row) return undefined
  if (!isActiveToken(row, clock.now())) return 'known'
  return { provider: await requireProvider(store.read, row.provider_id), row }
}

/** True if a token is still valid; inside a job of the writer. */
export async function isTokenActive(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  id: Id<'scim_tokens'>,
): Promise<boolean> {
  const row = await store.write
    .selectFrom('scim_tokens')
    .select(['revoked_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined && isActiveToken(row, clock.now())
}

/** Records the use of a token, at most once a minute. */
export async function recordScimUse(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  { id, used_at }: Row<'scim_tokens'>,
): Promise<void> {
  const now = clock.now()
  if (used_at !== null && now - used_at < useRecordIntervalMs) return
  await store.writer.run(() =>
    store.write.updateTable('scim_tokens').set({ used_at: now }).where('id', '=', id).execute(),
  )
}

function isActiveToken(
  { revoked_at, expires_at }: Pick<Row<'scim_tokens'>, 'revoked_at' | 'expires_at'>,
  now: number,
): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now)
}

function checkName(name: string): void {
  assertStorableText(name, 'name')
  if (findKeys(name).length + findTokens(name).length > 0)
    throw invalid('name', 'must not contain a key, because lists show it.')
  if (name.trim() === '' || name.length > 100)
    throw invalid('name', 'a token needs a name of 1 to 100 characters.')
}
