import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { call } from '../../../api/client.ts'
import { onReload, useRows, type View } from '../../../store/index.ts'
import { MessageWindow } from '../data/message-window.ts'
import { bySeq, channelOf, isInChannel, findChatMessage, type Message } from '../data/rows.ts'
import { openChannel } from '../data/sync.ts'

/**
 * Loaded messages of a channel: initially around a message, the first unread one or the latest. `firstNewId` was
 * unread on arrival.
 */
export function useWindow(channelId: string, messageId: string | undefined) {
  const [stretch] = useState(() => new MessageWindow(channelId))
  const state = useSyncExternalStore(stretch.subscribe, stretch.state)
  const { from, to } = state
  useEffect(() => {
    const leave = [openChannel(channelId), onReload(() => void stretch.catchUp())]
    return () => {
      for (const end of leave) end()
    }
  }, [channelId, stretch])
  const [firstNewId, setFirstNewId] = useState<string>()
  const firstUnreadId = useRef<Promise<string | undefined>>(undefined)
  useEffect(() => {
    if (!firstUnreadId.current) {
      firstUnreadId.current = firstUnread(channelId) // before what is visible counts as read
      void firstUnreadId.current.then(setFirstNewId)
    }
    if (messageId === undefined) void openWhereLeft(stretch, firstUnreadId.current)
    else if (!isMessageInWindow(stretch, messageId)) void stretch.openAt(messageId)
  }, [channelId, stretch, messageId])
  const view = useMemo<View<Message>>(
    () => ({
      filter: (message) =>
        message.channel.id === channelId &&
        message.seq >= from &&
        message.seq <= to &&
        isInChannel(message),
      compare: bySeq,
    }),
    [channelId, from, to],
  )
  const { ids } = useRows('message', view)
  const messages = useMemo(() => ids.flatMap((id) => findChatMessage(id) ?? []), [ids])
  return { stretch, state, messages, firstNewId, hasEnd: to === Number.POSITIVE_INFINITY }
}

function isMessageInWindow(stretch: MessageWindow, messageId: string): boolean {
  const message = findChatMessage(messageId)
  return stretch.state().isLoaded && message !== undefined && stretch.isIn(message)
}

/** Opens a channel at its first new message, or else at its end. */
async function openWhereLeft(
  stretch: MessageWindow,
  firstNew: Promise<string | undefined>,
): Promise<void> {
  if (stretch.state().isLoaded) return
  const first = await firstNew
  await (first === undefined ? stretch.openLatest() : stretch.openAt(first))
}

/** The first new message of a channel, excluding threads. */
export async function firstUnread(channel_id: string): Promise<string | undefined> {
  const channel = channelOf(channel_id)
  if (!channel || channel.unread.total === 0) return undefined
  try {
    const { items } = await call('list_unread_messages', { channel_id })
    return items[0]?.messages.find(isInChannel)?.id
  } catch {
    return undefined // then it is opened at its end, which says what is wrong
  }
}
