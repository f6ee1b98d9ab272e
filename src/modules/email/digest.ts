import type { ReadContext } from '../../operations/context.ts'
import { iso } from '../../kernel/time/times.ts'
import { trustOf } from '../../records/shapes.ts'
import {
  shortTitle,
  withoutZeros,
  type DigestPeriod,
  type SectionShape,
} from '../activity/shapes.ts'
import type { Row } from '../../records/resource.ts'
import { lastMessagesFromOthers, newMail } from './threads/access-new-mail.ts'
import { awaitingMe, awaitingMeCount } from './threads/access-waiting.ts'

/** Conversations that await an answer, then the new ones, with the last sender. */
export async function mailSection(
  ctx: ReadContext,
  { maxItems, since, until }: DigestPeriod,
): Promise<SectionShape> {
  const waiting = await awaitingMeCount(ctx)
  const awaiting = waiting === 0 ? [] : await awaitingMe(ctx, maxItems)
  const recentMail = await newMail(ctx, { since, until }, maxItems + awaiting.length)
  const awaitingIds = new Set<string>(awaiting.map((row) => row.id))
  const others = recentMail.threads.filter((row) => !awaitingIds.has(row.id))
  const rows = [...awaiting, ...others].slice(0, maxItems)
  const lastMessages = await lastMessagesFromOthers(
    ctx,
    rows.map((row) => row.id),
  )
  const entry = (row: Row<'mail_threads'>) => {
    const lastMessage = lastMessages.get(row.id)
    return {
      id: row.id,
      title: shortTitle(row.subject || '(no subject)'),
      what: [awaitingIds.has(row.id) ? 'awaits your answer' : 'new'],
      by: lastMessage ? [shortTitle(lastMessage.from_name ?? lastMessage.from_email)] : [],
      at: iso(
        awaitingIds.has(row.id)
          ? (row.waiting_since ?? row.last_message_at)
          : (lastMessage?.received_at ?? row.last_message_at),
      ),
      ...trustOf(lastMessage !== undefined),
    }
  }
  const hasMore = waiting + others.length > maxItems || recentMail.hasMore
  return {
    kind: 'mail',
    counts: withoutZeros({ awaiting_me: waiting, new: recentMail.count }),
    items: rows.map(entry),
    ...(hasMore ? { more: 'list_email_threads' } : {}),
    standing: true,
  }
}
