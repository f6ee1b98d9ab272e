import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type Output } from '../../api/client.ts'

export type ThreadMail = Output<'get_email_thread'>['messages'][number]

const pageSize = 50

/** The messages of a conversation as text, oldest first. Shares its cache with the conversation's page. */
export function useThread(thread_id: string, enabled: boolean) {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['call', 'get_email_thread', { thread_id }, 'parts'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'get_email_thread',
        {
          thread_id,
          format: 'text',
          limit: pageSize,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    enabled,
  })
  const [first] = data?.pages ?? []
  return {
    messages: data?.pages.flatMap((part) => part.messages),
    linked: first?.linked_items ?? [],
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    error,
    retry: () => void refetch(),
  }
}
