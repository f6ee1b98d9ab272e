import type { RowOf } from '../../store/index.ts'

export const splits = ['reply', 'unread', 'other', 'waiting', 'later'] as const
/**
 * Splits of the conversations: those awaiting the reader's answer, other unread ones, the rest of the inbox, those
 * awaiting others' answers, and those put off. Each conversation is in one of them, or in none.
 */
export type Split = (typeof splits)[number]

export type MailView = Split | 'outbox'

export type ThreadRow = RowOf<'thread'>

/** The split of a conversation; undefined if it is archived and no one's reply is expected. */
export function splitOf(thread: ThreadRow): Split | undefined {
  if (isSnoozed(thread)) return 'later'
  if (thread.in_inbox && thread.awaiting === 'me') return 'reply'
  if (thread.in_inbox && thread.unread_count > 0) return 'unread'
  if (thread.awaiting === 'them') return 'waiting'
  return thread.in_inbox ? 'other' : undefined
}

export function isSnoozed({ snoozed_until, snoozed_until_reply }: ThreadRow): boolean {
  return (
    snoozed_until_reply === true ||
    (snoozed_until !== undefined && Date.parse(snoozed_until) > Date.now())
  )
}

/**
 * Sorts conversations: those put off by their return time, those awaiting others by how long, all others by their
 * last message.
 */
export function sortThreads(threads: readonly ThreadRow[], split: Split): ThreadRow[] {
  const direction = split === 'later' || split === 'waiting' ? 1 : -1
  return threads.toSorted(
    (a, b) => direction * (splitSortKey(a, split) < splitSortKey(b, split) ? -1 : 1),
  )
}

/** Sorts after every date. */
const untilReply = '~'

function splitSortKey(thread: ThreadRow, split: Split): string {
  const { last_message_at, waiting_since, snoozed_until, id } = thread
  if (split === 'later') return (snoozed_until ?? untilReply) + id
  if (split === 'waiting') return (waiting_since ?? last_message_at) + id
  return last_message_at + id
}
