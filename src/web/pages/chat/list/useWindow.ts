import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { call } from '../../../api/client.ts'
import { onReload, useRows, type View } from '../../../store/index.ts'
import { MessageWindow } from '../data/message-window.ts'
import { compareSeq, channelOf, isInChannel, findChatMessage, type Message } from '../data/rows.ts'
import { openChannel } from '../data/sync.ts'

/**
 * Loaded messages of a channel: initially around a message, the first unread one or the latest. `firstNewId` is
 * the first one that was unread on arrival.
 */
export function useMessageWindow(channelId: string, messageId: string | undefined) {
  const [messageWindow] = useState(() => new MessageWindow(channelId))
  const state = useSyncExternalStore(messageWindow.subscribe, messageWindow.state)
  const { from, to } = state
  useEffect(() => {
    const unsubscribers = [openChannel(channelId), onReload(() => void messageWindow.catchUp())]
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    }
  }, [channelId, messageWindow])
  const [firstNewId, setFirstNewId] = useState<string>()
  const firstUnreadId = useRef<Promise<string | undefined>>(undefined)
  useEffect(() => {
    if (!firstUnreadId.current) {
      firstUnreadId.current = fetchFirstUnreadId(channelId) // before visible messages are marked as read
      void firstUnreadId.current.then(setFirstNewId)
    }
    if (messageId === undefined) void openAtFirstNew(messageWindow, firstUnreadId.current)
    else if (!isMessageInWindow(messageWindow, messageId)) void messageWindow.openAt(messageId)
  }, [channelId, messageWindow, messageId])
  const view = useMemo<View<Message>>(
    () => ({
      filter: (message) =>
        message.channel.id === channelId &&
        message.seq >= from &&
        message.seq <= to &&
        isInChannel(message),
      compare: compareSeq,
    }),
    [channelId, from, to],
  )
  const { ids } = useRows('message', view)
  const messages = useMemo(() => ids.flatMap((id) => findChatMessage(id) ?? []), [ids])
  return {
    messageWindow,
    state,
    messages,
    firstNewId,
    hasEnd: to === Number.POSITIVE_INFINITY,
  }
}

function isMessageInWindow(messageWindow: MessageWindow, messageId: string): boolean {
  const message = findChatMessage(messageId)
  return messageWindow.state().isLoaded && message !== undefined && messageWindow.isIn(message)
}

/** Opens a channel at its first new message, or else at its end. */
async function openAtFirstNew(
  messageWindow: MessageWindow,
  firstNew: Promise<string | undefined>,
): Promise<void> {
  if (messageWindow.state().isLoaded) return
  const first = await firstNew
  await (first === undefined ? messageWindow.openLatest() : messageWindow.openAt(first))
}

/** The first new message of a channel, excluding threads. */
export async function fetchFirstUnreadId(channel_id: string): Promise<string | undefined> {
  const channel = channelOf(channel_id)
  if (!channel || channel.unread.total === 0) return undefined
  try {
    const { items } = await call('list_unread_messages', { channel_id })
    return items[0]?.messages.find(isInChannel)?.id
  } catch {
    return undefined // the channel then opens at its end, and that request reports the error
  }
}
