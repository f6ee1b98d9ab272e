import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'

/** Additional data of own connections, such as the names that their programs report; by key. */
export async function connectionsOf(viewer: Viewer, keys: readonly Row<'api_keys'>[]) {
  const ids = keys.filter((key) => key.kind === 'connection').map((key) => key.id)
  if (ids.length === 0) return new Map<string, never>()
  const { all, actor } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('oauth_connections')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_connections.key_id')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'oauth_connections.client_id')
    .select([
      'oauth_connections.key_id',
      'oauth_connections.resource',
      'oauth_connections.scope',
      'oauth_connections.refreshed_at',
      'oauth_clients.name as client_name',
    ])
    .where('api_keys.owner_id', '=', actor.id)
    .where('oauth_connections.key_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ key_id, resource, scope, refreshed_at, client_name }) => [
      key_id as string,
      { program: client_name, address: resource, scope, refreshed_at: iso(refreshed_at) },
    ]),
  )
}
