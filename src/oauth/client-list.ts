import type { Store } from '../db/open.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { isDocumentAddress } from './documents.ts'
import { newClientRow } from './clients.ts'

/** A client with its number of active connections. */
export type ListedClient = Row<'oauth_clients'> & { connections: number }

/** The clients of an instance with their numbers of active connections, newest first. */
export function listClients({ read }: Pick<Store, 'read'>): Promise<ListedClient[]> {
  return read
    .selectFrom('oauth_clients')
    .selectAll('oauth_clients')
    .select((eb) =>
      eb
        .selectFrom('oauth_connections')
        .innerJoin('api_keys', 'api_keys.id', 'oauth_connections.key_id')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('oauth_connections.client_id', '=', 'oauth_clients.client_id')
        .where('api_keys.revoked_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('connections'),
    )
    .orderBy('oauth_clients.created_at', 'desc')
    .orderBy('oauth_clients.client_id')
    .execute()
}

/**
 * Allows or refuses a client, inside a writer job; the address of a document can get a policy before its first
 * connection.
 * @throws Refusal not_found
 */
export async function setClientPolicy(
  { write }: Pick<Store, 'write'>,
  now: number,
  clientId: string,
  policy: Row<'oauth_clients'>['policy'],
): Promise<void> {
  const { numUpdatedRows } = await write
    .updateTable('oauth_clients')
    .set({ policy })
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  if (!isDocumentAddress(clientId))
    throw new Refusal(
      'not_found',
      'Client not found.',
      '`workspace oauth clients list` shows all clients.',
    )
  const metadata = {
    name: new URL(clientId).hostname,
    uri: undefined,
    redirects: [],
    methods: ['none' as const],
    jwksUri: undefined,
    jwks: undefined,
  }
  await write
    .insertInto('oauth_clients')
    .values({ ...newClientRow(clientId, 'document', metadata, { now }), policy })
    .execute()
}
