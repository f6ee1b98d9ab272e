// Settings for administrators in the web app about the hosts to which answers to programs are sent.

import { z } from 'zod'
import { asAdmin, requireAdmin } from '../../identity/administration.ts'
import { iso } from '../../kernel/time/times.ts'
import {
  listCallbackHosts,
  parseCallbackHost,
  setCallbackHostPolicy,
} from '../../oauth/callback-hosts.ts'
import { endpoint, recordChange, type ServerEndpoint } from '../web/endpoint.ts'
import { requireSoleOrganization } from './client-settings.ts'
import { CallbackHost, programPolicy } from './shapes.ts'

const list = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/oauth/hosts',
  name: 'list_oauth_callback_hosts',
  about:
    'administrators: the hosts about which something is decided, `items`, by name. They are those of the instance, as programs are',
  output: z.strictObject({ items: z.array(CallbackHost) }),
  async handle(_, { app, signed: { actor } }) {
    requireAdmin(actor)
    await requireSoleOrganization(app, actor)
    const items = (await listCallbackHosts(app.store)).map((row) => ({
      ...row,
      created_at: iso(row.created_at),
    }))
    return { items }
  },
})

const decide = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/oauth/hosts/policy',
  name: 'set_oauth_callback_host_policy',
  about:
    'administrators: allows or refuses a host to which answers to programs go, or lets the settings decide again (`default`). An allowed host counts as a known one; at a refused one nothing can be connected, and connections that were get no more tokens',
  input: { host: z.string().min(1).max(255), policy: programPolicy },
  logsItself: 'success',
  output: z.strictObject({ host: z.string(), policy: programPolicy }),
  async handle({ host: text, policy }, request) {
    const { app, actor } = request
    requireAdmin(actor)
    const host = parseCallbackHost(text)
    await requireSoleOrganization(app, actor)
    await asAdmin(app, actor, async (now) => {
      await setCallbackHostPolicy(app.store, now, host, policy)
      await recordChange(request, { host, policy })
    })
    return { host, policy }
  },
})

export const callbackHostEndpoints: readonly ServerEndpoint[] = [list, decide]
