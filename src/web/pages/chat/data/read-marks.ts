// Reports read positions to the server: shortly after messages were visible, the last one per channel.

import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { channelOf, isInChannel, isUnsent, readChannel, type Message } from './rows.ts'

const gatherMs = 400
const retryMs = 5000

interface Mark {
  id: string
  seq: number
  /** A reply seen only in its thread, without the channel messages before it. */
  isAside: boolean
}

const waiting = new Map<string, Mark>()
/** Pending marks for replies seen in threads. */
const waitingAside = new Map<string, Mark>()
/** Last message that this tab marked as read, by channel. */
const marked = new Map<string, number>()
/** First unread message of each channel: marks of replies in threads wait for it. */
const unseen = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Called when a message was visible while the person was present. */
export function markSeen(message: Message): void {
  const channel = channelOf(message.channel.id)
  if (!channel || channel.unread.total === 0 || isUnsent(message)) return
  const isAside = !isInChannel(message)
  const { id, seq } = message
  const readSeq = Math.max(channel.unread.read_seq ?? 0, marked.get(channel.id) ?? 0)
  const first = unseen.get(channel.id) ?? 0
  if (seq <= readSeq || (isAside && readSeq < first && first < seq)) return
  const to = isAside ? waitingAside : waiting
  if (seq <= (to.get(channel.id)?.seq ?? 0)) return
  to.set(channel.id, { id, seq, isAside })
  sendIn(gatherMs)
}

/** Marks all of a channel as read, including replies in threads. */
export async function markAllRead(channelId: string): Promise<void> {
  waiting.delete(channelId)
  waitingAside.delete(channelId)
  await call('mark_channel_read', { channel_id: channelId })
  readChannel(channelId)
}

function sendIn(ms: number): void {
  if (timer === undefined) timer = setTimeout(() => void sendReadMarks(), ms)
}

async function sendReadMarks(): Promise<void> {
  timer = undefined
  for (const marks of [waiting, waitingAside])
    for (const [channelId, mark] of [...marks]) {
      marks.delete(channelId)
      await sendMark(channelId, mark) // what was seen aside comes after what stands before it
    }
}

async function sendMark(channel_id: string, mark: Mark): Promise<void> {
  try {
    if (mark.isAside && (await isBehindUnseen(channel_id, mark))) return
    await call('mark_channel_read', { channel_id, up_to_message_id: mark.id })
    marked.set(channel_id, Math.max(marked.get(channel_id) ?? 0, mark.seq))
    readChannel(channel_id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!error.isOffline && error.status < 500) return // the channel is not visible by now
    const marks = mark.isAside ? waitingAside : waiting
    const later = marks.get(channel_id)
    if (!later || later.seq < mark.seq) marks.set(channel_id, mark)
    sendIn(retryMs)
  }
}

/** True if the channel has unread messages before a reply. */
async function isBehindUnseen(channel_id: string, { seq }: Mark): Promise<boolean> {
  const { items } = await call('list_unread_messages', { channel_id })
  const first = items[0]?.messages.find(isInChannel)
  if (!first || first.seq > seq) return false
  unseen.set(channel_id, first.seq)
  return true
}
