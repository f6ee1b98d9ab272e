import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { App } from '../operations/app.ts'
import { notFound, invalid } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { hashPassword } from '../keys/argon.ts'
import { checkPassword } from './passwords.ts'
import { signOutEverywhere } from './people.ts'
import { NotSignedIn } from '../keys/verify.ts'
import { clearFailures, sessionSubject } from './failures.ts'
import type { SessionFrom, SignedInPerson } from './sessions.ts'
import { checkOwnPassword, startSession, type SignedIn } from './sign-in.ts'

/** Records that the person has just entered their password. @returns the time */
export async function verifyOwnPassword(
  app: App,
  { actor, session }: SignedInPerson,
  password: string,
  from: ActionOrigin,
): Promise<number> {
  const attempt = await checkOwnPassword(
    app,
    sessionSubject(session.id),
    await userRowOf(app, actor.id),
    password,
  )
  return app.store.writer.run(async () => {
    const now = app.clock.now()
    await app.keys.recheck(actor)
    await clearFailures(app.store, attempt)
    await app.store.write
      .updateTable('web_sessions')
      .set({ verified_at: now })
      .where('id', '=', session.id)
      .execute()
    await recordAction(app.store, {
      ...from,
      tool: 'verify_password',
      route: 'POST /web/verify',
      kind: 'write',
      via: 'web',
      at: now,
      org_id: actor.org_id,
      actor_id: actor.id,
      items: [],
    })
    return now
  })
}

export interface NewPassword extends SessionFrom {
  password: string
  new_password: string
  device: string | undefined
  from: ActionOrigin
}

/**
 * Changes the person's own password. All other sessions end, and this one continues under a new cookie. @throws
 * Refusal
 */
export async function changePassword(
  app: App,
  signed: SignedInPerson,
  input: NewPassword,
): Promise<SignedIn> {
  const { store, clock, keys } = app
  const { actor, session } = signed
  checkPassword(input.new_password, 'new_password')
  const person = await userRowOf(app, actor.id)
  const trying = await checkOwnPassword(app, sessionSubject(session.id), person, input.password)
  if (input.new_password === input.password)
    throw invalid('new_password', 'this is your current password.')
  const password_hash = await hashPassword(input.new_password)
  return store.writer.run(async () => {
    const now = clock.now()
    await keys.recheck(actor)
    const current = await store.write
      .selectFrom('users')
      .select(['password_hash', 'revision'])
      .where('id', '=', actor.id)
      .executeTakeFirstOrThrow()
    if (current.password_hash !== person.password_hash) throw new NotSignedIn() // it was changed elsewhere meanwhile, which ended this session
    await clearFailures(store, trying)
    await store.write
      .updateTable('users')
      .set({ password_hash, revision: current.revision + 1, updated_at: now })
      .where('id', '=', actor.id)
      .execute()
    await signOutEverywhere(store, actor.id)
    const items = [{ type: 'person', id: actor.id }]
    await recordAction(store, {
      ...input.from,
      tool: 'change_password',
      route: 'POST /web/password',
      kind: 'write',
      via: 'web',
      at: now,
      org_id: actor.org_id,
      actor_id: actor.id,
      items,
    })
    return startSession(app, now, actor, { ...input, session: undefined })
  })
}

async function userRowOf(app: App, id: Row<'users'>['id']): Promise<Row<'users'>> {
  const person = await app.store.read
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!person) throw notFound('person')
  return person
}
