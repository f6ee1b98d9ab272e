import type { Row } from '../../../records/resource.ts'
import { iso, localIso } from '../../../kernel/time/times.ts'
import { ianaZone } from '../ical/zones.ts'

/** All-day events are days in any zone: they start at midnight of the requested zone. */
export function presentTimes(
  row: Pick<Row<'events'>, 'all_day'>,
  period: { starts_at: number; ends_at: number },
  zone: string,
  calendarZone: string,
) {
  if (row.all_day === 0) {
    return {
      starts_at: iso(period.starts_at),
      ends_at: iso(period.ends_at),
      starts_local: localIso(period.starts_at, zone),
      ends_local: localIso(period.ends_at, zone),
      timezone: zone,
    }
  }
  const days = eventDays(period, calendarZone)
  const midnight = (day: string) => iso(ianaZone(zone).instant(`${day}T00:00:00`))
  return {
    starts_at: midnight(days.from),
    ends_at: midnight(days.until),
    starts_local: days.from,
    ends_local: days.last,
    timezone: zone,
  }
}

/** The days of an all-day event: the first, the last, and the day after. */
export function eventDays(
  at: { starts_at: number; ends_at: number },
  calendarZone: string,
): { from: string; last: string; until: string } {
  const dayOf = (moment: number) => ianaZone(calendarZone).wall(moment).slice(0, 10)
  return {
    from: dayOf(at.starts_at),
    last: dayOf(Math.max(at.starts_at, at.ends_at - 1)),
    until: dayOf(at.ends_at),
  }
}
