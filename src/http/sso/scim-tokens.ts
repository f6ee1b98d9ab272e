import { z } from 'zod'
import { asAdmin } from '../../identity/administration.ts'
import { datetimeString } from '../../kernel/fields.ts'
import { notFound } from '../../kernel/refusal.ts'
import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { scimUrl } from '../../sso/scim/present.ts'
import { issueScimToken, requireScimToken, revokeScimToken } from '../../sso/scim/tokens.ts'
import { endpoint, recordChange, type ServerEndpoint } from '../web/endpoint.ts'
import { ownProvider } from './settings-requests.ts'

const create = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/providers/:id/scim-tokens',
  name: 'create_scim_token',
  about:
    'administrators: 201 with a `token`, shown only once, with which the provider creates and deactivates people at `url` (SCIM)',
  input: { name: z.string().max(200), expires_at: datetimeString().optional() },
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), token: z.string(), url: z.string() }),
  async handle({ name, expires_at }, request) {
    const { app, actor } = request
    const issuedToken = await asAdmin(app, actor, async () => {
      const provider = await ownProvider(request, app.store.write)
      const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at)
      const issued = await issueScimToken(app, provider, { name, expiresAt, createdBy: actor.id })
      const loggedArguments = { provider: provider.id, token: issued.id }
      await recordChange(request, loggedArguments)
      return issued
    })
    return new EndpointReply(
      { id: issuedToken.id, token: issuedToken.token, url: scimUrl(app.baseUrl) },
      { status: 201 },
    )
  },
})

const revoke = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/scim-tokens/:id/revoke',
  name: 'revoke_scim_token',
  about: 'administrators: ends a SCIM token; the next request with it is refused',
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), revoked: z.literal(true) }),
  async handle(_, request) {
    const { app, actor, params } = request
    const id = await asAdmin(app, actor, async () => {
      const row = await requireScimToken(app.store.write, params.id ?? '')
      if (row.org_id !== actor.org_id) throw notFound('SCIM token', 'id')
      if (await revokeScimToken(app, row)) await recordChange(request, { token: row.id })
      return row.id
    })
    return { id, revoked: true as const }
  },
})

export const scimTokenEndpoints: readonly ServerEndpoint[] = [create, revoke]
