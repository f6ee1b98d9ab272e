import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, readStampOf, type Input } from '../../api/client.ts'
import { scheduleReload, table, storeRows, useAllRowsOf } from '../../store/index.ts'
import { sortThreads, splitOf, type Split, type ThreadRow } from './splits.ts'

const pageSize = 100
/** Maximum conversations loaded per list; if there are more, the latest ones. */
const maxThreads = 500
/** Refetch interval: conversations that were put off return without an event. */
const refetchMs = 60_000

/** The lists from which the splits are built. */
const lists: readonly Input<'list_email_threads'>[] = [
  { folder: 'inbox' },
  { awaiting: 'them' },
  { snoozed: true },
]

export interface LoadedThreads {
  /** Conversations of the split, in its order. */
  threads: readonly ThreadRow[]
  counts: Readonly<Record<Split, number>>
  isLoaded: boolean
  error: Error | null
  retry: () => void
}

const hasSplit = (thread: ThreadRow) => splitOf(thread) !== undefined

/** The conversations of a split, with live updates. `keptId` keeps its place even after it was read. */
export function useThreads(split: Split, keptId: string | undefined): LoadedThreads {
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ['mail', 'threads'],
    queryFn: ({ signal }) => loadThreads(signal),
    refetchInterval: refetchMs,
    staleTime: refetchMs,
    meta: { affectedBy: mailTypes },
  })
  const all = useAllRowsOf('thread', hasSplit)
  const groups = useMemo(
    () => Map.groupBy(all, (thread) => (thread.id === keptId ? split : splitOf(thread))),
    [all, keptId, split],
  )
  const threads = useMemo(() => sortThreads(groups.get(split) ?? [], split), [groups, split])
  const count = (name: Split) => groups.get(name)?.length ?? 0
  return {
    threads,
    counts: {
      reply: count('reply'),
      unread: count('unread'),
      other: count('other'),
      waiting: count('waiting'),
      later: count('later'),
    },
    isLoaded: isSuccess,
    error,
    retry: () => void refetch(),
  }
}

async function loadThreads(signal: AbortSignal): Promise<number> {
  const threadIds = new Set<string>()
  let isComplete = true
  for (const list of lists) {
    let cursor: string | undefined
    let count = 0
    do {
      const input = { ...list, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
      const page = await call('list_email_threads', input, signal)
      storeRows('thread', page.items, readStampOf(page))
      for (const thread of page.items) threadIds.add(thread.id)
      count += page.items.length
      cursor = page.next_cursor
    } while (cursor !== undefined && count < maxThreads)
    isComplete &&= cursor === undefined
  }
  if (isComplete) refetchMoved(threadIds)
  return threadIds.size
}

/** Reloads conversations that left all lists: they were archived or answered elsewhere. */
function refetchMoved(threadIds: ReadonlySet<string>): void {
  const moved = [...table('thread').all()].filter((row) => hasSplit(row) && !threadIds.has(row.id))
  if (moved.length > 0)
    scheduleReload(
      'thread',
      moved.map((row) => row.id),
    )
}

const mailTypes = ['email', 'thread', 'email_draft', 'scheduled_email']
