import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { call, readStampOf } from '../../../api/client.ts'
import { table, storeRows, useAllRowsOf } from '../../../store/index.ts'
import { compareEvents, isOccurrence, isOnDays, type EventRow } from './events.ts'

const pageSize = 100
const eventTypes = ['event', 'calendar', 'account']
const queryName = 'calendar events'

interface LoadedEvents {
  /** Events on the visible days, in order. */
  events: readonly EventRow[]
  isLoaded: boolean
  error: Error | null
  retry: () => void
}

/** The reader's events on some days, with live updates. */
export function useEvents(days: readonly string[], timezone: string): LoadedEvents {
  const [from, to] = [days[0] ?? '', days.at(-1) ?? '']
  const { isSuccess, error, refetch } = useQuery({
    queryKey: [queryName, from, to, timezone],
    queryFn: ({ signal }) => loadEvents({ from, to, timezone }, signal),
    meta: { affectedBy: eventTypes },
  })
  const isShown = useCallback(
    (row: EventRow) => isOccurrence(row) && isOnDays(row, from, to),
    [from, to],
  )
  const rows = useAllRowsOf('event', isShown)
  return {
    events: useMemo(() => rows.toSorted(compareEvents), [rows]),
    isLoaded: isSuccess,
    error,
    retry: () => void refetch(),
  }
}

interface Period {
  from: string
  to: string
  timezone: string
}

async function loadEvents(period: Period, signal: AbortSignal): Promise<number> {
  const events = table('event')
  const previousIds = confirmedOn(period)
  const eventIds = new Set<string>()
  let cursor: string | undefined
  do {
    const input = { ...period, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const page = await call('list_events', input, signal)
    storeRows('event', page.items, readStampOf(page))
    for (const event of page.items) eventIds.add(event.id)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  // Events that are missing now were moved or deleted; events created during the request are kept.
  events.remove(previousIds.filter((id) => !eventIds.has(id) && !events.isUnconfirmed(id)))
  return eventIds.size
}

/** Ids of server-confirmed events on some days. */
function confirmedOn({ from, to }: Period): string[] {
  const events = table('event')
  return [...events.all()]
    .filter((row) => isOnDays(row, from, to) && !events.isUnconfirmed(row.id))
    .map((row) => row.id)
}
