import { isUnsent, type Message } from '../data/rows.ts'

/** Lines of a message list, in order; the key of a message is its id. */
export type MessageLine =
  | { kind: 'day'; key: string; timestamp: string }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; isJoined: boolean }

/** Messages of one author within this time are grouped under one name. */
const groupingMs = 5 * 60_000

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
  let previous: Message | undefined
  let hasUnread = false
  for (const message of messages) {
    const day = dayKey(message.sent_at)
    const isNewDay = previous === undefined || dayKey(previous.sent_at) !== day
    if (isNewDay)
      lines.push({ kind: 'day', key: `day ${day} ${message.id}`, timestamp: message.sent_at })
    const isFirstNew: boolean = !hasUnread && isNew(message, readSeq, personId)
    if (isFirstNew) lines.push({ kind: 'unread', key: 'unread' })
    hasUnread ||= isFirstNew
    const isJoined =
      !isNewDay &&
      !isFirstNew &&
      previous !== undefined &&
      isContinuation(message, previous, isInThread)
    lines.push({ kind: 'message', key: message.id, isJoined })
    previous = message
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
function isContinuation(message: Message, previous: Message, isInThread: boolean): boolean {
  return (
    message.author.id === previous.author.id &&
    message.via_assistant === previous.via_assistant &&
    message.imported?.author === previous.imported?.author &&
    (isInThread || message.thread_root_id === undefined) &&
    previous.deleted_at === undefined &&
    Date.parse(message.sent_at) - Date.parse(previous.sent_at) < groupingMs
  )
}

/** The day of a moment in the reader's zone: `2026-11-25`. */
export function dayKey(timestamp: string): string {
  const date = new Date(timestamp)
  const padTwo = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`
}
