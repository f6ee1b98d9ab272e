import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import { recordAct } from '../../audit/act.ts'
import type { App } from '../../operations/app.ts'
import { isId, type Id } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import { iso } from '../../kernel/time/times.ts'
import {
  freshTime,
  isFresh,
  sessionsOf,
  type Session,
  type Signed,
} from '../../identity/sessions.ts'
import { idleTime } from '../../kernel/time/session-times.ts'
import type { SignedIn } from '../../identity/sign-in.ts'
import { action, openAction, type Action, type ActionResult, type Visit } from './action.ts'
import { cookieIn, signedInHeaders, signedOutHeaders } from './cookies.ts'

const signIn = openAction({
  method: 'POST',
  path: '/web/sign-in',
  tool: 'sign_in',
  takes: { email: z.string().min(1).max(320), password: z.string().min(1).max(1000) },
  records: true,
  async work({ app, signIns, incoming, from, signed }, { email, password }) {
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

const signOut = openAction({
  method: 'POST',
  path: '/web/sign-out',
  tool: 'sign_out',
  records: true,
  async work(visit) {
    if (visit.signed) await end(visit, visit.signed, visit.signed.session.id, 'sign_out')
    return { value: { signed_in: false }, headers: signedOutHeaders(visit.incoming.isSecure) }
  },
})

const getSession = openAction({
  method: 'GET',
  path: '/web/session',
  tool: 'get_session',
  work: async ({ app, signed }) => ({
    value: signed ? await stateOf(app, signed) : { signed_in: false },
  }),
})

const listSessions = action({
  method: 'GET',
  path: '/web/sessions',
  tool: 'list_sessions',
  async work({ app, signed }) {
    const all = await sessionsOf(app.store, app.clock.now(), signed.actor.id)
    return {
      value: {
        items: all.map((row) => ({
          ...shownSession(row, app.clock.now()),
          is_current: row.id === signed.session.id,
        })),
      },
    }
  },
})

const endSession = action({
  method: 'POST',
  path: '/web/sessions/:id/revoke',
  tool: 'end_session',
  records: true,
  work: async (visit): Promise<ActionResult> => ({
    value: await end(visit, visit.signed, visit.params.id ?? '', 'end_session'),
  }),
})

export const sessionActions: readonly Action[] = [
  signIn,
  signOut,
  getSession,
  listSessions,
  endSession,
]

async function end(
  { app: { store, clock }, from }: Visit,
  { actor }: Signed,
  id: string,
  tool: 'sign_out' | 'end_session',
): Promise<{ id: string; ended: true }> {
  await store.writer.run(async () => {
    const known =
      isId('wss', id) &&
      (await store.write
        .selectFrom('web_sessions')
        .select('id')
        .where('id', '=', id as Id<'web_sessions'>)
        .where('person_id', '=', actor.id)
        .executeTakeFirst())
    if (!known && tool === 'sign_out') return // ended already, elsewhere
    if (!known) throw notFound('session', 'id')
    await store.write.deleteFrom('web_sessions').where('id', '=', known.id).execute()
    const route = tool === 'sign_out' ? 'POST /web/sign-out' : 'POST /web/sessions/{id}/revoke'
    recordAct(store, {
      ...from,
      tool,
      route,
      kind: 'write',
      via: 'web',
      at: clock.now(),
      org_id: actor.org_id,
      actor_id: actor.id,
      items: [{ type: 'session', id: known.id }],
    })
  })
  return { id, ended: true }
}

async function personOf(
  { store }: App,
  session: Session,
): Promise<
  Pick<Signed['actor'], 'id' | 'org_id' | 'email' | 'display_name' | 'role' | 'timezone'>
> {
  return store.read
    .selectFrom('users')
    .select(['id', 'org_id', 'email', 'display_name', 'role', 'timezone'])
    .where('id', '=', session.person_id as Id<'users'>)
    .executeTakeFirstOrThrow()
}

/** What a browser gets with which somebody has just signed in. */
export async function signedInOutcome(
  app: App,
  done: SignedIn,
  isSecure: boolean,
): Promise<ActionResult> {
  return {
    value: await stateOf(app, { actor: await personOf(app, done.session), session: done.session }),
    headers: signedInHeaders(done, isSecure),
  }
}

/** Who is signed in, and how long. */
export async function stateOf(
  { store, clock }: App,
  { actor, session }: { actor: Awaited<ReturnType<typeof personOf>>; session: Session },
): Promise<Record<string, unknown>> {
  const org = await store.read
    .selectFrom('orgs')
    .select(['id', 'name'])
    .where('id', '=', actor.org_id)
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
    session: shownSession(session, clock.now()),
  }
}

function shownSession(session: Session, now: number): Record<string, unknown> {
  const { id, ip, client, created_at, last_used_at, expires_at, verified_at } = session
  return present({
    id,
    created_at: iso(created_at),
    last_used_at: iso(last_used_at),
    ends_at: iso(Math.min(expires_at, last_used_at + idleTime)),
    expires_at: iso(expires_at),
    password_holds_until: isFresh(session, now) ? iso(verified_at + freshTime) : undefined,
    ip,
    client,
  })
}
