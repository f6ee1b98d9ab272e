import type { Store } from '../db/open.ts'
import { OAuthError } from './errors.ts'

/**
 * Removes a registration that was never connected, with its authorization requests.
 * @throws OAuthError access_denied if it was connected, or an administrator has set a policy for it
 */
export async function removeRegistration(store: Store, clientId: string): Promise<void> {
  await store.writer.run(async () => {
    const { write } = store
    const row = await write
      .selectFrom('oauth_clients')
      .select(['source', 'policy', 'secret_hash'])
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    if (!row) throw new OAuthError('invalid_client', 'The client is not known.')
    const connection = await write
      .selectFrom('oauth_connections')
      .select('key_id')
      .where('client_id', '=', clientId)
      .limit(1)
      .executeTakeFirst()
    const isSelfRegistered = row.source === 'registered' && row.secret_hash !== null
    if (!isSelfRegistered || row.policy !== 'default' || connection)
      throw new OAuthError(
        'access_denied',
        'Someone has connected this client, or an administrator has decided about it: it stays.',
        { status: 403 },
      )
    await write.deleteFrom('oauth_requests').where('client_id', '=', clientId).execute()
    await write.deleteFrom('oauth_clients').where('client_id', '=', clientId).execute()
  })
}
