import { iso } from '../../../kernel/time/times.ts'
import type { Row } from '../../../records/resource.ts'

/** Maximum time in transit, in milliseconds; a longer gap means that another message arrived since. */
const transitMs = 5 * 60_000

/** Start of waiting: for its last message, that message's arrival, not its Date header. */
export function waitingSince({
  waiting_since,
  last_message_at,
}: Pick<Row<'mail_threads'>, 'waiting_since' | 'last_message_at'>): string | undefined {
  if (waiting_since === null) return undefined
  const isLast = Math.abs(last_message_at - waiting_since) <= transitMs
  return iso(isLast ? last_message_at : waiting_since)
}
