import type { Kysely } from 'kysely'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { Tables } from '../../../db/tables.ts'
import { mailThread } from '../access.ts'

type Thread = Row<'mail_threads'>

/** Conversations with an expired snooze, of active people. */
export function dueSnoozes(
  all: Kysely<Tables>,
  now: number,
  limit: number,
): Promise<Pick<Thread, 'id' | 'owner_id'>[]> {
  return all
    .selectFrom('mail_threads')
    .innerJoin('accounts', 'accounts.id', 'mail_threads.account_id')
    .innerJoin('users', 'users.id', 'mail_threads.owner_id')
    .select(['mail_threads.id', 'mail_threads.owner_id'])
    .where('mail_threads.snoozed_until', '<=', now)
    .where('accounts.removed_at', 'is', null)
    .where('users.status', '=', 'active')
    .orderBy('mail_threads.snoozed_until')
    .limit(limit)
    .execute()
}

/**
 * Maximum age of a conversation that causes a notification, in milliseconds; older ones are freshly imported history.
 */
const maxWaitingAge = 7 * dayLength

/**
 * Conversations that have waited a day for their owner without a notification; those waiting since before the account
 * was connected are history.
 */
export function dueWaitingThreads(
  all: Kysely<Tables>,
  now: number,
  limit: number,
): Promise<Pick<Thread, 'id' | 'owner_id'>[]> {
  return all
    .selectFrom('mail_threads')
    .innerJoin('accounts', 'accounts.id', 'mail_threads.account_id')
    .innerJoin('users', 'users.id', 'mail_threads.owner_id')
    .select(['mail_threads.id', 'mail_threads.owner_id'])
    .where('mail_threads.awaiting', '=', 'me')
    .where('mail_threads.waiting_told_at', 'is', null)
    .where('mail_threads.waiting_since', '<=', now - dayLength)
    .where('mail_threads.waiting_since', '>', now - maxWaitingAge)
    .whereRef('mail_threads.waiting_since', '>', 'accounts.created_at')
    .where('mail_threads.snoozed_until', 'is', null)
    .where('accounts.removed_at', 'is', null)
    .where('users.status', '=', 'active')
    .orderBy('mail_threads.waiting_since')
    .limit(limit)
    .execute()
}

export async function markNotified(
  all: Kysely<Tables>,
  now: number,
  id: Thread['id'],
): Promise<void> {
  await all.updateTable('mail_threads').set({ waiting_told_at: now }).where('id', '=', id).execute()
}

/** Conversations awaiting the caller's answer, longest waiting first, without hidden ones. */
export function awaitingMe(viewer: Viewer, limit: number): Promise<Thread[]> {
  return threadsWaitingForReader(viewer)
    .selectAll('mail_threads')
    .orderBy('mail_threads.waiting_since')
    .orderBy('mail_threads.id')
    .limit(limit)
    .execute()
}

/** Counts the conversations that wait for the reader. */
export async function awaitingMeCount(reader: Viewer): Promise<number> {
  const { count } = await threadsWaitingForReader(reader)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** `<> 'none'` matches the condition of the partial index. */
function threadsWaitingForReader(viewer: Viewer) {
  return mailThread
    .visibleTo(viewer)
    .where('mail_threads.awaiting', '=', 'me')
    .where('mail_threads.awaiting', '<>', 'none')
    .where('mail_threads.snoozed_until', 'is', null)
    .where('mail_threads.snoozed_until_reply', '=', 0)
}

const maxAddresses = 50

/** Conversations of the caller's own mail with someone at one of these addresses, latest first. */
export async function threadsWith(
  viewer: Viewer,
  addresses: readonly string[],
  limit: number,
): Promise<Thread[]> {
  const { all, actor } = accessScopeOf(viewer)
  const wantedAddresses = [...new Set(addresses.map((address) => address.toLowerCase()))].slice(
    0,
    maxAddresses,
  )
  if (wantedAddresses.length === 0) return []
  const threadIds = all
    .selectFrom('email_addresses')
    .innerJoin('emails', 'emails.id', 'email_addresses.email_id')
    .select('emails.thread_id')
    .where('email_addresses.owner_id', '=', actor.id)
    .where('email_addresses.address', 'in', wantedAddresses)
    .where('emails.place', 'not in', ['spam', 'trash', 'drafts'])
    .where('emails.is_bulk', '=', 0)
  return mailThread
    .visibleTo(viewer)
    .selectAll('mail_threads')
    .where('mail_threads.id', 'in', threadIds)
    .orderBy('mail_threads.last_message_at', 'desc')
    .orderBy('mail_threads.id', 'desc')
    .limit(limit)
    .execute()
}
