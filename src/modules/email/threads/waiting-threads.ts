import { present } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { mailThread } from '../access.ts'
import { awaitingMe, threadsWith } from './access-waiting.ts'

/** What the rest of the house shows of mail: a person's own, and no one else's. */

/** Conversations that wait for the caller's answer, the longest waiting first. */
export async function threadsAwaitingMe(ctx: ReadContext, limit: number) {
  return (await awaitingMe(ctx, limit)).map((row) => showShort(ctx, row))
}

/** The latest conversations of the caller's own mail with people at these addresses. */
export async function threadsWithPeople(
  ctx: ReadContext,
  addresses: readonly string[],
  limit: number,
) {
  return (await threadsWith(ctx, addresses, limit)).map((row) => showShort(ctx, row))
}

export { awaitingMeCount as threadsAwaitingMeCount } from './access-waiting.ts'

/** What colleagues and assistants see of a conversation beside other things. */
function showShort(ctx: ReadContext, row: Row<'mail_threads'>) {
  return present({
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
    waiting_since: row.waiting_since === null ? undefined : iso(row.waiting_since),
    url: mailThread.url(row, ctx.baseUrl),
  })
}
