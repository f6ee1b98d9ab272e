import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { email, mailThread } from '../access.ts'

type MessageSummary = Pick<Row<'emails'>, 'thread_id' | 'from_name' | 'from_email' | 'received_at'>

/**
 * Mail from others received in the caller's inbox within a period: number of messages, and their conversations,
 * latest first.
 */
export async function newMail(
  viewer: Viewer,
  { since, until }: { since: number; until: number },
  limit: number,
): Promise<{ count: number; threads: Row<'mail_threads'>[]; hasMore: boolean }> {
  const newMessages = email
    .visibleTo(viewer)
    .where('emails.received_at', '>=', since)
    .where('emails.received_at', '<', until)
    .where('emails.is_own', '=', 0)
    .where('emails.place', '=', 'inbox')
  const { count } = await newMessages
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count === 0) return { count, threads: [], hasMore: false }
  const rows = await mailThread
    .visibleTo(viewer)
    .selectAll('mail_threads')
    .where('mail_threads.id', 'in', newMessages.select('emails.thread_id'))
    .orderBy('mail_threads.last_message_at', 'desc')
    .orderBy('mail_threads.id', 'desc')
    .limit(limit + 1)
    .execute()
  return { count, threads: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** The last message of each conversation not written by its owner. */
export async function lastMessagesFromOthers(
  reader: Viewer,
  threads: readonly Row<'mail_threads'>['id'][],
): Promise<Map<string, MessageSummary>> {
  const letters = new Map<string, MessageSummary>()
  for (const id of threads) {
    const letter = await email
      .visibleTo(reader)
      .select(['emails.thread_id', 'emails.from_name', 'emails.from_email', 'emails.received_at'])
      .where('emails.thread_id', '=', id)
      .where('emails.is_own', '=', 0)
      .where('emails.place', 'not in', ['drafts', 'spam', 'trash'])
      .orderBy('emails.received_at', 'desc')
      .orderBy('emails.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (letter) letters.set(id, letter)
  }
  return letters
}
