// Settings for administrators in the web app about programs that people connect by signing in.

import { z } from 'zod'
import { asAdmin, requireAdmin } from '../../identity/administration.ts'
import type { Actor } from '../../kernel/actor.ts'
import { omitNullish } from '../../kernel/present.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { iso } from '../../kernel/time/times.ts'
import { listClients, setClientPolicy, type ListedClient } from '../../oauth/client-list.ts'
import { registerManually } from '../../oauth/clients.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { manualMetadata } from '../../oauth/metadata.ts'
import type { App } from '../../operations/app.ts'
import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { endpoint, recordChange, type ServerEndpoint } from '../web/endpoint.ts'
import { ConnectableProgram, EnteredProgram, programPolicy } from './shapes.ts'

const list = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/oauth/clients',
  name: 'list_oauth_clients',
  about:
    'administrators: the programs that people have connected or tried to, `items`, the latest first. They are those of the instance: where it has several organizations, its operator decides about them',
  output: z.strictObject({ items: z.array(ConnectableProgram) }),
  async handle(_, { app, signed: { actor } }) {
    requireAdmin(actor)
    await requireSoleOrganization(app, actor)
    return { items: (await listClients(app.store)).map(presentClient) }
  },
})

const enter = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/oauth/clients',
  name: 'add_oauth_client',
  about:
    'administrators: enters a program that cannot register itself; 201 with its `client_id` and, once, its `client_secret`',
  input: {
    name: z.string().min(1).max(100),
    redirect_uris: z.array(z.string().max(600)).min(1).max(10),
  },
  logsItself: 'success',
  output: EnteredProgram,
  async handle({ name, redirect_uris }, request) {
    const { app, actor } = request
    requireAdmin(actor)
    const metadata = withFieldErrors(() => manualMetadata(name, redirect_uris))
    await requireSoleOrganization(app, actor)
    const { client, secret } = await asAdmin(app, actor, async (now) => {
      const entered = await registerManually(app.store, now, metadata)
      await recordChange(request, { client_id: entered.client.clientId, name: entered.client.name })
      return entered
    })
    const { clientId: client_id, redirects } = client
    const value = { client_id, client_secret: secret, name: client.name, redirect_uris: redirects }
    return new EndpointReply(value, { status: 201 })
  },
})

const decide = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/oauth/clients/policy',
  name: 'set_oauth_client_policy',
  about:
    'administrators: allows or refuses a program, or lets the settings decide again (`default`). A refused program cannot be connected, and its connections get no more tokens',
  input: { client_id: z.string().min(1).max(1000), policy: programPolicy },
  logsItself: 'success',
  output: z.strictObject({ client_id: z.string(), policy: programPolicy }),
  async handle({ client_id, policy }, request) {
    const { app, actor } = request
    requireAdmin(actor)
    await requireSoleOrganization(app, actor)
    await asAdmin(app, actor, async (now) => {
      await setClientPolicy(app.store, now, client_id, policy)
      await recordChange(request, { client_id, policy })
    })
    return { client_id, policy }
  },
})

export const oauthClientEndpoints: readonly ServerEndpoint[] = [list, enter, decide]

/**
 * Programs belong to the instance: if people of another organization use it too, no administrator may decide. @throws
 * Refusal permission_denied
 */
export async function requireSoleOrganization({ store }: App, { org_id }: Actor): Promise<void> {
  const userOfOther = await store.read
    .selectFrom('users')
    .select('id')
    .where('org_id', '<>', org_id)
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  if (!userOfOther) return
  throw new Refusal(
    'permission_denied',
    'Several organizations use this instance and share its programs.',
    'Its operator decides about them with `workspace oauth`.',
  )
}

/** Reports errors in entered values at their field. @throws Refusal invalid_argument */
function withFieldErrors<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof OAuthError)
      throw invalid(error.code === 'invalid_redirect_uri' ? 'redirect_uris' : 'name', error.message)
    throw error
  }
}

function presentClient(row: ListedClient) {
  return omitNullish({
    client_id: row.client_id,
    name: row.name,
    source: row.source,
    policy: row.policy,
    uri: row.uri,
    redirect_uris: JSON.parse(row.redirects_json) as string[],
    connections: row.connections,
    created_at: iso(row.created_at),
    used_at: row.used_at === null ? undefined : iso(row.used_at),
    problem: row.problem,
  })
}
