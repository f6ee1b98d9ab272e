import { useEffect, useMemo } from 'react'
import { useListedRows, useRow, useRows, type View, type ViewState } from '../../../store/index.ts'
import { channelOf, isConversation, type Channel } from './rows.ts'
import { followChat } from './sync.ts'

/** The reader's channels and conversations, in list order. */
const joinedView: View<Channel> = {
  filter: (channel) => channel.joined && !channel.archived,
  compare: (a, b) =>
    Number(isConversation(a)) - Number(isConversation(b)) ||
    (isConversation(a)
      ? (b.last_message_at ?? '').localeCompare(a.last_message_at ?? '')
      : a.name.localeCompare(b.name)),
  groups: (channel) => (isConversation(channel) ? 'direct' : 'channels'),
}

const unreadView: View<Channel> = {
  filter: (channel) => channel.joined && !channel.archived && channel.unread.total > 0,
  // grouped by counts, so that the view changes with each count
  groups: ({ unread }) => `${unread.total} ${unread.mentions}`,
}

const joinedFilter = { joined: true }

/** The reader's channels and conversations, kept up to date; `isFrozen` keeps their order. */
export function useChannels(isFrozen = false) {
  useEffect(followChat, [])
  const loading = useListedRows('channel', joinedFilter)
  const view = useRows('channel', joinedView, { isFrozen })
  return { ...loading, view, ids: idsInOrder(view) }
}

function idsInOrder({ groups }: ViewState): readonly string[] {
  return [...(groups.get('channels') ?? []), ...(groups.get('direct') ?? [])]
}

/** Unread totals over all conversations: the number of mentions and direct messages, and whether there are others. */
export function useUnreadSum(): { direct: number; hasOther: boolean } {
  useEffect(followChat, [])
  useListedRows('channel', joinedFilter)
  const { ids, groups } = useRows('channel', unreadView)
  return useMemo(() => {
    if (groups.size === 0) return { direct: 0, hasOther: false }
    const channels = ids.flatMap((id) => channelOf(id) ?? [])
    const direct = channels.reduce((sum, channel) => sum + urgentCount(channel), 0)
    return { direct, hasOther: channels.length > 0 && direct === 0 }
  }, [ids, groups])
}

/** Counts the unread messages of a channel that need attention: mentions, and all messages of a conversation. */
export function urgentCount(channel: Channel): number {
  return isConversation(channel) ? channel.unread.total : channel.unread.mentions
}

export const useChannel = (id: string): Channel | undefined => useRow('channel', id)
