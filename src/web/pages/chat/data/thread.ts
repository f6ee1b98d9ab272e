import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../../api/client.ts'
import { onReload, storeRows, useRow, useRows, type View } from '../../../store/index.ts'
import { compareSeq, type Message } from './rows.ts'
import { openChannel } from './sync.ts'

/** Maximum pages of replies loaded at once. */
const maxPages = 20

/** A message with its replies, kept up to date. */
export function useThread(rootId: string) {
  const threadQuery = useQuery({
    queryKey: ['thread', rootId],
    queryFn: ({ signal }) => loadThread(rootId, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const { refetch } = threadQuery
  useEffect(() => onReload(() => void refetch()), [refetch])
  const root = useRow('message', rootId)
  const channelId = root?.channel.id
  useEffect(() => (channelId === undefined ? undefined : openChannel(channelId)), [channelId])
  const view = useMemo<View<Message>>(
    () => ({
      filter: (message) => message.thread_root_id === rootId && message.deleted_at === undefined,
      compare: compareSeq,
    }),
    [rootId],
  )
  const { ids } = useRows('message', view)
  return {
    root,
    replies: ids,
    isLoaded: threadQuery.isSuccess,
    error: threadQuery.error,
    retry: () => void refetch(),
  }
}

async function loadThread(message_id: string, signal: AbortSignal): Promise<number> {
  let cursor: string | undefined
  let count = 0
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await call(
      'get_message_thread',
      { message_id, limit: 100, ...(cursor && { cursor }) },
      signal,
    )
    storeRows('message', [page.root, ...page.replies])
    count += page.replies.length
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  return count
}
