// Invitations by link: an administrator makes one, and whoever has the link joins the organization with it, once.

import { present } from '../kernel/present.ts'
import { recordAct, type ActFrom } from '../audit/act.ts'
import type { Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import { isId, newId, type Id } from '../kernel/ids.ts'
import { invalid, notFound, Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { mixedScriptsNote } from '../kernel/text/scripts.ts'
import { iso } from '../kernel/time/times.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { Kysely } from 'kysely'
import type { Store } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { hashPassword } from '../keys/argon.ts'
import { checkPassword } from './passwords.ts'
import { checkEmail, checkPerson, insertPerson, type Role } from './people.ts'
import { checkMembers } from '../limits/plan.ts'
import { asAdmin, byLink, demandAdmin } from './administration.ts'
import type { SessionFrom } from './sessions.ts'
import { openFor, type SignedIn, type SignInRequest } from './sign-in.ts'
import { isProviderOnly } from './sign-in-policy.ts'
import { tokenHash, isToken, newToken } from './tokens.ts'

const lasts = 7 * 24 * 3600_000
const mostOpen = 500
const mostMails = 5
const forgottenAfter = 365 * 24 * 3600_000

/** The job that mails an invitation; modules/people/people/delivery.ts runs it. */
export const invitationJob = 'mail_invitation'

export const invitationStates = ['pending', 'used', 'expired', 'revoked'] as const
export type InvitationState = (typeof invitationStates)[number]

/** An invitation with what lists show of people. */
export interface ListedInvitation extends Row<'invitations'> {
  inviter: string
  person_name: string | null
  person_email: string | null
}

export function invitationState(
  {
    used_at,
    revoked_at,
    expires_at,
  }: Pick<Row<'invitations'>, 'used_at' | 'revoked_at' | 'expires_at'>,
  now: number,
): InvitationState {
  if (used_at !== null) return 'used'
  if (revoked_at !== null) return 'revoked'
  return expires_at <= now ? 'expired' : 'pending'
}

function listed(db: Store['read']) {
  return db
    .selectFrom('invitations')
    .innerJoin('users as maker', 'maker.id', 'invitations.created_by')
    .leftJoin('users as made', 'made.id', 'invitations.used_by')
    .selectAll('invitations')
    .select([
      'maker.display_name as inviter',
      'made.display_name as person_name',
      'made.email as person_email',
    ])
}

/** Invitations of an organization, the newest first; behind the one `after`, where there is one. */
export function listInvitations(
  store: Store,
  now: number,
  of: {
    org: Id<'orgs'>
    state?: InvitationState | undefined
    after?: string | undefined
    limit: number
  },
): Promise<ListedInvitation[]> {
  let found = listed(store.read).where('invitations.org_id', '=', of.org)
  if (of.after !== undefined)
    found = found.where('invitations.id', '<', of.after as Id<'invitations'>)
  if (of.state === 'used') found = found.where('invitations.used_at', 'is not', null)
  if (of.state === 'revoked') found = found.where('invitations.revoked_at', 'is not', null)
  if (of.state === 'pending' || of.state === 'expired')
    found = found
      .where('invitations.used_at', 'is', null)
      .where('invitations.revoked_at', 'is', null)
      .where('invitations.expires_at', of.state === 'pending' ? '>' : '<=', now)
  return found.orderBy('invitations.id', 'desc').limit(of.limit).execute()
}

/** One of an organization. @throws Refusal not_found */
export async function demandInvitation(
  db: Store['read'],
  org: Id<'orgs'>,
  id: string,
): Promise<ListedInvitation> {
  const found = isId('inv', id)
    ? await listed(db)
        .where('invitations.org_id', '=', org)
        .where('invitations.id', '=', id as Id<'invitations'>)
        .executeTakeFirst()
    : undefined
  if (!found) throw notFound('invitation', 'id')
  return found
}

export interface NewInvitation {
  email?: string | undefined
  role: Role
  note?: string | undefined
  from: ActFrom
}

/** Makes an invitation. The token is for whoever is invited alone, and shown once. @throws Refusal */
export async function makeInvitation(
  app: App,
  actor: Actor,
  { email: given, role, note, from }: NewInvitation,
): Promise<{ id: Id<'invitations'>; token: string }> {
  const email = given?.trim().toLowerCase()
  if (email !== undefined) checkEmail(email)
  return asAdmin(app, actor, async (now) => {
    const { store, settings } = app
    const { write } = store
    await write
      .deleteFrom('invitations')
      .where('org_id', '=', actor.org_id)
      .where('expires_at', '<', now - forgottenAfter)
      .execute()
    if (email !== undefined) await demandNoColleague(store, actor.org_id, email)
    await demandRoom(store, actor.org_id, now)
    await checkMembers(store.write, actor.org_id, settings)
    const id = newId<'invitations'>('inv', now)
    const nothing = {
      mail: 'none',
      mails: 0,
      mailed_at: null,
      mail_problem: null,
      used_at: null,
      used_by: null,
      revoked_at: null,
      revoked_by: null,
    } as const
    await write
      .insertInto('invitations')
      .values({
        ...nothing,
        id,
        org_id: actor.org_id,
        email: email ?? null,
        role,
        note: note?.trim() || null,
        created_at: now,
        created_by: actor.id,
        expires_at: now + lasts,
      })
      .execute()
    await record(app, now, actor, from, 'create_invitation', 'POST /web/invitations', id, { role })
    return { id, token: await addLink(write, now, { id, org_id: actor.org_id }) }
  })
}

/** A new token for an invitation, beside those that it has; inside a job of the writer. */
export async function addLink(
  db: Kysely<Tables>,
  now: number,
  { id, org_id }: Pick<Row<'invitations'>, 'id' | 'org_id'>,
): Promise<string> {
  const token = newToken()
  await db
    .insertInto('invitation_links')
    .values({ token_hash: tokenHash(token), org_id, invitation_id: id, created_at: now })
    .execute()
  return token
}

export function linkOf(baseUrl: string, token: string): string {
  return `${baseUrl}/invite/${token}`
}

/** Ends an invitation that nobody has used. @throws Refusal */
export async function revokeInvitation(
  app: App,
  actor: Actor,
  id: string,
  from: ActFrom,
): Promise<ListedInvitation> {
  return asAdmin(app, actor, async (now) => {
    const { write } = app.store
    const row = await demandInvitation(write, actor.org_id, id)
    if (row.used_at !== null)
      throw new Refusal(
        'conflict',
        'This invitation was already used.',
        `Deactivate ${row.person_name ?? 'the person'} instead.`,
      )
    if (row.revoked_at === null)
      await write
        .updateTable('invitations')
        .set({ revoked_at: now, revoked_by: actor.id })
        .where('id', '=', row.id)
        .execute()
    await record(
      app,
      now,
      actor,
      from,
      'revoke_invitation',
      'POST /web/invitations/{id}/revoke',
      row.id,
    )
    return demandInvitation(write, actor.org_id, id)
  })
}

/** Has an invitation sent to its address by the mail server of this workspace. @throws Refusal */
export async function sendInvitation(
  app: App,
  actor: Actor,
  id: string,
  from: ActFrom,
): Promise<ListedInvitation> {
  const { store, jobs } = app
  demandAdmin(actor)
  if (!canMail(app))
    throw new Refusal(
      'not_connected',
      'This workspace has no mail server.',
      'Pass the link on yourself, or ask the operator to set --mail-server.',
    )
  const sent = await asAdmin(app, actor, async (now) => {
    const { write } = store
    const row = await demandInvitation(write, actor.org_id, id)
    demandPending(row, now)
    if (row.email === null)
      throw new Refusal(
        'conflict',
        'This invitation has no address.',
        'Pass its link on yourself, or create another one with an address.',
      )
    if (row.mail !== 'waiting') {
      if (row.mails >= mostMails)
        throw new Refusal(
          'conflict',
          `This invitation was already emailed ${mostMails} times.`,
          'Make another one.',
        )
      await write
        .updateTable('invitations')
        .set({ mail: 'waiting', mails: row.mails + 1, mail_problem: null })
        .where('id', '=', row.id)
        .execute()
    }
    await jobs.add(
      write,
      now,
      invitationJob,
      { invitation_id: row.id },
      { org_id: actor.org_id, owner_id: actor.id, key_id: null },
      { uniqueKey: row.id, whileRunning: 'again' },
    )
    await record(
      app,
      now,
      actor,
      from,
      'send_invitation',
      'POST /web/invitations/{id}/send',
      row.id,
    )
    return demandInvitation(write, actor.org_id, id)
  })
  jobs.wake()
  return sent
}

export function canMail({ settings }: Pick<App, 'settings'>): boolean {
  return settings.mail_server !== '' && settings.mail_from !== ''
}

/** What a link opens, for whoever has it: also where it has ended, which they may know. @throws Refusal where it is wrong */
export async function lookByLink(
  app: App,
  token: string,
  ip: string,
): Promise<ListedInvitation & { organization: string }> {
  const row = await byLink(app, ip, () => linked(app.store.read, token))
  demandPending(row, app.clock.now())
  return row
}

function linked(db: Store['read'], token: string) {
  if (!isToken(token)) return Promise.resolve(undefined)
  return listed(db)
    .innerJoin('invitation_links', 'invitation_links.invitation_id', 'invitations.id')
    .innerJoin('orgs', 'orgs.id', 'invitations.org_id')
    .select('orgs.name as organization')
    .where('invitation_links.token_hash', '=', tokenHash(token))
    .executeTakeFirst()
}

export interface Acceptance
  extends SessionFrom,
    Pick<SignInRequest, 'device' | 'session' | 'from'> {
  token: string
  name: string
  /** Unset: the one of the invitation. */
  email?: string | undefined
  password: string
  /** Unset: the organization's. */
  timezone?: string | undefined
}

/** Makes a person of whoever has the link, and signs them in. @throws Refusal */
export async function acceptInvitation(app: App, given: Acceptance): Promise<SignedIn> {
  const { store, clock } = app
  const invitation = await lookByLink(app, given.token, given.ip)
  if (await isProviderOnly(store.read, invitation.org_id))
    throw new Refusal(
      'conflict',
      `${invitation.organization} signs in with its identity provider only.`,
      'Go to the sign-in page and use its button: the invitation counts for its address.',
    )
  const email = emailFor(invitation, given.email)
  checkPerson({ ...given, email })
  checkPassword(given.password)
  if (
    await store.read.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  )
    throw taken(app, given.ip)
  const passwordHash = await hashPassword(given.password)
  return store.writer.run(async () => {
    const now = clock.now()
    const row = await linked(store.write, given.token)
    if (!row) throw notFound('invitation', 'token')
    demandPending(row, now)
    const person = await join(app, now, row, { ...given, email, passwordHash })
    await store.write
      .updateTable('invitations')
      .set({ used_at: now, used_by: person, mail: row.mail === 'waiting' ? 'none' : row.mail })
      .where('id', '=', row.id)
      .execute()
    const items = [
      { type: 'person', id: person },
      { type: 'invitation', id: row.id },
    ]
    await recordAct(store, {
      ...given.from,
      session: undefined,
      tool: 'accept_invitation',
      route: 'POST /web/invitations/accept',
      kind: 'write',
      via: 'web',
      at: now,
      org_id: row.org_id,
      actor_id: person,
      items,
      arguments: { role: row.role },
    })
    await notifyPeople(store.write, now, row.org_id, [row.created_by], {
      kind: 'security',
      item: { type: 'person', id: person },
      actor: person,
      text: acceptedText(given.name.trim(), email),
    })
    return openFor(app, now, { id: person, org_id: row.org_id }, given)
  })
}

async function join(
  app: App,
  now: number,
  row: ListedInvitation,
  of: Acceptance & { email: string; passwordHash: string },
): Promise<Id<'users'>> {
  try {
    return await insertPerson(app.store, now, {
      ...of,
      org: row.org_id,
      role: row.role,
      plans: app.settings,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'conflict') throw taken(app, of.ip)
    if (error.code === 'plan_exceeded')
      throw new Refusal(
        'plan_exceeded',
        'The organization has reached its maximum number of people.',
        `Tell ${row.inviter}, who invited you.`,
      )
    throw error
  }
}

/** An invitation for a certain address holds for that one alone. */
function emailFor({ email }: Row<'invitations'>, given: string | undefined): string {
  const named = given?.trim().toLowerCase()
  if (email !== null && named !== undefined && named !== email)
    throw invalid('email', `this invitation is for ${email}.`)
  const of = email ?? named
  if (of === undefined) throw invalid('email', 'you need an address to sign in with.')
  return of
}

/** Who holds a good invitation has to know that an address cannot be had; but not to find out about many. */
function taken({ limits }: App, ip: string): Refusal {
  limits.addresses.failed(ip)
  return new Refusal('conflict', 'This address cannot be used for a new account.', {
    field: 'email',
    hint: 'If you already have an account here, sign in; otherwise use another address.',
  })
}

/** @throws Refusal conflict, saying why it holds no more */
function demandPending(row: ListedInvitation, now: number): void {
  const state = invitationState(row, now)
  if (state === 'pending') return
  const why = {
    used: 'was used already',
    revoked: 'was withdrawn',
    expired: `ended at ${iso(row.expires_at)}`,
  }[state]
  throw new Refusal('conflict', `This invitation ${why}.`, {
    hint:
      state === 'used'
        ? 'If you used it yourself, sign in.'
        : `Ask ${row.inviter} for another one.`,
    context: { state },
  })
}

async function demandNoColleague({ write }: Store, org: Id<'orgs'>, email: string): Promise<void> {
  const known = await write
    .selectFrom('users')
    .select(['display_name', 'status'])
    .where('org_id', '=', org)
    .where('email', '=', email)
    .executeTakeFirst()
  if (known)
    throw new Refusal(
      'conflict',
      `${known.display_name} already has this address in this organization.`,
      present({
        field: 'email',
        hint: known.status === 'active' ? undefined : 'Reactivate them instead.',
      }),
    )
}

async function demandRoom({ write }: Store, org: Id<'orgs'>, now: number): Promise<void> {
  const { open } = await write
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('org_id', '=', org)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (open >= mostOpen)
    throw new Refusal(
      'conflict',
      `There are ${mostOpen} open invitations.`,
      'Revoke some you do not need.',
    )
}

async function record(
  { store }: App,
  at: number,
  actor: Actor,
  from: ActFrom,
  tool: string,
  route: string,
  id: Id<'invitations'>,
  told: Record<string, unknown> = {},
): Promise<void> {
  await recordAct(store, {
    ...from,
    tool,
    route,
    kind: 'write',
    via: 'web',
    at,
    org_id: actor.org_id,
    actor_id: actor.id,
    items: [{ type: 'invitation', id }],
    arguments: told,
  })
}

/** For the inviter, who is asked to trust the name: where it mixes scripts, with the address. */
function acceptedText(name: string, email: string): string {
  const note = mixedScriptsNote(name)
  return note === undefined
    ? `${name} accepted your invitation`
    : `${name} (${email}) accepted your invitation. ${note}`
}
