// Keeps conversations up to date: a message event updates its channel's counts, and loads the message if the channel is
// open.

import { onEvent, scheduleReload, table, type ServerEvent } from '../../../store/index.ts'
import { refetchChannel } from './rows.ts'

/** Visible channels, with the number of components that show them. */
const viewCounts = new Map<string, number>()
/** Replies for which their thread was reloaded. */
const countedReplies = new Set<string>()
let followers = 0
let stop: (() => void) | undefined

/** Follows chat events while needed. Returns a function that stops it. */
export function followChat(): () => void {
  if (followers++ === 0) {
    const unsubscribers = [
      onEvent(handleServerEvent),
      table('message').listenAll(reloadThreadRoots),
    ]
    stop = () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
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
  viewCounts.set(id, (viewCounts.get(id) ?? 0) + 1)
  return () => {
    const count = (viewCounts.get(id) ?? 1) - 1
    if (count > 0) viewCounts.set(id, count)
    else viewCounts.delete(id)
  }
}

function handleServerEvent({ event, item }: ServerEvent): void {
  if (item?.type !== 'message') return
  const channelId = /\/channels\/([^/]+)\//.exec(item.url ?? '')?.[1]
  if (channelId === undefined) return
  if (/\.(posted|created|deleted)$/.test(event)) refetchChannel(channelId)
  const isNew = viewCounts.has(channelId) && !table('message').has(item.id)
  // a deleted message with replies stays as a placeholder
  if (isNew || event === 'message.deleted') scheduleReload('message', [item.id])
}

/** A message includes its number of replies, so it is reloaded when one arrives. */
function reloadThreadRoots(ids: ReadonlySet<string>): void {
  const messages = table('message')
  for (const id of ids) {
    const root = messages.serverRow(id)?.thread_root_id
    if (root === undefined || countedReplies.has(id)) continue
    countedReplies.add(id)
    if (messages.has(root)) scheduleReload('message', [root])
  }
}
