import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../../api/client.ts'

const maxPages = 20
const settleMs = 800

/**
 * Tasks that any key created or changed since then; undefined while loading, and if not requested. Reloaded a moment
 * after `rows` change.
 */
export function useChangedByAssistants(
  word: string | undefined,
  rows: unknown,
): ReadonlySet<string> | undefined {
  const client = useQueryClient()
  const queryKey = useMemo(() => ['changed-by-assistants', word], [word])
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readChanged(word ?? '', signal),
    enabled: word !== undefined,
    staleTime: 0,
  })
  useEffect(() => {
    if (word === undefined || !rows) return undefined
    const later = setTimeout(() => void client.invalidateQueries({ queryKey }), settleMs)
    return () => clearTimeout(later)
  }, [word, rows, client, queryKey])
  return data
}

async function readChanged(since: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
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
