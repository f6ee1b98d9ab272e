import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../../api/client.ts'

const maxPages = 20
const reloadDelayMs = 800

/**
 * Tasks that any key created or changed since then; undefined while loading, and if not requested. Reloaded a moment
 * after `rows` change.
 */
export function useChangedByAssistants(
  since: string | undefined,
  rows: unknown,
): ReadonlySet<string> | undefined {
  const client = useQueryClient()
  const queryKey = useMemo(() => ['changed-by-assistants', since], [since])
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readChanged(since ?? '', signal),
    enabled: since !== undefined,
    staleTime: 0,
  })
  useEffect(() => {
    if (since === undefined || !rows) return undefined
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey }), reloadDelayMs)
    return () => clearTimeout(timer)
  }, [since, rows, client, queryKey])
  return data
}

async function readChanged(since: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  let cursor: string | undefined
  for (let pageIndex = 0; pageIndex < maxPages; pageIndex++) {
    const page = await call(
      'list_tasks',
      {
        changed_by_key: 'any',
        updated_after: since,
        fields: ['id'],
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      },
      signal,
    )
    for (const { id } of page.items) ids.add(id)
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  return ids
}
