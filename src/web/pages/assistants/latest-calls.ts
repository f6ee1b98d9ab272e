import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { get } from '../../api/client.ts'
import { useStream } from '../../api/live.ts'
import type { ApiCall } from '../activity/calls/calls.ts'

/** Milliseconds after its last call for which an assistant counts as working. */
const workingMs = 60_000
const refreshMs = 5000

/**
 * The latest call of each of the reader's keys, by key, with live updates. Activity of others' keys is not available.
 */
export function useLatestCalls(): ReadonlyMap<string, ApiCall> {
  const [liveCalls, setLiveCalls] = useState<ReadonlyMap<string, ApiCall>>(new Map())
  const { data, refetch } = useQuery({
    queryKey: ['latest-calls'],
    queryFn: ({ signal }) => get('/web/activity', { of: 'me', source: 'keys', limit: 100 }, signal),
  })
  useStream(
    '/web/activity/stream',
    'call',
    (entry) => {
      const call = entry as ApiCall
      if (call.key.id !== '') setLiveCalls((previous) => new Map(previous).set(call.key.id, call))
    },
    () => void refetch(),
  )
  const latest = new Map<string, ApiCall>()
  for (const call of [...liveCalls.values(), ...(data?.items ?? [])]) {
    const previous = latest.get(call.key.id)
    if (!previous || previous.at < call.at) latest.set(call.key.id, call)
  }
  return latest
}

/** True if a call is recent enough for its assistant to count as working. */
export const isWorking = (at: string) => Date.now() - Date.parse(at) < workingMs

/** Rerenders every few seconds, so that "a moment ago" stays correct. */
export function usePeriodicRerender(): void {
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(rerender, refreshMs)
    return () => clearInterval(timer)
  }, [])
}
