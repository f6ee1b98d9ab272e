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

interface ChatNavigation {
  address: ChatAddress
  go: (to: ChatAddress, options?: { replace?: boolean }) => void
}

/** Replaces the address of the page, for a channel embedded in another page. */
export const ChatNavigationContext = createContext<ChatNavigation | undefined>(undefined)

/** Current position in the conversations, and navigation to others. */
export function useChatAddress(): ChatNavigation {
  const provided = useContext(ChatNavigationContext)
  const { channel } = useParams({ strict: false }) as { channel?: string }
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const { message, thread, reply, panel } = search
  const routeNavigation = useMemo<ChatNavigation>(
    () => ({
      address: {
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
  return provided ?? routeNavigation
}

/** The path and search of a chat address. */
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
