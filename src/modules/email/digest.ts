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
import { lastFromOthers, newMail } from './threads/access-new-mail.ts'
import { awaitingMe, awaitingMeCount } from './threads/access-waiting.ts'

/** Conversations that wait for an answer, then the new ones, with who wrote last. */
export async function mailSection(
  ctx: ReadContext,
  { maxItems, since, until }: DigestPeriod,
): Promise<SectionShape> {
  const waiting = await awaitingMeCount(ctx)
  const awaiting = waiting === 0 ? [] : await awaitingMe(ctx, maxItems)
  const fresh = await newMail(ctx, { since, until }, maxItems + awaiting.length)
  const awaitingIds = new Set<string>(awaiting.map((row) => row.id))
  const others = fresh.threads.filter((row) => !awaitingIds.has(row.id))
  const rows = [...awaiting, ...others].slice(0, maxItems)
  const letters = await lastFromOthers(
    ctx,
    rows.map((row) => row.id),
  )
  const entry = (row: Row<'mail_threads'>) => {
    const letter = letters.get(row.id)
    return {
      id: row.id,
      title: shortTitle(row.subject || '(no subject)'),
      what: [awaitingIds.has(row.id) ? 'awaits your answer' : 'new'],
      by: letter ? [shortTitle(letter.from_name ?? letter.from_email)] : [],
      at: iso(
        awaitingIds.has(row.id)
          ? (row.waiting_since ?? row.last_message_at)
          : (letter?.received_at ?? row.last_message_at),
      ),
      ...trustOf(letter !== undefined),
    }
  }
  const hasMore = waiting + others.length > maxItems || fresh.hasMore
  return {
    kind: 'mail',
    counts: withoutZeros({ awaiting_me: waiting, new: fresh.count }),
    items: rows.map(entry),
    ...(hasMore ? { more: 'list_email_threads' } : {}),
    standing: true,
  }
}
