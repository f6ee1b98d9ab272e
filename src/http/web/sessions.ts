import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { recordAction } from '../../audit/act.ts'
import type { App } from '../../operations/app.ts'
import { isId, type Id } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import { iso } from '../../kernel/time/times.ts'
import {
  endSessions,
  verificationLifetime,
  isRecentlyVerified,
  sessionsOf,
  type Session,
  type SignedInPerson,
} from '../../identity/sessions.ts'
import { maxIdleMs } from '../../kernel/time/session-times.ts'
import { findIdToken } from '../../sso/id-tokens.ts'
import type { SignedIn as NewSession } from '../../identity/sign-in.ts'
import { feedOf } from '../../operations/event-feed.ts'
import { shortcutsOf } from './shortcuts/stored.ts'
import { endpoint, type EndpointRequest, type ServerEndpoint } from './endpoint.ts'
import { ListedSessions, SignedIn, SignedOut, type WebSession } from './shapes/sessions.ts'
import { cookieIn, signedInHeaders, signedOutHeaders } from './cookies.ts'

const signIn = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/sign-in',
  name: 'sign_in',
  about: 'starts a session, replacing any previous one in this browser; sets its cookies',
  input: { email: z.string().min(1).max(320), password: z.string().min(1).max(1000) },
  logsItself: 'success',
  output: SignedIn,
  async handle({ email, password }, { app, signIns, incoming, from, signed }) {
    const { ip, isSecure } = incoming
    const device = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const done = await signIns.signIn({
      email,
      password,
      ip,
      client: incoming.header('user-agent'),
      device,
      session: signed?.session,
      from,
    })
    return signedInOutcome(app, done, isSecure)
  },
})

const signOut = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/sign-out',
  name: 'sign_out',
  about:
    'ends the session; clears the cache and storage of the pages. `provider`: the id of the identity provider that the session began with; `id_token_hint`: what it gave, for signing out there, too',
  logsItself: 'success',
  output: SignedOut.extend({
    provider: z.string().optional(),
    id_token_hint: z.string().optional(),
  }),
  async handle(_, request) {
    const { app, signed } = request
    const id_token_hint = signed && (await findIdToken(app, signed.session))
    if (signed) await endWebSession(request, signed, signed.session.id, 'sign_out')
    return new EndpointReply(
      {
        signed_in: false as const,
        ...omitNullish({ provider: signed?.session.provider_id, id_token_hint }),
      },
      { headers: signedOutHeaders(request.incoming.isSecure) },
    )
  },
})

const getSession = endpoint({
  for: 'anyone',
  method: 'GET',
  path: '/web/session',
  name: 'get_session',
  about:
    '`{"signed_in": false}`, or the signed-in person, the organization, the keys of commands that the person changed, the position of the events, and the expiry',
  output: z.union([SignedIn, SignedOut]),
  handle: async (_, { app, signed }) =>
    signed ? signedInState(app, signed) : { signed_in: false as const },
})

const listSessions = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/sessions',
  name: 'list_sessions',
  about: 'your sessions',
  output: ListedSessions,
  async handle(_, { app, signed }) {
    const all = await sessionsOf(app.store, app.clock.now(), signed.actor.id)
    return {
      items: all.map((row) => ({
        ...presentSession(row, app.clock.now()),
        is_current: row.id === signed.session.id,
      })),
    }
  },
})

const endSession = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/sessions/:id/revoke',
  name: 'end_session',
  about: 'ends one of them',
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), ended: z.literal(true) }),
  handle: async (_, request) =>
    endWebSession(request, request.signed, request.params.id ?? '', 'end_session'),
})

export const sessionEndpoints: readonly ServerEndpoint[] = [
  signIn,
  signOut,
  getSession,
  listSessions,
  endSession,
]

async function endWebSession(
  { app: { store, clock }, from }: EndpointRequest,
  { actor }: SignedInPerson,
  id: string,
  tool: 'sign_out' | 'end_session',
): Promise<{ id: string; ended: true }> {
  await store.writer.run(async () => {
    const sessionRow =
      isId('wss', id) &&
      (await store.write
        .selectFrom('web_sessions')
        .select('id')
        .where('id', '=', id as Id<'web_sessions'>)
        .where('person_id', '=', actor.id)
        .executeTakeFirst())
    if (!sessionRow && tool === 'sign_out') return // ended already, elsewhere
    if (!sessionRow) throw notFound('session', 'id')
    await endSessions(store, (eb) => eb('id', '=', sessionRow.id))
    const route = tool === 'sign_out' ? 'POST /web/sign-out' : 'POST /web/sessions/{id}/revoke'
    await recordAction(store, {
      ...from,
      tool,
      route,
      kind: 'write',
      via: 'web',
      at: clock.now(),
      org_id: actor.org_id,
      actor_id: actor.id,
      items: [{ type: 'session', id: sessionRow.id }],
    })
  })
  return { id, ended: true }
}

async function sessionPersonOf(
  { store }: App,
  session: Session,
): Promise<
  Pick<SignedInPerson['actor'], 'id' | 'org_id' | 'email' | 'display_name' | 'role' | 'timezone'>
> {
  return store.read
    .selectFrom('users')
    .select(['id', 'org_id', 'email', 'display_name', 'role', 'timezone'])
    .where('id', '=', session.person_id as Id<'users'>)
    .executeTakeFirstOrThrow()
}

/** Response to a browser right after sign-in. */
export async function signedInOutcome(
  app: App,
  done: NewSession,
  isSecure: boolean,
  status = 200,
): Promise<EndpointReply<z.infer<typeof SignedIn>>> {
  const { session } = done
  return new EndpointReply(
    await signedInState(app, { actor: await sessionPersonOf(app, session), session }),
    {
      status,
      headers: signedInHeaders(done, isSecure),
    },
  )
}

/** Signed-in person, and the remaining time of the session. */
export async function signedInState(
  { store, clock, catalogue }: App,
  { actor, session }: { actor: Awaited<ReturnType<typeof sessionPersonOf>>; session: Session },
): Promise<z.infer<typeof SignedIn>> {
  const feed = feedOf(catalogue)
  const position = await feed.position(store.read, actor.org_id)
  const { shortcuts_json, ...org } = await store.read
    .selectFrom('users')
    .innerJoin('orgs', 'orgs.id', 'users.org_id')
    .select(['orgs.id', 'orgs.name', 'users.shortcuts_json'])
    .where('users.id', '=', actor.id)
    .executeTakeFirstOrThrow()
  return {
    signed_in: true,
    person: {
      id: actor.id,
      name: actor.display_name,
      email: actor.email,
      role: actor.role,
      timezone: actor.timezone,
    },
    organization: org,
    since_cursor: feed.cursorAt(position),
    position,
    shortcuts: shortcutsOf(shortcuts_json),
    session: presentSession(session, clock.now()),
  }
}

function presentSession(session: Session, now: number): z.infer<typeof WebSession> {
  const { id, ip, client, created_at, last_used_at, expires_at, verified_at } = session
  return omitNullish({
    id,
    created_at: iso(created_at),
    last_used_at: iso(last_used_at),
    ends_at: iso(Math.min(expires_at, last_used_at + maxIdleMs)),
    expires_at: iso(expires_at),
    password_holds_until: isRecentlyVerified(session, now)
      ? iso(verified_at + verificationLifetime)
      : undefined,
    ip,
    client,
  })
}
