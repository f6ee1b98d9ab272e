// Keeps conversations true: an event of a message changes the counts of its channel, and brings the message where the channel is open.

import { onEvent, readAgain, table, type ServerEvent } from '../../../store/index.ts'
import { readChannel } from './rows.ts'

/** Channels on the screen, by how many parts of it show them. */
const open = new Map<string, number>()
/** Replies whose thread was read again because of them. */
const countedReplies = new Set<string>()
let followers = 0
let stop: (() => void) | undefined

/** Hears what happens in conversations while someone needs it. Returns what ends it. */
export function followChat(): () => void {
  if (followers++ === 0) {
    const ends = [onEvent(heard), table('message').listenAll(countReplies)]
    stop = () => {
      for (const end of ends) end()
    }
  }
  return () => {
    if (--followers > 0) return
    stop?.()
    stop = undefined
  }
}

/** Takes new messages of a channel into the store while it is on the screen. Returns what ends it. */
export function openChannel(id: string): () => void {
  open.set(id, (open.get(id) ?? 0) + 1)
  return () => {
    const count = (open.get(id) ?? 1) - 1
    if (count > 0) open.set(id, count)
    else open.delete(id)
  }
}

function heard({ event, item }: ServerEvent): void {
  if (item?.type !== 'message') return
  const channel = /\/channels\/([^/]+)\//.exec(item.url ?? '')?.[1]
  if (channel === undefined) return
  if (/\.(posted|created|deleted)$/.test(event)) readChannel(channel)
  const isNew = open.has(channel) && !table('message').has(item.id)
  // a deleted message that others replied to stays as a gap
  if (isNew || event === 'message.deleted') readAgain('message', [item.id])
}

/** A message says how many replies it has: it is read again when one comes. */
function countReplies(ids: ReadonlySet<string>): void {
  const messages = table('message')
  for (const id of ids) {
    const root = messages.said(id)?.thread_root_id
    if (root === undefined || countedReplies.has(id)) continue
    countedReplies.add(id)
    if (messages.has(root)) readAgain('message', [root])
  }
}
