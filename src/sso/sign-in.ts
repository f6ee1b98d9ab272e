import { recordAction } from '../audit/act.ts'
import type { SignedInPerson } from '../identity/sessions.ts'
import { verificationLifetime } from '../identity/sessions.ts'
import { startSession, type SignedIn, type SignInFrom } from '../identity/sign-in.ts'
import { NotSignedIn } from '../keys/verify.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import { mustLinkFirst, linkIdentity, resolvePerson } from './accounts.ts'
import { parsePerson, type ProviderPerson } from './claims.ts'
import { ProviderClient } from './client.ts'
import { applyGroups } from './groups.ts'
import { requireProvider, type Provider } from './providers.ts'
import { groupNamesOfPerson } from './scim/access-groups.ts'
import { storeIdToken } from './id-tokens.ts'
import {
  createSsoRequest,
  safeReturnPath,
  consumeSsoRequest,
  type NewSsoRequest,
} from './requests.ts'

const clockSlackMs = 60_000

export type SsoOutcome =
  | { kind: 'signed in'; done: SignedIn; returnTo: string }
  | { kind: 'link first'; provider: Provider; returnTo: string }
  | { kind: 'linked' | 'verified'; returnTo: string }

/** A browser that returns from a provider. */
export interface ProviderReturn extends SignInFrom {
  /** The address of the redirect, with the provider's response in the query. */
  query: string
  currentSession: SignedInPerson | undefined
}

/** Sign-in with identity providers: redirects browsers there, and opens sessions on their return. */
export class SsoSignIns {
  readonly #app: App
  readonly #client: ProviderClient

  constructor(app: App) {
    this.#app = app
    this.#client = new ProviderClient(app)
  }

  /** Starts a sign-in and returns the URL for the browser. @throws Refusal not_found, provider_error */
  async start(providerId: string, request: NewSsoRequest): Promise<URL> {
    const { store, clock, baseUrl } = this.#app
    const provider = await requireProvider(store.read, providerId)
    const returnTo = safeReturnPath(baseUrl, request.returnTo)
    const proofs = await createSsoRequest(store, clock.now(), provider, { ...request, returnTo })
    return this.#client.authorizationUrl(provider, this.#callback(provider), {
      proofs,
      forceLogin: request.purpose === 'verify',
    })
  }

  /** Returns the URL that signs the person out at the provider, too; undefined if it has none. @throws Refusal */
  async signOutUrl(providerId: string): Promise<URL | undefined> {
    const { store, baseUrl } = this.#app
    const provider = await requireProvider(store.read, providerId)
    return this.#client.endSessionUrl(provider, signedOutUrl(baseUrl))
  }

  /** Completes a sign-in, once. @throws Refusal with a message for the person */
  async finish(providerId: string, returned: ProviderReturn): Promise<SsoOutcome> {
    const { store, clock } = this.#app
    const provider = await requireProvider(store.read, providerId)
    const { request, proofs } = await consumeSsoRequest(store, clock.now(), provider, {
      state: new URLSearchParams(returned.query).get('state') ?? '',
      device: returned.device ?? '',
    })
    const callbackWithResponse = new URL(this.#callback(provider) + returned.query)
    const forceLogin = request.purpose === 'verify'
    const { claims, idToken } = await this.#client.redeem(provider, callbackWithResponse, {
      proofs,
      forceLogin,
    })
    const providerPerson = parsePerson(provider, claims)
    if (request.purpose === 'sign_in')
      return this.#signIn(provider, providerPerson, { request, returned, idToken })
    return request.purpose === 'link'
      ? this.#link(provider, providerPerson, { request, returned })
      : this.#verify(provider, providerPerson, { request, returned })
  }

  async #signIn(
    provider: Provider,
    who: ProviderPerson,
    { request, returned, idToken }: SsoReturn & { idToken: string | undefined },
  ): Promise<SsoOutcome> {
    const { store, clock } = this.#app
    const { return_to: returnTo } = request
    const person = await store.writer.run(() =>
      resolvePerson(this.#app, provider, who, returned.from),
    )
    if (person === mustLinkFirst) return { kind: 'link first', provider, returnTo }
    const groups = (await groupNamesOfPerson(store.read, provider, person.id)) ?? who.groups
    await applyGroups(this.#app, provider, person, { groups, from: returned.from })
    const done = await store.writer.run(async () => {
      const now = clock.now()
      const currentPerson = await store.write
        .selectFrom('users')
        .select(['id', 'org_id', 'status'])
        .where('id', '=', person.id)
        .executeTakeFirst()
      if (currentPerson?.status !== 'active') throw new NotSignedIn()
      const providerSession = {
        provider_id: provider.id,
        provider_subject: who.subject,
        provider_sid: who.sid ?? null,
        // A session at the provider may be old: it counts as recently verified only if the provider sends the time.
        verified_at: Math.min(now, who.authenticatedAt ?? now - verificationLifetime),
      }
      const signedIn = await startSession(this.#app, now, currentPerson, {
        ...returned,
        provider: providerSession,
      })
      await storeIdToken(this.#app, now, signedIn.session, idToken)
      return signedIn
    })
    return { kind: 'signed in', done, returnTo }
  }

  async #link(
    provider: Provider,
    who: ProviderPerson,
    { request, returned }: SsoReturn,
  ): Promise<SsoOutcome> {
    const { store, clock } = this.#app
    await store.writer.run(async () => {
      const { actor } = requireSameSession(returned, request)
      if (actor.org_id !== provider.org_id) throw notLinkedRefusal(provider)
      await linkIdentity(this.#app, provider, who, actor)
      await recordAction(store, {
        ...returned.from,
        tool: 'link_sso_identity',
        route: 'GET /web/sso/{id}/callback',
        kind: 'write',
        via: 'web',
        at: clock.now(),
        org_id: actor.org_id,
        actor_id: actor.id,
        items: [{ type: 'person', id: actor.id }],
        arguments: { provider: provider.id },
      })
    })
    return { kind: 'linked', returnTo: request.return_to }
  }

  async #verify(
    provider: Provider,
    who: ProviderPerson,
    { request, returned }: SsoReturn,
  ): Promise<SsoOutcome> {
    const { store, clock } = this.#app
    // auth_time is real time, like Date.now(), whereas the app's clock may differ: only the elapsed time is taken from it.
    const startedAt = Date.now() - (clock.now() - request.created_at)
    if (who.authenticatedAt === undefined || who.authenticatedAt < startedAt - clockSlackMs)
      throw new Refusal(
        'password_required',
        `${provider.name} did not ask you to sign in again.`,
        'Use a password or a passkey instead.',
      )
    await store.writer.run(async () => {
      const { actor, session } = requireSameSession(returned, request)
      const identity = await store.write
        .selectFrom('sso_identities')
        .select('person_id')
        .where('provider_id', '=', provider.id)
        .where('subject', '=', who.subject)
        .executeTakeFirst()
      if (identity?.person_id !== actor.id) throw notLinkedRefusal(provider)
      const now = clock.now()
      await store.write
        .updateTable('web_sessions')
        .set({ verified_at: now })
        .where('id', '=', session.id)
        .execute()
      await recordAction(store, {
        ...returned.from,
        tool: 'verify_sso',
        route: 'GET /web/sso/{id}/callback',
        kind: 'write',
        via: 'web',
        at: now,
        org_id: actor.org_id,
        actor_id: actor.id,
        items: [{ type: 'session', id: session.id }],
      })
    })
    return { kind: 'verified', returnTo: request.return_to }
  }

  #callback({ id }: Provider): string {
    return callbackUrl(this.#app.baseUrl, id)
  }
}

/** Redirect address registered with the provider. */
export function callbackUrl(baseUrl: string, providerId: string): string {
  return `${baseUrl}/web/sso/${providerId}/callback`
}

/** Address to which the provider redirects after sign-out. */
export function signedOutUrl(baseUrl: string): string {
  return `${baseUrl}/sign-in`
}

/** Address at which the provider reports sign-outs (back-channel logout). */
export function backchannelUrl(baseUrl: string, providerId: string): string {
  return `${baseUrl}/sso/${providerId}/backchannel-logout`
}

interface SsoReturn {
  request: Row<'sso_requests'>
  returned: ProviderReturn
}

function requireSameSession(
  { currentSession }: ProviderReturn,
  request: Row<'sso_requests'>,
): SignedInPerson {
  if (currentSession && currentSession.session.id === request.session_id) return currentSession
  throw new Refusal(
    'conflict',
    'You are not signed in as you were when this began.',
    'Sign in and start again.',
  )
}

function notLinkedRefusal({ name }: Provider): Refusal {
  return new Refusal('permission_denied', `This account of ${name} is not connected with yours.`)
}
