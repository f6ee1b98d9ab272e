// Invitations by link: an administrator creates one, and its link lets one person join the organization once.

import type { Kysely } from 'kysely'
import { type ActionOrigin, recordAction } from '../audit/act.ts'
import type { Store } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import type { Actor } from '../kernel/actor.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { omitNullish } from '../kernel/present.ts'
import { Refusal } from '../kernel/refusal.ts'
import { checkMembers } from '../limits/plan.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import { asAdmin, requireAdmin } from './administration.ts'
import {
  type ListedInvitation,
  requireInvitation,
  requirePendingInvitation,
} from './invitations/states.ts'
import { type Role, checkEmail } from './people.ts'
import { newToken, tokenHash } from './tokens.ts'

const invitationLifetime = 7 * 24 * 3600_000
const maxOpen = 500
const maxMails = 5
const retentionMs = 365 * 24 * 3600_000

/** The job that mails an invitation; modules/people/people/delivery.ts runs it. */
export const invitationJob = 'mail_invitation'

export interface NewInvitation {
  email?: string | undefined
  role: Role
  note?: string | undefined
  from: ActionOrigin
}

/** Creates an invitation. The token is only for the invited person, and shown once. @throws Refusal */
export async function makeInvitation(
  app: App,
  actor: Actor,
  { email: enteredEmail, role, note, from }: NewInvitation,
): Promise<{ id: Id<'invitations'>; token: string }> {
  const email = enteredEmail?.trim().toLowerCase()
  if (email !== undefined) checkEmail(email)
  return asAdmin(app, actor, async (now) => {
    const { store, settings } = app
    const { write } = store
    await write
      .deleteFrom('invitations')
      .where('org_id', '=', actor.org_id)
      .where('expires_at', '<', now - retentionMs)
      .execute()
    if (email !== undefined) await requireUnusedEmail(store, actor.org_id, email)
    await requireInvitationRoom(store, actor.org_id, now)
    await checkMembers(store.write, actor.org_id, settings)
    const id = newId<'invitations'>('inv', now)
    const initialState = {
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
        ...initialState,
        id,
        org_id: actor.org_id,
        email: email ?? null,
        role,
        note: note?.trim() || null,
        created_at: now,
        created_by: actor.id,
        expires_at: now + invitationLifetime,
      })
      .execute()
    await record(app, now, actor, from, 'create_invitation', 'POST /web/invitations', id, { role })
    return { id, token: await addLink(write, now, { id, org_id: actor.org_id }) }
  })
}

/** Adds a token to an invitation, beside existing ones; inside a writer job. */
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

export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/invite/${token}`
}

/** Ends an unused invitation. @throws Refusal */
export async function revokeInvitation(
  app: App,
  actor: Actor,
  id: string,
  from: ActionOrigin,
): Promise<ListedInvitation> {
  return asAdmin(app, actor, async (now) => {
    const { write } = app.store
    const row = await requireInvitation(write, actor.org_id, id)
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
    return requireInvitation(write, actor.org_id, id)
  })
}

/** Queues an invitation for delivery by this workspace's mail server. @throws Refusal */
export async function sendInvitation(
  app: App,
  actor: Actor,
  id: string,
  from: ActionOrigin,
): Promise<ListedInvitation> {
  const { store, jobs } = app
  requireAdmin(actor)
  if (!canMail(app))
    throw new Refusal(
      'not_connected',
      'This workspace has no mail server.',
      'Pass the link on yourself, or ask the operator to set --mail-server.',
    )
  const sent = await asAdmin(app, actor, async (now) => {
    const { write } = store
    const row = await requireInvitation(write, actor.org_id, id)
    requirePendingInvitation(row, now)
    if (row.email === null)
      throw new Refusal(
        'conflict',
        'This invitation has no address.',
        'Pass its link on yourself, or create another one with an address.',
      )
    if (row.mail !== 'waiting') {
      if (row.mails >= maxMails)
        throw new Refusal(
          'conflict',
          `This invitation was already emailed ${maxMails} times.`,
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
    return requireInvitation(write, actor.org_id, id)
  })
  jobs.wake()
  return sent
}

export function canMail({ settings }: Pick<App, 'settings'>): boolean {
  return settings.mail_server !== '' && settings.mail_from !== ''
}

async function requireUnusedEmail({ write }: Store, org: Id<'orgs'>, email: string): Promise<void> {
  const colleague = await write
    .selectFrom('users')
    .select(['display_name', 'status'])
    .where('org_id', '=', org)
    .where('email', '=', email)
    .executeTakeFirst()
  if (colleague)
    throw new Refusal(
      'conflict',
      `${colleague.display_name} already has this address in this organization.`,
      omitNullish({
        field: 'email',
        hint: colleague.status === 'active' ? undefined : 'Reactivate them instead.',
      }),
    )
}

async function requireInvitationRoom(
  { write }: Store,
  org: Id<'orgs'>,
  now: number,
): Promise<void> {
  const { open } = await write
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('org_id', '=', org)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (open >= maxOpen)
    throw new Refusal(
      'conflict',
      `There are ${maxOpen} open invitations.`,
      'Revoke some you do not need.',
    )
}

async function record(
  { store }: App,
  at: number,
  actor: Actor,
  from: ActionOrigin,
  tool: string,
  route: string,
  id: Id<'invitations'>,
  loggedArguments: Record<string, unknown> = {},
): Promise<void> {
  await recordAction(store, {
    ...from,
    tool,
    route,
    kind: 'write',
    via: 'web',
    at,
    org_id: actor.org_id,
    actor_id: actor.id,
    items: [{ type: 'invitation', id }],
    arguments: loggedArguments,
  })
}
