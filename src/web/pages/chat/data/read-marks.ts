// Tells the server how far one has read: a moment after it was visible, the furthest message of each channel.

import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { channelOf, isInChannel, isUnsent, readChannel, type Message } from './rows.ts'

const gatherMs = 400
const retryMs = 5000

interface Mark {
  id: string
  seq: number
  /** A reply that stands in its thread only: it was seen without what stands before it in the channel. */
  isAside: boolean
}

const waiting = new Map<string, Mark>()
/** The same for what was seen aside. */
const waitingAside = new Map<string, Mark>()
/** Last message that this tab marked as read, by channel. */
const marked = new Map<string, number>()
/** The first message of each channel that is not read yet: what is seen aside of it waits for it. */
const unseen = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** A message was on the screen while the person looked. */
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

/** Marks all of a channel as read, the replies in its threads too. */
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

/** Whether something of the channel itself is still unread before a reply. */
async function isBehindUnseen(channel_id: string, { seq }: Mark): Promise<boolean> {
  const { items } = await call('list_unread_messages', { channel_id })
  const first = items[0]?.messages.find(isInChannel)
  if (!first || first.seq > seq) return false
  unseen.set(channel_id, first.seq)
  return true
}
