// Tells the server how far one has read: a moment after it was visible, the furthest message of each channel.

import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { channelOf, isUnsent, readChannel, type Message } from './rows.ts'

const gatherMs = 400
const retryMs = 5000

interface Mark {
  id: string
  seq: number
}

const waiting = new Map<string, Mark>()
/** How far each channel was marked in this tab. */
const marked = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** A message was on the screen while the person looked. */
export function markSeen(message: Message): void {
  const channel = channelOf(message.channel.id)
  if (!channel || channel.unread.total === 0 || isUnsent(message)) return
  const known = Math.max(
    channel.unread.read_seq ?? 0,
    marked.get(channel.id) ?? 0,
    waiting.get(channel.id)?.seq ?? 0,
  )
  if (message.seq <= known) return
  waiting.set(channel.id, { id: message.id, seq: message.seq })
  sendIn(gatherMs)
}

/** Marks all of a channel as read, the replies in its threads too. */
export async function markAllRead(channelId: string): Promise<void> {
  waiting.delete(channelId)
  await call('mark_channel_read', { channel_id: channelId })
  readChannel(channelId)
}

function sendIn(ms: number): void {
  if (timer === undefined) timer = setTimeout(send, ms)
}

function send(): void {
  timer = undefined
  for (const [channelId, mark] of [...waiting]) {
    waiting.delete(channelId)
    void sendMark(channelId, mark)
  }
}

async function sendMark(channel_id: string, mark: Mark): Promise<void> {
  try {
    await call('mark_channel_read', { channel_id, up_to_message_id: mark.id })
    marked.set(channel_id, Math.max(marked.get(channel_id) ?? 0, mark.seq))
    readChannel(channel_id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!error.isOffline && error.status < 500) return // the channel is not visible by now
    const later = waiting.get(channel_id)
    if (!later || later.seq < mark.seq) waiting.set(channel_id, mark)
    sendIn(retryMs)
  }
}
