import { sql, type SqlBool } from 'kysely'
import type { TickContext } from '../../operations/jobs/tick.ts'
import type { Row } from '../../records/resource.ts'
import { dayLength } from '../../kernel/time/times.ts'

// Background work: reminders and digests that come due, and old entries.

/** A due reminder of an active person. */
export function dueReminder(
  { all, now }: TickContext,
  id: string,
): Promise<Row<'reminders'> | undefined> {
  return all
    .selectFrom('reminders')
    .innerJoin('users', 'users.id', 'reminders.created_by')
    .where('users.status', '=', 'active')
    .where('reminders.id', '=', id as Row<'reminders'>['id'])
    .where('reminders.status', '=', 'pending')
    .where('reminders.remind_at', '<=', now)
    .selectAll('reminders')
    .executeTakeFirst()
}

/** Reminders of active people due by the given time that have no unfinished job of this kind. */
export function dueRemindersWithoutJob(
  { all }: TickContext,
  until: number,
  kind: string,
  limit: number,
): Promise<Row<'reminders'>[]> {
  return all
    .selectFrom('reminders')
    .innerJoin('users', 'users.id', 'reminders.created_by')
    .where('users.status', '=', 'active')
    .where('reminders.status', '=', 'pending')
    .where('reminders.remind_at', '<=', until)
    .where(
      sql<SqlBool>`not exists (select 1 from jobs where jobs.kind = ${kind} and jobs.unique_key = reminders.id and jobs.finished_at is null)`,
    )
    .selectAll('reminders')
    .orderBy('reminders.remind_at')
    .limit(limit)
    .execute()
}

/** Repeating reminders that a clock more than a day ahead has advanced. */
export function advancedByClock(
  { all, now }: TickContext,
  limit: number,
): Promise<Row<'reminders'>[]> {
  const ahead = all
    .selectFrom('reminders')
    .selectAll()
    .where('fired_at', '>', now + dayLength)
    .where('rrule', 'is not', null)
  return ahead.where(sql`status || ''`, '=', 'pending').limit(limit).execute() // avoids the index on status, as most are pending
}

/**
 * Deletes read entries shown before `before.read`, and unread ones shown before `before.unread`; returns the number,
 * at most `limit`.
 */
export async function deleteOldEntries(
  { all }: TickContext,
  before: { read: number; unread: number },
  limit: number,
): Promise<number> {
  const old = await all
    .selectFrom('notifications')
    .innerJoin('inboxes', 'inboxes.id', 'notifications.inbox_id')
    .select('notifications.id')
    .where('notifications.shown_at', '<', before.read)
    .where('notifications.mail', 'is', null)
    .where((eb) =>
      eb.or([
        eb('notifications.read_at', 'is not', null),
        eb('notifications.shown_at', '<=', eb.ref('inboxes.read_before')),
        eb('notifications.in_app', '=', 0),
        eb('notifications.shown_at', '<', before.unread),
      ]),
    )
    .limit(limit)
    .execute()
  if (old.length > 0)
    await all
      .deleteFrom('notifications')
      .where(
        'id',
        'in',
        old.map((row) => row.id),
      )
      .execute()
  return old.length
}

/** Deletes mails that ended before a moment; returns the number, at most `limit`. */
export async function deleteOldMails(
  { all }: TickContext,
  before: number,
  limit: number,
): Promise<number> {
  const old = await all
    .selectFrom('notice_mails')
    .select('id')
    .where('finished_at', '<', before)
    .limit(limit)
    .execute()
  if (old.length > 0)
    await all
      .deleteFrom('notice_mails')
      .where(
        'id',
        'in',
        old.map((row) => row.id),
      )
      .execute()
  return old.length
}

/** Deletes jobs of some kinds finished before a moment; returns the number, at most `limit`. */
export async function deleteFinishedJobs(
  { all }: TickContext,
  kinds: readonly string[],
  before: number,
  limit: number,
): Promise<number> {
  const old = await all
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'done')
    .where('kind', 'in', kinds)
    .where('finished_at', '<', before)
    .limit(limit)
    .execute()
  if (old.length > 0)
    await all
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        old.map((row) => row.id),
      )
      .execute()
  return old.length
}
