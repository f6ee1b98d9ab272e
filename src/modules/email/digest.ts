import type { ReadContext } from '../../operations/context.ts'
import { shortTitle, withoutZeros, type SectionShape } from '../activity/shapes.ts'
import { trustOf } from '../../records/shapes.ts'
import { threadsAwaitingMe, threadsAwaitingMeCount } from './threads/waiting-threads.ts'

/** Conversations that wait for an answer, for the digest. */
export async function mailSection(ctx: ReadContext, named: number): Promise<SectionShape> {
  const waiting = await threadsAwaitingMeCount(ctx)
  const threads = waiting === 0 ? [] : await threadsAwaitingMe(ctx, named)
  const items = threads.map((thread) => ({
    id: thread.id,
    title: shortTitle(thread.subject),
    what: ['awaits your answer'],
    by: thread.participants
      .slice(0, 2)
      .map((participant) => shortTitle(participant.name ?? participant.email ?? '?')),
    at: thread.waiting_since ?? thread.last_message_at,
    ...trustOf(thread.trust === 'external'),
  }))
  const more = waiting > named ? { more: 'list_email_threads' } : {}
  return { kind: 'mail', counts: withoutZeros({ awaiting_me: waiting }), items, ...more }
}
