// Reports read positions to the server: shortly after messages were visible, the last one per channel.

import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { channelOf, isInChannel, isUnsent, refetchChannel, type Message } from './rows.ts'

const sendDelayMs = 400
const retryMs = 5000

interface Mark {
  id: string
  seq: number
  /** A reply seen only in its thread, without the channel messages before it. */
  isThreadOnly: boolean
}

const pendingMarks = new Map<string, Mark>()
/** Pending marks for replies seen in threads. */
const pendingThreadMarks = new Map<string, Mark>()
/** Last message that this tab marked as read, by channel. */
const markedSeqs = new Map<string, number>()
/** First unread message of each channel: marks of replies in threads wait for it. */
const firstUnreadSeqs = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Called when a message was visible while the person was present. */
export function markSeen(message: Message): void {
  const channel = channelOf(message.channel.id)
  if (!channel || channel.unread.total === 0 || isUnsent(message)) return
  const isAside = !isInChannel(message)
  const { id, seq } = message
  const readSeq = Math.max(channel.unread.read_seq ?? 0, markedSeqs.get(channel.id) ?? 0)
  const firstUnreadSeq = firstUnreadSeqs.get(channel.id) ?? 0
  if (seq <= readSeq || (isAside && readSeq < firstUnreadSeq && firstUnreadSeq < seq)) return
  const marks = isAside ? pendingThreadMarks : pendingMarks
  if (seq <= (marks.get(channel.id)?.seq ?? 0)) return
  marks.set(channel.id, { id, seq, isThreadOnly: isAside })
  scheduleSend(sendDelayMs)
}

/** Marks all of a channel as read, including replies in threads. */
export async function markAllRead(channelId: string): Promise<void> {
  pendingMarks.delete(channelId)
  pendingThreadMarks.delete(channelId)
  await call('mark_channel_read', { channel_id: channelId })
  refetchChannel(channelId)
}

function scheduleSend(ms: number): void {
  if (timer === undefined) timer = setTimeout(() => void sendReadMarks(), ms)
}

async function sendReadMarks(): Promise<void> {
  timer = undefined
  for (const marks of [pendingMarks, pendingThreadMarks])
    for (const [channelId, mark] of [...marks]) {
      marks.delete(channelId)
      await sendMark(channelId, mark) // marks of channels are sent before those of threads
    }
}

async function sendMark(channel_id: string, mark: Mark): Promise<void> {
  try {
    if (mark.isThreadOnly && (await isAfterUnread(channel_id, mark))) return
    await call('mark_channel_read', { channel_id, up_to_message_id: mark.id })
    markedSeqs.set(channel_id, Math.max(markedSeqs.get(channel_id) ?? 0, mark.seq))
    refetchChannel(channel_id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!error.isOffline && error.status < 500) return // the channel is not visible by now
    const marks = mark.isThreadOnly ? pendingThreadMarks : pendingMarks
    const pendingMark = marks.get(channel_id)
    if (!pendingMark || pendingMark.seq < mark.seq) marks.set(channel_id, mark)
    scheduleSend(retryMs)
  }
}

/** True if the channel has unread messages before a reply. */
async function isAfterUnread(channel_id: string, { seq }: Mark): Promise<boolean> {
  const { items } = await call('list_unread_messages', { channel_id })
  const firstUnread = items[0]?.messages.find(isInChannel)
  if (!firstUnread || firstUnread.seq > seq) return false
  firstUnreadSeqs.set(channel_id, firstUnread.seq)
  return true
}
