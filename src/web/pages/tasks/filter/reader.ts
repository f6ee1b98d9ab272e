import { useEffect, useMemo, useState } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { instantOf, wallOf } from '../../calendar/data/wall.ts'
import type { TaskFilter } from './filter.ts'
import type { FilterContext } from './matches.ts'

const checkIntervalMs = 15_000
const minuteMs = 60_000

/** True if the matches of a filter change by the minute, not only by the day. */
export const isByMinute = ({ due, updated }: TaskFilter): boolean =>
  due.includes('overdue') || updated.some((period) => period.includes('hour'))

/** The person and the time in their time zone, updated daily or every minute. */
export function useFilterContext(isByMinuteNeeded: boolean): FilterContext {
  const { id: personId, timezone: zone } = useSignedIn().person
  const now = useCurrentTime(zone, isByMinuteNeeded)
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

const dayIn = (zone: string, time: number) => wallOf(time, zone).slice(0, 10)

function useCurrentTime(zone: string, isByMinuteNeeded: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const periodKey = (time: number) =>
      isByMinuteNeeded ? Math.floor(time / minuteMs) : dayIn(zone, time)
    const update = () =>
      setNow((current) => (periodKey(current) === periodKey(Date.now()) ? current : Date.now()))
    update()
    const timer = setInterval(update, checkIntervalMs)
    return () => clearInterval(timer)
  }, [zone, isByMinuteNeeded])
  return now
}
