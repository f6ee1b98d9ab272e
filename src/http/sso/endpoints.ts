import { z } from 'zod'
import { recordAction } from '../../audit/act.ts'
import { isRemembered } from '../../identity/devices.ts'
import { isRecentlyVerified } from '../../identity/sessions.ts'
import { isProviderOnly } from '../../identity/sign-in-policy.ts'
import { isToken, newToken } from '../../identity/tokens.ts'
import { NotSignedIn } from '../../keys/verify.ts'
import { omitNullish } from '../../kernel/present.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { iso } from '../../kernel/time/times.ts'
import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { identitiesOf, removeIdentity } from '../../sso/identities.ts'
import { hasSeveralOrganizations, listProviders, requireProvider } from '../../sso/providers.ts'
import { requestLifetimeMs } from '../../sso/requests.ts'
import { browserHeaders, cookieIn } from '../web/cookies.ts'
import { endpoint, type EndpointRequest, type ServerEndpoint } from '../web/endpoint.ts'
import { SsoIdentity, SsoProvider } from './shapes.ts'

/** Each start may ask the provider for its metadata. */
const startQuota = { perMinute: 20, burst: 20 }

const list = endpoint({
  for: 'anyone',
  method: 'GET',
  path: '/web/sso/providers',
  name: 'list_sso_providers',
  about:
    'the identity providers of the sign-in page: `items` of `id`, `name`. An instance with several organizations does not list them all: only the one with the id `provider`, and those with the `domain` of an email address; `by_domain` is then true',
  input: { domain: z.string().max(254).optional(), provider: z.string().max(40).optional() },
  output: z.strictObject({ items: z.array(SsoProvider), by_domain: z.boolean() }),
  async handle({ domain, provider }, { app, signed }) {
    const all = await listProviders(app.store.read, signed?.actor.org_id)
    const isByDomain = !signed && all.length > 0 && (await hasSeveralOrganizations(app.store.read))
    const wanted = domain?.toLowerCase()
    const providers = isByDomain
      ? all.filter(
          (row) => row.id === provider || row.domains.some((ownDomain) => ownDomain === wanted),
        )
      : all
    return { items: providers.map(({ id, name }) => ({ id, name })), by_domain: isByDomain }
  },
})

const start = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/sso/:id/start',
  name: 'start_sso',
  about:
    'where to send the browser to sign in at the provider (`location`), within 10 minutes. `link` connects the account there with the signed-in person, who has to have confirmed their password or passkey; `verify` confirms it by signing in there again. `to`: the page to return to',
  input: {
    purpose: z.enum(['sign_in', 'link', 'verify']).default('sign_in'),
    to: z.string().max(1000).optional(),
  },
  output: z.strictObject({ location: z.string() }),
  async handle({ purpose, to = '/' }, request) {
    const { app, ssoSignIns, incoming, params, signed } = request
    requireSession(request, purpose)
    app.limits.spending.take(incoming.ip, 'sso starts', startQuota)
    const { isSecure } = incoming
    const sentDevice = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const device = sentDevice !== undefined && isToken(sentDevice) ? sentDevice : newToken()
    const location = await ssoSignIns.start(params.id ?? '', {
      purpose,
      device,
      session: purpose === 'sign_in' ? undefined : signed?.session.id,
      returnTo: to,
    })
    app.meter?.recordSsoStep('start', purpose)
    const isKnown = await isRemembered(app.store.read, sentDevice)
    return new EndpointReply(
      { location: location.href },
      { headers: isKnown ? [] : browserHeaders(device, isSecure, requestLifetimeMs) },
    )
  },
})

const signOut = endpoint({
  for: 'anyone',
  method: 'GET',
  path: '/web/sso/:id/sign-out',
  name: 'find_sso_sign_out',
  about:
    'where a person who signed out here can sign out at the provider, too (`location`; absent where it has no such address). It sends them back to `/sign-in`',
  output: z.strictObject({ name: z.string(), location: z.string().optional() }),
  async handle(_, { app, ssoSignIns, incoming, params: { id = '' } }) {
    app.limits.spending.take(incoming.ip, 'sso starts', startQuota)
    const { name } = await requireProvider(app.store.read, id)
    const location = await ssoSignIns.signOutUrl(id)
    return { name, ...omitNullish({ location: location?.href }) }
  },
})

const identities = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/sso/identities',
  name: 'list_sso_identities',
  about:
    'your accounts at identity providers: `items` of `provider` (`id`, `name`), `email`, `created_at`, `last_used_at`',
  output: z.strictObject({ items: z.array(SsoIdentity) }),
  async handle(_, { app, signed }) {
    const rows = await identitiesOf(app.store.read, signed.actor.id)
    return {
      items: rows.map((row) => ({
        provider: { id: row.provider_id, name: row.name },
        email: row.email,
        created_at: iso(row.created_at),
        last_used_at: iso(row.used_at),
      })),
    }
  },
})

const disconnect = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/sso/identities/:id/remove',
  name: 'unlink_sso_identity',
  about: 'disconnects your account at the provider with this id; sessions that began with it end',
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), removed: z.literal(true) }),
  async handle(_, { app, signed: { actor }, from, params: { id = '' } }) {
    const { store, clock } = app
    await store.writer.run(async () => {
      if (await isProviderOnly(store.write, actor.org_id))
        throw new Refusal(
          'conflict',
          'Your organization signs in with its identity provider only.',
          'An administrator can disconnect your account.',
        )
      const provider = await requireProvider(store.write, id)
      if (!(await removeIdentity(store, actor, provider.id)))
        throw notFound('connected account', 'id')
      await recordAction(store, {
        ...from,
        tool: 'unlink_sso_identity',
        route: 'POST /web/sso/identities/{id}/remove',
        kind: 'write',
        via: 'web',
        at: clock.now(),
        org_id: actor.org_id,
        actor_id: actor.id,
        items: [{ type: 'person', id: actor.id }],
        arguments: { provider: id },
      })
    })
    return { id, removed: true as const }
  },
})

export const ssoEndpoints: readonly ServerEndpoint[] = [
  list,
  start,
  signOut,
  identities,
  disconnect,
]

/** @throws NotSignedIn, Refusal password_required */
function requireSession(
  { app, signed }: EndpointRequest,
  purpose: 'sign_in' | 'link' | 'verify',
): void {
  if (purpose === 'sign_in') return
  if (!signed) throw new NotSignedIn()
  if (purpose === 'link' && !isRecentlyVerified(signed.session, app.clock.now()))
    throw new Refusal('password_required', 'Confirm your password or passkey to continue.')
}
