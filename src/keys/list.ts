import type { Id } from '../kernel/ids.ts'
import type { Row } from '../records/resource.ts'
import type { Store } from '../db/open.ts'

export type KeyState =
  | 'active'
  | 'revoked'
  | 'expired'
  | 'suspended'
  | 'paused'
  | 'owner_deactivated'

/** A key with its owner's details for lists. */
export interface ListedKey extends Row<'api_keys'> {
  email: string
  display_name: string
  status: Row<'users'>['status']
  /**
   * Set for a connection: its program's self-reported name, the address it calls, its permissions, and the time of
   * its last token.
   */
  program: string | null
  resource: string | null
  scope: string | null
  refreshed_at: number | null
}

/** Keys of an organization, or of one person in it, newest first; optionally only those that follow the id `after`. */
export function keysIn(
  store: Store,
  {
    org,
    owner,
    after,
    limit,
  }: {
    org: Id<'orgs'>
    owner?: Id<'users'> | undefined
    after?: string | undefined
    limit: number
  },
): Promise<ListedKey[]> {
  let keys = keysQuery(store).where('api_keys.org_id', '=', org)
  if (owner !== undefined) keys = keys.where('api_keys.owner_id', '=', owner)
  if (after !== undefined) keys = keys.where('api_keys.id', '<', after as Id<'api_keys'>)
  return keys.orderBy('api_keys.id', 'desc').limit(limit).execute()
}

/** A key of an organization. */
export function keyIn(
  store: Store,
  org: Id<'orgs'>,
  key: Id<'api_keys'>,
): Promise<ListedKey | undefined> {
  return keysQuery(store)
    .where('api_keys.org_id', '=', org)
    .where('api_keys.id', '=', key)
    .executeTakeFirst()
}

function keysQuery(store: Store) {
  return store.read
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .leftJoin('oauth_connections', 'oauth_connections.key_id', 'api_keys.id')
    .leftJoin('oauth_clients', 'oauth_clients.client_id', 'oauth_connections.client_id')
    .selectAll('api_keys')
    .select(['users.email', 'users.display_name', 'users.status'])
    .select([
      'oauth_clients.name as program',
      'oauth_connections.resource',
      'oauth_connections.scope',
      'oauth_connections.refreshed_at',
    ])
}

export function keyState(
  {
    revoked_at,
    expires_at,
    suspended_at,
    suspended_by,
    status,
  }: Pick<ListedKey, 'revoked_at' | 'expires_at' | 'suspended_at' | 'suspended_by' | 'status'>,
  now: number,
): KeyState {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && expires_at <= now) return 'expired'
  if (status !== 'active') return 'owner_deactivated'
  if (suspended_at === null) return 'active'
  return suspended_by === null ? 'suspended' : 'paused'
}
