import { createHmac, createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../kernel/time/clock.ts'
import { dayLength } from '../kernel/time/times.ts'
import type { Store } from '../db/open.ts'
import type { Row } from '../records/resource.ts'
import { randomText } from '../keys/format.ts'
import { mintToken, tokenHash } from '../keys/tokens.ts'
import { requireAllowedCallbacks } from './callback-hosts.ts'
import { OAuthError } from './errors.ts'
import type { AuthMethod, ClientMetadata, Jwks } from './client-metadata.ts'

const maxRegistered = 1000
const unusedRetention = dayLength
const usedRetention = 90 * dayLength

/** A program that people can connect. */
export interface OAuthClient extends ClientMetadata {
  clientId: string
  source: Row<'oauth_clients'>['source']
  policy: Row<'oauth_clients'>['policy']
  /** SHA-256 of its secret; undefined if it has none. */
  secretHash: string | undefined
}

export function oauthClientOf(row: Row<'oauth_clients'>): OAuthClient {
  return {
    clientId: row.client_id,
    source: row.source,
    policy: row.policy,
    name: row.name,
    uri: row.uri ?? undefined,
    redirects: JSON.parse(row.redirects_json) as string[],
    methods: JSON.parse(row.methods_json) as AuthMethod[],
    jwksUri: row.jwks_uri ?? undefined,
    jwks: row.jwks_json === null ? undefined : (JSON.parse(row.jwks_json) as Jwks),
    secretHash: row.secret_hash ?? undefined,
  }
}

export function metadataColumns(metadata: ClientMetadata) {
  return {
    name: metadata.name,
    uri: metadata.uri ?? null,
    redirects_json: JSON.stringify(metadata.redirects),
    methods_json: JSON.stringify(metadata.methods),
    jwks_uri: metadata.jwksUri ?? null,
    jwks_json: metadata.jwks === undefined ? null : JSON.stringify(metadata.jwks),
  }
}

export async function findStoredClient(
  store: Pick<Store, 'read'>,
  clientId: string,
): Promise<Row<'oauth_clients'> | undefined> {
  if (!/^[\x21-\x7e]{1,1000}$/.test(clientId)) return undefined // PostgreSQL rejects NUL characters
  return store.read
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst()
}

export interface RegisteredClient {
  client: OAuthClient
  /** Shown once; undefined for public clients. */
  secret: string | undefined
  issuedAt: number
}

interface RegistrationPolicy {
  registration: 'any' | 'known' | 'no'
  ip: string
}

/**
 * Registers a client that describes itself (RFC 7591). The same public metadata gets the same id again, because some
 * hosts register at every attempt.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata, temporarily_unavailable
 */
export async function registerClient(
  store: Store,
  clock: Clock,
  metadata: ClientMetadata,
  { registration, ip }: RegistrationPolicy,
): Promise<RegisteredClient> {
  if (metadata.redirects.length > 10)
    throw new OAuthError('invalid_redirect_uri', 'At most 10 redirect_uris can be registered.')
  await requireAllowedCallbacks(store, metadata.redirects, registration)
  if (metadata.methods.includes('private_key_jwt') && !metadata.jwksUri && !metadata.jwks)
    throw new OAuthError('invalid_client_metadata', 'private_key_jwt takes jwks or jwks_uri.')
  const wantsSecret = metadata.methods.some((method) => method.startsWith('client_secret_'))
  const secret = wantsSecret ? mintToken('wcs') : undefined
  const clientId = secret === undefined ? publicClientId(metadata) : `cl_${randomText(24)}`
  const now = clock.now()
  const row = await store.writer.run(async () => {
    const { write } = store
    const existing = await write
      .selectFrom('oauth_clients')
      .selectAll()
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    if (existing) return existing
    await deleteUnused(store, now)
    const { n } = await write
      .selectFrom('oauth_clients')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('source', '=', 'registered')
      .executeTakeFirstOrThrow()
    if (n >= maxRegistered)
      throw new OAuthError('temporarily_unavailable', 'Too many clients are registered.', {
        status: 503,
        retryAfterSeconds: 3600,
      })
    const client = newClientRow(clientId, 'registered', metadata, {
      secretHash: secret === undefined ? null : tokenHash(secret),
      now,
    })
    await write
      .insertInto('oauth_clients')
      .values({ ...client, created_ip: ip })
      .execute()
    return { ...client, created_ip: ip }
  })
  return { client: oauthClientOf(row), secret, issuedAt: row.created_at }
}

/** Registers a client manually, with a secret that is shown once; inside a job of the writer. */
export async function registerManually(
  { write }: Pick<Store, 'write'>,
  now: number,
  metadata: ClientMetadata,
): Promise<{ client: OAuthClient; secret: string }> {
  const secret = mintToken('wcs')
  const row = newClientRow(`cl_${randomText(24)}`, 'entered', metadata, {
    secretHash: tokenHash(secret),
    now,
  })
  await write.insertInto('oauth_clients').values(row).execute()
  return { client: oauthClientOf(row), secret }
}

/** True if people may connect a client; a refused one may never be connected, regardless of the settings. */
export function isAllowed(
  { source, policy }: Pick<OAuthClient, 'source' | 'policy'>,
  documents: 'any' | 'known' | 'no',
  isKnown: boolean,
): boolean {
  if (policy !== 'default') return policy === 'allow'
  return source !== 'document' || documents === 'any' || (documents === 'known' && isKnown)
}

/** True if this is the secret of a client; compares in constant time. */
export function isSecretOf({ secretHash }: OAuthClient, secret: string): boolean {
  if (secretHash === undefined) return false
  return timingSafeEqual(
    createHash('sha256').update(tokenHash(secret)).digest(),
    createHash('sha256').update(secretHash).digest(),
  )
}

export function newClientRow(
  clientId: string,
  source: Row<'oauth_clients'>['source'],
  metadata: ClientMetadata,
  { secretHash = null, now }: { secretHash?: string | null; now: number },
): Row<'oauth_clients'> {
  return {
    client_id: clientId,
    source,
    ...metadataColumns(metadata),
    secret_hash: secretHash,
    fetched_at: null,
    fresh_until: null,
    problem: null,
    policy: 'default',
    created_at: now,
    created_ip: null,
    used_at: null,
  }
}

/** An id derived from the metadata. It is not secret: the person decides about the access it gives. */
function publicClientId({ name, redirects, methods, jwks, jwksUri }: ClientMetadata): string {
  const canonical = JSON.stringify([
    name,
    [...redirects].sort(),
    [...methods].sort(),
    jwks,
    jwksUri,
  ])
  return `cl_${createHmac('sha256', 'workspace oauth client').update(canonical).digest('base64url')}`
}

/**
 * Removes registrations that were not connected within a day or not used in the last 90 days; inside a job of the
 * writer.
 */
async function deleteUnused({ write }: Store, now: number): Promise<void> {
  await write
    .deleteFrom('oauth_clients')
    .where('source', '=', 'registered')
    .where('policy', '=', 'default')
    .where((eb) =>
      eb.or([
        eb.and([eb('used_at', 'is', null), eb('created_at', '<', now - unusedRetention)]),
        eb('used_at', '<', now - usedRetention),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_connections')
            .select('key_id')
            .whereRef('oauth_connections.client_id', '=', 'oauth_clients.client_id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_requests')
            .select('token_hash')
            .whereRef('oauth_requests.client_id', '=', 'oauth_clients.client_id'),
        ),
      ),
    )
    .execute()
}
