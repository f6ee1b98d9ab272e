import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../../api/client.ts'
import type { FullMeeting } from '../data.ts'
import type { TranscriptLine } from './proof.ts'

/** Number of lines loaded automatically; the rest on request. */
const maxAutoLines = 5000
const pageSize = 500

/** Transcript of a meeting, loaded page by page. */
export function useTranscript({ id, transcript }: Pick<FullMeeting, 'id' | 'transcript'>) {
  const input = { meeting_id: id, limit: pageSize }
  const pages = useInfiniteQuery({
    queryKey: ['call', 'get_transcript', input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('get_transcript', { ...input, ...(pageParam !== '' && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    enabled: transcript.exists,
  })
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = pages
  const lines = useMemo(
    (): TranscriptLine[] =>
      data?.pages.flatMap((page) => page.lines).map((line, n) => ({ ...line, n })) ?? [],
    [data],
  )
  const shouldFetchMore =
    hasNextPage && !isFetchingNextPage && !isError && lines.length < maxAutoLines
  useEffect(() => {
    if (shouldFetchMore) void fetchNextPage()
  }, [shouldFetchMore, fetchNextPage])
  return { transcriptQuery: pages, lines, speakers: data?.pages[0]?.speakers ?? [] }
}

export type LoadedTranscript = ReturnType<typeof useTranscript>
