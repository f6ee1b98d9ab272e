import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { trustOf } from '../../../records/shapes.ts'
import { mailThread } from '../access.ts'
import { externalThreads } from '../messages/access-presenter.ts'
import { awaitingMe, threadsWith } from './access-waiting.ts'
import { waitingSince } from './waiting-since.ts'

// Mail that other modules show: only the person's own.

/** Conversations awaiting the caller's answer, longest waiting first. */
export async function threadsAwaitingMe(ctx: ReadContext, limit: number) {
  return threadSummaries(ctx, await awaitingMe(ctx, limit))
}

/** The latest conversations of the caller's own mail with people at these addresses. */
export async function threadsWithPeople(
  ctx: ReadContext,
  addresses: readonly string[],
  limit: number,
) {
  return threadSummaries(ctx, await threadsWith(ctx, addresses, limit))
}

export { awaitingMeCount as threadsAwaitingMeCount } from './access-waiting.ts'

/** Conversations as other modules show them. */
async function threadSummaries(ctx: ReadContext, rows: readonly Row<'mail_threads'>[]) {
  const external = await externalThreads(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) =>
    omitNullish({
      id: row.id,
      account_id: row.account_id,
      subject: row.subject || '(no subject)',
      participants: (JSON.parse(row.participants_json) as { name?: string; email: string }[]).slice(
        0,
        10,
      ),
      message_count: row.message_count,
      unread_count: row.unread_count,
      last_message_at: iso(row.last_message_at),
      awaiting: row.awaiting,
      waiting_since: waitingSince(row),
      ...trustOf(external.has(row.id)),
      url: mailThread.url(row, ctx.baseUrl),
    }),
  )
}
