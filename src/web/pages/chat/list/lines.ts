import { isUnsent, type Message } from '../data/rows.ts'

/** Lines of a message list, in order; the key of a message is its id. */
export type MessageLine =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; isJoined: boolean }

/** Messages of one author within this time are grouped under one name. */
const joinedMs = 5 * 60_000

interface LineOptions {
  /** Messages of others with a higher seq are new; undefined: none are. */
  readSeq: number | undefined
  personId: string
  /** In threads, the reply below the root gets its own header. */
  isInThread?: boolean
}

/** Messages with day separators, the line above the first new one, and grouping by author. */
export function messageLinesOf(
  messages: readonly Message[],
  { readSeq, personId, isInThread = false }: LineOptions,
): MessageLine[] {
  const lines: MessageLine[] = []
  let before: Message | undefined
  let hasUnread = false
  for (const message of messages) {
    const day = dayKey(message.sent_at)
    const isNewDay = before === undefined || dayKey(before.sent_at) !== day
    if (isNewDay) lines.push({ kind: 'day', key: `day ${day} ${message.id}`, at: message.sent_at })
    const isFirstNew: boolean = !hasUnread && isNew(message, readSeq, personId)
    if (isFirstNew) lines.push({ kind: 'unread', key: 'unread' })
    hasUnread ||= isFirstNew
    const isJoined =
      !isNewDay && !isFirstNew && before !== undefined && belongs(message, before, isInThread)
    lines.push({ kind: 'message', key: message.id, isJoined })
    before = message
  }
  return lines
}

function isNew(message: Message, readSeq: number | undefined, personId: string): boolean {
  return (
    readSeq !== undefined &&
    message.seq > readSeq &&
    message.author.id !== personId &&
    !isUnsent(message)
  )
}

/** True if a message is grouped with the previous one. */
function belongs(message: Message, before: Message, isInThread: boolean): boolean {
  return (
    message.author.id === before.author.id &&
    message.via_assistant === before.via_assistant &&
    message.imported?.author === before.imported?.author &&
    (isInThread || message.thread_root_id === undefined) &&
    before.deleted_at === undefined &&
    Date.parse(message.sent_at) - Date.parse(before.sent_at) < joinedMs
  )
}

/** The day of a moment in the reader's zone: `2026-11-25`. */
export function dayKey(at: string): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
