import { revokeInJob } from '../keys/issue.ts'
import { tokenHash } from '../keys/tokens.ts'
import type { App } from '../operations/app.ts'
import type { OAuthClient } from './clients.ts'

/** Ends the connection of a client's own token of either kind; ignores all other tokens (RFC 7009). */
export async function revokeByToken(app: App, client: OAuthClient, token: string): Promise<void> {
  const { store, clock, settings } = app
  await store.writer.run(async () => {
    const row = await store.write
      .selectFrom('oauth_tokens')
      .innerJoin('oauth_connections', 'oauth_connections.key_id', 'oauth_tokens.key_id')
      .select('oauth_connections.key_id')
      .where('oauth_tokens.token_hash', '=', tokenHash(token))
      .where('oauth_connections.client_id', '=', client.clientId)
      .executeTakeFirst()
    if (row) await revokeInJob(store, clock, settings.data, { id: row.key_id, via: 'web' })
  })
  app.meter?.recordConnectingStep('revoke', 'ok')
}
