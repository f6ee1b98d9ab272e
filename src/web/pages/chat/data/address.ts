import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { createContext, useContext, useMemo } from 'react'

/** Panels beside the messages. */
export type Panel = 'details' | 'pins' | 'search'

export interface ChatAddress {
  channelId: string | undefined
  /** A message to show in its context. */
  messageId?: string | undefined
  threadId?: string | undefined
  /** A reply in the thread of the address. */
  replyId?: string | undefined
  panel?: Panel | undefined
}

const panels: readonly string[] = ['details', 'pins', 'search'] satisfies Panel[]

interface ChatPlace {
  at: ChatAddress
  go: (to: ChatAddress, how?: { replace?: boolean }) => void
}

/** A place that replaces the address, for a channel on another page. */
export const ChatPlaceContext = createContext<ChatPlace | undefined>(undefined)

/** Current position in the conversations, and navigation to others. */
export function useChatAddress(): ChatPlace {
  const provided = useContext(ChatPlaceContext)
  const { channel } = useParams({ strict: false }) as { channel?: string }
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const { message, thread, reply, panel } = search
  const routePlace = useMemo<ChatPlace>(
    () => ({
      at: {
        channelId: channel,
        messageId: searchTextOf(message),
        threadId: searchTextOf(thread),
        replyId: searchTextOf(reply),
        panel: panels.includes(String(panel)) ? (panel as Panel) : undefined,
      },
      go: (to, { replace = false } = {}) =>
        void navigate({ to: chatPathOf(to), search: searchOf(to), replace }),
    }),
    [channel, message, thread, reply, panel, navigate],
  )
  return provided ?? routePlace
}

/** The link to a place in the chat. */
export function chatPath(to: ChatAddress): string {
  const search = new URLSearchParams(searchOf(to)).toString()
  return search === '' ? chatPathOf(to) : `${chatPathOf(to)}?${search}`
}

const chatPathOf = ({ channelId }: ChatAddress) =>
  channelId === undefined ? '/chat' : `/chat/${channelId}`

function searchOf({ messageId, threadId, replyId, panel }: ChatAddress): Record<string, string> {
  return {
    ...(messageId !== undefined && { message: messageId }),
    ...(threadId !== undefined && { thread: threadId }),
    ...(replyId !== undefined && { reply: replyId }),
    ...(panel !== undefined && { panel }),
  }
}

const searchTextOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : undefined
