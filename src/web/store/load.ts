import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openSnapshot, type ReadStamp } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'
import { t } from '../texts/index.ts'
import { followType, onReload } from './row-sync.ts'
import { table } from './rows.ts'
import type { RowOf, RowType } from './types.ts'

/** Rows of a snapshot: those of one project, or without finished and cancelled ones. */
export interface SnapshotQuery {
  project_id?: string
  open?: boolean
}

export interface LoadState {
  /** All rows are in the store and are kept up to date from then on. */
  isLoaded: boolean
  error: Error | null
  retry: () => void
}

/**
 * Number of rows shown on arrival; each further update waits for four times as many: screens rearrange all rows each
 * time.
 */
const firstBatchSize = 100
const batchGrowth = 4

/** Loads all rows of a type into the store; already loaded ones are available immediately and up to date. */
export function useSnapshot(type: 'task', query: SnapshotQuery = {}): LoadState {
  const snapshot = useQuery({
    queryKey: ['snapshot', type, query],
    queryFn: ({ signal }) => loadSnapshot(type, query, signal),
    staleTime: Number.POSITIVE_INFINITY, // events keep the rows current
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const { refetch } = snapshot
  useEffect(() => onReload(() => void refetch()), [refetch])
  return { isLoaded: snapshot.isSuccess, error: snapshot.error, retry: () => void refetch() }
}

/** Like useSnapshot(), for use outside components. Returns the number of rows. @throws ApiError */
export async function loadSnapshot(
  type: RowType,
  query: SnapshotQuery,
  signal: AbortSignal,
): Promise<number> {
  followType(type)
  const { lines, stamp } = await openSnapshot({ type, ...query }, signal)
  return storeLines(type, lines, stamp)
}

interface SnapshotHeader {
  columns: string[]
}

async function storeLines(
  type: RowType,
  lines: AsyncIterable<string>,
  stamp: ReadStamp,
): Promise<number> {
  let columns: string[] | undefined
  let count = 0
  let nextBatchCount = firstBatchSize
  let end: number | undefined
  const rows: RowOf<RowType>[] = []
  const flush = () => table(type).put(rows.splice(0), stamp)
  for await (const line of lines) {
    const value: unknown = JSON.parse(line)
    if (columns === undefined) {
      ;({ columns } = value as SnapshotHeader)
    } else if (Array.isArray(value)) {
      rows.push(rowOfValues(columns, value))
      if (++count < nextBatchCount) continue
      flush()
      nextBatchCount *= batchGrowth
    } else ({ end } = value as { end: number })
  }
  flush()
  if (end !== count) throw new ApiError(0, { code: 'offline', message: t.app.offlineError })
  return count
}

function rowOfValues(columns: readonly string[], values: readonly unknown[]): RowOf<RowType> {
  const row: Record<string, unknown> = {}
  columns.forEach((name, i) => {
    const value = values[i]
    if (value !== null && value !== undefined) row[name] = value
  })
  return row as object as RowOf<RowType>
}
