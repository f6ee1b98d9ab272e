import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useDebouncedCallback } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { get } from '../../../api/client.ts'
import { endpointKey } from '../../../api/queries.ts'
import { useStream } from '../../../api/live.ts'
import type { ApiCall, LogPage } from './calls.ts'
import { matchesFilter, filterQuery, streamOf, type Filter } from '../filter.ts'

const logKey = ['web', '/web/activity'] as const
type Pages = InfiniteData<LogPage, string>
type LogKey = readonly unknown[]
type LogQuery = ReturnType<typeof filterQuery>

/** Number of entries on the first page, which must load fast, and on further pages. */
const firstPageSize = 60
const pageSize = 200

/** The filtered call log, page by page, with live updates: applied immediately if `isAtTop`, else on request. */
export function useCallLog(filter: Filter, isAtTop: () => boolean) {
  const queryKey = useMemo(() => [...logKey, filter], [filter])
  const query = useMemo(() => filterQuery(filter, Date.now()), [filter])
  const pages = useLogPages(queryKey, query)
  const calls = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data])
  const isLoaded = pages.data !== undefined
  const { add, missed: fetchMissed } = useLogUpdates({ queryKey, query, isLoaded })
  const { waiting, onCall, show } = useNewCalls({ filter, queryKey, isLoaded, isAtTop, add })
  useStream(
    streamOf(filter),
    'call',
    (data) => onCall(data as ApiCall),
    () => void fetchMissed(),
  )
  return { ...pages, calls, waitingCount: waiting.length, show }
}

function useLogPages(queryKey: LogKey, query: LogQuery) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      get(
        '/web/activity',
        {
          ...query,
          limit: pageParam === '' ? firstPageSize : pageSize,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (lastPage) => (lastPage.has_more ? lastPage.next_cursor : undefined),
    staleTime: Infinity, // the stream keeps it current
    gcTime: 300_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchOnMount: false,
  })
}

interface LogUpdates {
  queryKey: LogKey
  query: LogQuery
  isLoaded: boolean
}

/** Adds newer calls to the loaded pages, and reloads entries that may have been missed. */
function useLogUpdates({ queryKey, query, isLoaded }: LogUpdates) {
  const client = useQueryClient()
  const add = useCallback(
    (newCalls: readonly ApiCall[]) => {
      client.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newCalls))
    },
    [client, queryKey],
  )
  const isFetchDue = useRef(false)
  /**
   * Reloads the newest entries if some may have been missed, or everything if too many were. Not before the first
   * page has loaded.
   */
  const fetchMissed = useCallback(async () => {
    const firstPage = client.getQueryData<Pages>(queryKey)?.pages[0]
    if (!firstPage) {
      isFetchDue.current = true
      return
    }
    const newest = await get('/web/activity', { ...query, limit: pageSize }).catch(() => undefined)
    const ids = new Set(firstPage.items.map((item) => item.id))
    const oldest = firstPage.items.at(-1)?.id
    const end = newest?.items.findIndex((item) => item.id === oldest) ?? -1 // entries after it are on the next page
    if (newest && (!newest.has_more || newest.items.some((item) => ids.has(item.id))))
      add(end < 0 ? newest.items : newest.items.slice(0, end))
    else await client.resetQueries({ queryKey })
  }, [client, queryKey, query, add])
  useEffect(() => {
    if (client.getQueryData(queryKey)) void fetchMissed() // cached by an earlier visit
  }, [client, queryKey, fetchMissed])
  useEffect(() => {
    if (!isLoaded) return
    if (isFetchDue.current) void fetchMissed()
    isFetchDue.current = false
  }, [isLoaded, fetchMissed])
  return { add, missed: fetchMissed }
}

interface NewCalls {
  filter: Filter
  queryKey: LogKey
  isLoaded: boolean
  isAtTop: () => boolean
  add: (newCalls: readonly ApiCall[]) => void
}

/** Collects new calls, and adds them at the top or keeps them waiting. */
function useNewCalls({ filter, queryKey, isLoaded, isAtTop, add }: NewCalls) {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<ApiCall[]>([])
  useEffect(() => setWaiting([]), [queryKey])
  const bufferedCalls = useRef<ApiCall[]>([])
  const flushBuffer = useDebouncedCallback(
    () => {
      if (!client.getQueryData(queryKey)) return // calls that arrive before the first page are added after it
      const matching = bufferedCalls.current.filter((call) => matchesFilter(call, filter))
      bufferedCalls.current = []
      if (isAtTop()) add(matching)
      else
        setWaiting((previous) => [
          ...matching.filter((call) => !previous.some((apiCall) => apiCall.id === call.id)),
          ...previous,
        ])
    },
    { delay: 80, maxWait: 300 },
  )
  useEffect(() => {
    if (isLoaded) flushBuffer()
  }, [isLoaded, flushBuffer])
  const onCall = (call: ApiCall) => {
    bufferedCalls.current.push(call)
    flushBuffer()
  }
  const show = useCallback(() => {
    add(waiting)
    setWaiting([])
  }, [add, waiting])
  return { waiting, onCall, show }
}

const compareText = (a: string, b: string) => Number(a > b) - Number(a < b)

/** Prepends newer calls in order, without duplicates. */
function withNewer(pages: Pages, newCalls: readonly ApiCall[]): Pages {
  const [first, ...rest] = pages.pages
  const ids = new Set(pages.pages.flatMap((page) => page.items.map((item) => item.id)))
  const fresh = newCalls.filter((apiCall) => !ids.has(apiCall.id))
  if (!first || fresh.length === 0) return pages
  const items = [...fresh, ...first.items].sort((a, b) =>
    a.at === b.at ? compareText(b.id, a.id) : compareText(b.at, a.at),
  )
  return { ...pages, pages: [{ ...first, items }, ...rest] }
}

/** Marks a call as undone everywhere. */
export function useMarkUndone(): (id: string) => void {
  const client = useQueryClient()
  return useCallback(
    (id) => {
      const markUndone = (page: LogPage) =>
        page.items.some((item) => item.id === id)
          ? {
              ...page,
              items: page.items.map((item) =>
                item.id === id ? { ...item, undo: 'done' as const } : item,
              ),
            }
          : page
      client.setQueriesData<Pages>(
        { queryKey: logKey },
        (pages) => pages && { ...pages, pages: pages.pages.map(markUndone) },
      )
      void client.invalidateQueries({ queryKey: endpointKey('/web/activity/calls/:id', { id }) })
    },
    [client],
  )
}
