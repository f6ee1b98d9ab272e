import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, readStampOf, type Input, type OperationName } from '../api/client.ts'
import { followType, onReload, storeRows } from './row-sync.ts'
import type { LoadState } from './load.ts'
import type { RowOf } from './types.ts'

/** The operation that lists the rows of a type. */
const listOperations = {
  project: 'list_projects',
  channel: 'list_channels',
  sprint: 'list_sprints',
  milestone: 'list_milestones',
  goal: 'list_goals',
  time_entry: 'list_time_entries',
  contact: 'list_contacts',
  company: 'list_companies',
  deal: 'list_deals',
  incident: 'list_incidents',
} as const satisfies Record<string, OperationName>

type ListedType = keyof typeof listOperations
type ListInput<T extends ListedType> = Omit<
  Input<(typeof listOperations)[T]>,
  'limit' | 'cursor' | 'fields'
>

const pageSize = 100

/** Loads all rows of a list into the store, where events keep them up to date. Read them with `useRows`. */
export function useListedRows<T extends ListedType>(
  type: T,
  input: ListInput<T>,
  { enabled = true }: { enabled?: boolean } = {},
): LoadState {
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ['listed', type, input],
    queryFn: ({ signal }) => loadListedRows(type, input, signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY, // events keep the rows current
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  useEffect(() => (enabled ? onReload(() => void refetch()) : undefined), [enabled, refetch])
  return { isLoaded: isSuccess, error, retry: () => void refetch() }
}

async function loadListedRows<T extends ListedType>(
  type: T,
  input: ListInput<T>,
  signal: AbortSignal,
): Promise<number> {
  followType(type)
  let cursor: string | undefined
  let count = 0
  do {
    const pageInput: object = { ...input, limit: pageSize, ...(cursor && { cursor }) }
    const page = (await call(
      listOperations[type],
      pageInput as Input<(typeof listOperations)[T]>,
      signal,
    )) as object as { items: RowOf<T>[]; next_cursor?: string }
    storeRows(type, page.items, readStampOf(page))
    count += page.items.length
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return count
}
