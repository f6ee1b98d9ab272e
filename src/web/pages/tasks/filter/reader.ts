import { useEffect, useMemo, useState } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { instantOf, wallOf } from '../../calendar/data/wall.ts'
import type { TaskFilter } from './filter.ts'
import type { TaskReader } from './matches.ts'

const lookMs = 15_000
const minuteMs = 60_000

/** True if the matches of a filter change by the minute, not only by the day. */
export const isByMinute = ({ due, updated }: TaskFilter): boolean =>
  due.includes('overdue') || updated.some((period) => period.includes('hour'))

/** Reader with the local time of their zone; the time is updated daily, or every minute. */
export function useReader(byMinute: boolean): TaskReader {
  const { id: personId, timezone: zone } = useSignedIn().person
  const now = useMoment(zone, byMinute)
  return useMemo(
    () => ({
      personId,
      now,
      today: dayIn(zone, now),
      startOf: (day) => instantOf(`${day}T00:00`, zone),
    }),
    [personId, zone, now],
  )
}

const dayIn = (zone: string, at: number) => wallOf(at, zone).slice(0, 10)

function useMoment(zone: string, byMinute: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const pieceOf = (at: number) => (byMinute ? Math.floor(at / minuteMs) : dayIn(zone, at))
    const look = () =>
      setNow((before) => (pieceOf(before) === pieceOf(Date.now()) ? before : Date.now()))
    look()
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [zone, byMinute])
  return now
}
