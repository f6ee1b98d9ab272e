// Single sign-on settings for administrators in the web app.

import { z } from 'zod'
import { asAdmin, requireAdmin } from '../../identity/administration.ts'
import type { Id } from '../../kernel/ids.ts'
import { omitUndefined } from '../../kernel/present.ts'
import { notFound } from '../../kernel/refusal.ts'
import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { ProviderClient } from '../../sso/client.ts'
import { callbackUrl } from '../../sso/sign-in.ts'
import { setEmergencyAccount, setProviderOnly } from '../../sso/policy.ts'
import {
  deleteProvider,
  insertProvider,
  requireProvider,
  validateRules,
  replaceRules,
  updateProvider,
} from '../../sso/providers.ts'
import { endpoint, recordChange, type ServerEndpoint } from '../web/endpoint.ts'
import { accountSettings, ownProvider } from './settings-requests.ts'
import { presentProvider, presentSettings } from './settings-answers.ts'
import { providerFields, SsoProviderSettings, SsoSettings } from './settings-shapes.ts'

/** Each check asks the provider for its metadata. */
const checkQuota = { perMinute: 20, burst: 20 }

const read = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/sso/settings',
  name: 'get_sso_settings',
  about:
    'administrators: the identity providers with all their settings, emergency accounts, and whether people sign in at a provider only',
  output: SsoSettings,
  handle(_, { app, signed: { actor } }) {
    requireAdmin(actor)
    return presentSettings(app, actor.org_id)
  },
})

const { name, client_id, client_secret, ...otherFields } = providerFields

const add = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/providers',
  name: 'add_sso_provider',
  about: 'administrators: adds an identity provider; 201 with the redirect address to enter there',
  input: {
    name: name.unwrap(),
    client_id: client_id.unwrap(),
    client_secret: client_secret.unwrap(),
    issuer: z.string().max(600),
    ...otherFields,
  },
  logsItself: 'success',
  output: SsoProviderSettings,
  async handle(input, request) {
    const { app, actor } = request
    const providerId = await asAdmin(app, actor, async () => {
      const provider = await insertProvider(app, actor.org_id, {
        ...accountSettings(input),
        name: input.name,
        issuer: input.issuer,
        clientId: input.client_id,
        clientSecret: input.client_secret,
      })
      if (input.rules)
        await replaceRules(app, provider, await validateRules(app.store, provider, input.rules))
      await recordChange(request, { provider: provider.id, name: provider.name })
      return provider.id
    })
    const value = await presentProvider(app, await requireProvider(app.store.read, providerId))
    return new EndpointReply(value, { status: 201 })
  },
})

const update = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/providers/:id',
  name: 'update_sso_provider',
  about:
    'administrators: changes settings of a provider; omitted ones stay, including the client secret. The issuer cannot change: another issuer is another provider',
  input: providerFields,
  logsItself: 'success',
  output: SsoProviderSettings,
  async handle({ rules, ...fields }, request) {
    const { app, actor } = request
    const id = await asAdmin(app, actor, async () => {
      const provider = await ownProvider(request, app.store.write)
      await updateProvider(app, provider, {
        ...accountSettings(fields),
        ...omitUndefined({
          name: fields.name,
          clientId: fields.client_id,
          clientSecret: fields.client_secret,
        }),
      })
      if (rules) await replaceRules(app, provider, await validateRules(app.store, provider, rules))
      const changed = Object.keys({ ...fields, ...(rules ? { rules } : {}) })
      await recordChange(request, { provider: provider.id, changed })
      return provider.id
    })
    return presentProvider(app, await requireProvider(app.store.read, id))
  },
})

const remove = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/providers/:id/remove',
  name: 'remove_sso_provider',
  about:
    'administrators: removes a provider with its SCIM tokens; accounts stay, and sessions that began with it end',
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), removed: z.literal(true) }),
  async handle(_, request) {
    const { app, actor } = request
    const id = await asAdmin(app, actor, async () => {
      const provider = await ownProvider(request, app.store.write)
      await deleteProvider(app, provider)
      await recordChange(request, { provider: provider.id })
      return provider.id
    })
    return { id, removed: true as const }
  },
})

const check = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/sso/providers/:id/check',
  name: 'check_sso_provider',
  about:
    'administrators: tests every part of a sign-in at a provider that needs no person; `unchecked` lists what only a sign-in can show',
  output: z.strictObject({
    issuer: z.string(),
    algorithms: z.array(z.string()),
    keys: z.int(),
    client_auth: z.string().nullable(),
    unchecked: z.array(z.string()),
  }),
  async handle(_, request) {
    const { app, actor } = request
    requireAdmin(actor)
    request.spend('sso checks', checkQuota)
    const provider = await ownProvider(request, app.store.read)
    const { metadata, keys, clientAuth, unchecked } = await new ProviderClient(app).inspect(
      provider,
      callbackUrl(app.baseUrl, provider.id),
    )
    return {
      issuer: metadata.issuer,
      algorithms: metadata.id_token_signing_alg_values_supported ?? [],
      keys,
      client_auth: clientAuth ?? null,
      unchecked,
    }
  },
})

const setOnly = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/only',
  name: 'set_sso_only',
  about:
    'administrators: whether people sign in at a provider only, except for emergency accounts, of which one has to be an administrator',
  input: { only: z.boolean() },
  logsItself: 'success',
  output: z.strictObject({ only: z.boolean() }),
  async handle({ only }, request) {
    const { app, actor } = request
    await asAdmin(app, actor, async (now) => {
      if (await setProviderOnly(app.store, now, actor.org_id, only))
        await recordChange(request, { only })
    })
    return { only }
  },
})

const setEmergency = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/emergency',
  name: 'set_emergency_account',
  about:
    'administrators: whether a person may sign in with a password or a passkey while others sign in at a provider only',
  input: { person_id: z.string().max(40), emergency: z.boolean() },
  logsItself: 'success',
  output: z.strictObject({ person_id: z.string(), emergency: z.boolean() }),
  async handle({ person_id, emergency }, request) {
    const { app, actor } = request
    await asAdmin(app, actor, async (now) => {
      const person = await app.store.write
        .selectFrom('users')
        .select(['id', 'org_id'])
        .where('org_id', '=', actor.org_id)
        .where('id', '=', person_id as Id<'users'>)
        .executeTakeFirst()
      if (!person) throw notFound('person', 'person_id')
      await setEmergencyAccount(app.store, now, person, emergency)
      await recordChange(request, { person: person.id, emergency })
    })
    return { person_id, emergency }
  },
})

export const ssoSettingsEndpoints: readonly ServerEndpoint[] = [
  read,
  add,
  update,
  remove,
  check,
  setOnly,
  setEmergency,
]
