import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useStream } from '../../api/live.ts'
import { useOperation } from '../../api/queries.ts'

export type KeyCall = Output<'list_api_calls'>['items'][number]

/** The latest calls of the reader's keys or of one of them, newest first, with live updates. */
export function useRecentCalls(limit: number, keyId?: string) {
  const [streamedCalls, setStreamedCalls] = useState<KeyCall[]>([])
  const callsQuery = useOperation('list_api_calls', {
    limit,
    ...(keyId === undefined ? {} : { key_id: keyId }),
  })
  useStream(
    keyId === undefined ? '/web/activity/stream' : `/web/activity/stream?key_id=${keyId}`,
    'call',
    (data) => {
      const call = data as KeyCall
      if (call.key.id !== '')
        setStreamedCalls((previous) =>
          [call, ...previous.filter((item) => item.id !== call.id)].slice(0, limit),
        ) // calls without a key come from the web app
    },
    () => void callsQuery.refetch(),
  )
  const streamedIds = new Set(streamedCalls.map((item) => item.id))
  const data =
    callsQuery.data &&
    [...streamedCalls, ...callsQuery.data.items.filter((item) => !streamedIds.has(item.id))].slice(
      0,
      limit,
    )
  return { ...callsQuery, data }
}

/** The program of a call: `claude-code 1.2`. */
export function clientName({ client }: KeyCall): string | undefined {
  return client && [client.name, client.version].filter(Boolean).join(' ')
}
