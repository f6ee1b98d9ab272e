// Keeps conversations up to date: a message event updates its channel's counts, and loads the message if the channel is
// open.

import { onEvent, readAgain, table, type ServerEvent } from '../../../store/index.ts'
import { readChannel } from './rows.ts'

/** Visible channels, with the number of components that show them. */
const open = new Map<string, number>()
/** Replies for which their thread was reloaded. */
const countedReplies = new Set<string>()
let followers = 0
let stop: (() => void) | undefined

/** Follows chat events while needed. Returns a function that stops it. */
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

/** Loads new messages of a channel into the store while it is visible. Returns a function that stops it. */
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
  // a deleted message with replies stays as a placeholder
  if (isNew || event === 'message.deleted') readAgain('message', [item.id])
}

/** A message includes its number of replies, so it is reloaded when one arrives. */
function countReplies(ids: ReadonlySet<string>): void {
  const messages = table('message')
  for (const id of ids) {
    const root = messages.serverRow(id)?.thread_root_id
    if (root === undefined || countedReplies.has(id)) continue
    countedReplies.add(id)
    if (messages.has(root)) readAgain('message', [root])
  }
}
