import { sql, type SqlBool } from 'kysely'
import { newId, type Id } from '../../kernel/ids.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import type { Row } from '../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { isSubjectVisible } from './access.ts'

// Mails about notifications are internal rows, like jobs: not changes by anyone, and so without activity and events.

export type MailRow = Row<'notice_mails'>
export type EntryRow = Row<'notifications'>

/** Whether there are unprocessed entries to be mailed. */
export async function hasNewEntries(all: TickContext['all']): Promise<boolean> {
  return (
    (await all
      .selectFrom('notifications')
      .select('id')
      .where('mail', '=', 'new')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Unprocessed entries to be mailed, by person, oldest first. */
export function newEntries({ all }: TickContext, limit: number): Promise<EntryRow[]> {
  return all
    .selectFrom('notifications')
    .selectAll()
    .where('mail', '=', 'new')
    .orderBy('person_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Recipient of mails, with quiet hours; undefined if not active. */
export type Addressee = Pick<
  Row<'users'>,
  'id' | 'org_id' | 'email' | 'display_name' | 'timezone'
> &
  Pick<
    Row<'inboxes'>,
    'quiet_from' | 'quiet_to' | 'quiet_timezone' | 'quiet_except_incidents' | 'read_before'
  >

export function addressee({ all }: TickContext, id: string): Promise<Addressee | undefined> {
  return all
    .selectFrom('users')
    .innerJoin('inboxes', 'inboxes.person_id', 'users.id')
    .select([
      'users.id',
      'users.org_id',
      'users.email',
      'users.display_name',
      'users.timezone',
      'quiet_from',
      'quiet_to',
      'quiet_timezone',
      'quiet_except_incidents',
      'read_before',
    ])
    .where('users.id', '=', id as Id<'users'>)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
}

export async function changeEntries(
  { all }: TickContext,
  rows: readonly Pick<EntryRow, 'id'>[],
  patch: Partial<EntryRow>,
): Promise<void> {
  if (rows.length > 0)
    await all
      .updateTable('notifications')
      .set(patch)
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute()
}

/** Entries of a person with due mail. */
export async function dueEntries(
  { all, now }: TickContext,
  person: Id<'users'>,
  limit: number,
): Promise<EntryRow[]> {
  const due = all
    .selectFrom('notifications')
    .selectAll()
    .where('person_id', '=', person)
    .where('mail_at', '<=', now)
  return due.where('mail', 'in', ['waiting', 'gathering']).orderBy('id').limit(limit).execute()
}

/** When entries being gathered for a person are sent; undefined if there are none. */
export async function gatheringEndsAt(
  { all }: TickContext,
  person: Id<'users'>,
): Promise<number | undefined> {
  const row = await all
    .selectFrom('notifications')
    .select((eb) => eb.fn.min('mail_at').as('at'))
    .where('mail', '=', 'gathering')
    .where('person_id', '=', person)
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Creation times of a person's mails since a moment, excluding digests; oldest first. */
export async function mailsSince(
  { all }: TickContext,
  person: Id<'users'>,
  since: number,
): Promise<number[]> {
  const rows = await all
    .selectFrom('notice_mails')
    .select('created_at')
    .where('person_id', '=', person)
    .where('form', '<>', 'digest')
    .where('created_at', '>', since)
    .orderBy('created_at')
    .limit(10)
    .execute()
  return rows.map((row) => row.created_at)
}

/** Creates a mail; its entries refer to it and are not sent otherwise. */
export async function addMail(
  system: TickContext,
  to: { id: Id<'users'>; org_id: Id<'orgs'> },
  mail: {
    form: MailRow['form']
    sendAt: number
    digest?: object
    entries: readonly Pick<EntryRow, 'id'>[]
  },
): Promise<Id<'notice_mails'>> {
  const id = newId<'notice_mails'>('nml', system.now)
  await system.all
    .insertInto('notice_mails')
    .values({
      id,
      org_id: to.org_id,
      person_id: to.id,
      form: mail.form,
      state: 'pending',
      digest_json: mail.digest ? JSON.stringify(mail.digest) : null,
      send_at: mail.sendAt,
      attempts: 0,
      last_error: null,
      created_at: system.now,
      finished_at: null,
    })
    .execute()
  await changeEntries(system, mail.entries, { mail: null, mail_id: id })
  return id
}

/** The next mail of a person to send now. */
export function nextMail(
  { all, now }: TickContext,
  person: Id<'users'>,
): Promise<MailRow | undefined> {
  return all
    .selectFrom('notice_mails')
    .selectAll()
    .where('state', '=', 'pending')
    .where('send_at', '<=', now)
    .where('person_id', '=', person)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function changeMail(
  { all }: TickContext,
  id: Id<'notice_mails'>,
  patch: Partial<MailRow>,
): Promise<void> {
  await all.updateTable('notice_mails').set(patch).where('id', '=', id).execute()
}

/** A mail's entries that its person, the caller, may still see and has not read meanwhile; oldest first. */
export function unreadEntriesOfMail(
  viewer: Viewer,
  mail: Id<'notice_mails'>,
  readBefore: number,
): Promise<EntryRow[]> {
  const s = accessScopeOf(viewer)
  return s.all
    .selectFrom('notifications')
    .selectAll('notifications')
    .where('notifications.mail_id', '=', mail)
    .where('notifications.person_id', '=', s.actor.id)
    .where((eb) =>
      eb.or([
        eb('notifications.in_app', '=', 0),
        eb.and([
          eb('notifications.read_at', 'is', null),
          eb('notifications.shown_at', '>', readBefore),
        ]),
      ]),
    )
    .where(isSubjectVisible(s))
    .orderBy('notifications.id')
    .execute()
}

/** Active people with due mails, but without an unfinished job of this kind that sends them. */
export async function peopleWithDueMail(
  { all, now }: TickContext,
  kind: string,
  limit: number,
): Promise<Id<'users'>[]> {
  const entries = all
    .selectFrom('notifications')
    .select('person_id')
    .where('mail', 'in', ['waiting', 'gathering'])
    .where('mail_at', '<=', now)
  const mails = all
    .selectFrom('notice_mails')
    .select('person_id')
    .where('state', '=', 'pending')
    .where('send_at', '<=', now)
  const people = all
    .selectFrom('users')
    .select('users.id')
    .where('users.status', '=', 'active')
    .where((eb) => eb.or([eb('users.id', 'in', entries), eb('users.id', 'in', mails)]))
  const idle = people.where(
    sql<SqlBool>`not exists (select 1 from jobs where jobs.kind = ${kind} and jobs.unique_key = users.id and jobs.finished_at is null)`,
  )
  return (await idle.limit(limit).execute()).map((row) => row.id)
}

/** Releases mails that were scheduled beyond this time by a clock that ran ahead. */
export async function releaseFarAhead({ all, now }: TickContext, beyond: number): Promise<void> {
  await all
    .updateTable('notifications')
    .set({ mail_at: now })
    .where('mail', 'in', ['waiting', 'gathering'])
    .where('mail_at', '>', beyond)
    .execute()
  await all
    .updateTable('notice_mails')
    .set({ send_at: now })
    .where('state', '=', 'pending')
    .where('send_at', '>', beyond)
    .execute()
}
