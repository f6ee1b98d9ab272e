import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'

type Thread = Row<'mail_threads'>

/**
 * Hides a conversation from the inbox until a moment, or until someone else writes in it, whichever comes first; the
 * server is not involved.
 */
export function hideThread(
  ctx: WriteContext,
  thread: Thread,
  { until, untilReply }: { until: number | null; untilReply: boolean },
): Promise<Thread> {
  return ctx.change('mail_threads', thread, {
    snoozed_until: until,
    snoozed_until_reply: untilReply ? 1 : 0,
  })
}

export function isHidden(thread: Pick<Thread, 'snoozed_until' | 'snoozed_until_reply'>): boolean {
  return thread.snoozed_until !== null || thread.snoozed_until_reply === 1
}
