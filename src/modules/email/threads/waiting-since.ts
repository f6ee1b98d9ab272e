import { iso } from '../../../kernel/time/times.ts'
import type { Row } from '../../../records/resource.ts'

/** Longest time in transit, in milliseconds; if more lies between, another message came since. */
const transitMs = 5 * 60_000

/** Since when a conversation waits: if it waits for its last message, the arrival of that message, not its Date header. */
export function waitingSince({
  waiting_since,
  last_message_at,
}: Pick<Row<'mail_threads'>, 'waiting_since' | 'last_message_at'>): string | undefined {
  if (waiting_since === null) return undefined
  const isLast = Math.abs(last_message_at - waiting_since) <= transitMs
  return iso(isLast ? last_message_at : waiting_since)
}
