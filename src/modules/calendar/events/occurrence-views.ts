import { chunks } from '../../../kernel/chunks.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, parseInstant } from '../../../kernel/time/times.ts'
import { calendar, event, ownAddresses } from '../access.ts'
import { ownOccurrences, type OccurrenceTime } from './access-occurrences.ts'
import { eventDays } from './displayed-times.ts'
import { ianaZone } from '../ical/zones.ts'

/** Event row with one of its occurrences; without one, the event or series itself. */
export interface EventOccurrence {
  row: Row<'events'>
  occurrence?: Pick<OccurrenceTime, 'place' | 'starts_at' | 'ends_at' | 'is_exception'> | undefined
}

/** Longer periods must be requested in parts. */
const maxSpanMs = 1900 * dayLength

/** A period that a caller requests. */
export interface TimeRange {
  start: number
  end: number
  zone: string
}

/** @throws Refusal invalid_argument unless it is a valid period */
export function requestedRange(
  ctx: ReadContext,
  from: string,
  to: string,
  zone = ctx.actor.timezone,
): TimeRange {
  const [start, end] = [
    parseInstant(from, zone, 'start', 'from'),
    parseInstant(to, zone, 'end', 'to') + (to.length === 10 ? 1000 : 0),
  ]
  if (end <= start) throw invalid('to', 'must be after from.')
  if (end - start > maxSpanMs)
    throw invalid('to', 'the period can be at most five years.', 'Use a shorter period.')
  return { start, end, zone }
}

/** Occurrences of the caller's own events within a period, in order; all-day events count by the days of the zone. */
export async function occurrencesInRange(
  ctx: ReadContext,
  { start, end, zone }: TimeRange,
  filter: { calendars?: Id<'calendars'>[]; event?: Id<'events'> } = {},
): Promise<EventOccurrence[]> {
  const occurrences = await ownOccurrences(
    ctx,
    filter,
    start - dayLength,
    end + dayLength,
    await ownAddresses(ctx),
  )
  const rows = await eventRowsOf(ctx, occurrences)
  const zones = new Map(
    (await calendar.visibleTo(ctx).select(['calendars.id', 'calendars.timezone']).execute()).map(
      (row) => [row.id, row.timezone],
    ),
  )
  return occurrences.flatMap((occurrence) => {
    const row = rows.get(occurrence.event_id)
    return row && isInRange(row, occurrence, start, end, zone, zones.get(row.calendar_id)!)
      ? [{ row, occurrence }]
      : []
  })
}

function isInRange(
  row: Row<'events'>,
  occurrence: OccurrenceTime,
  start: number,
  end: number,
  zone: string,
  calendarZone: string,
): boolean {
  const days = row.all_day === 1 ? eventDays(occurrence, calendarZone) : undefined
  const midnight = (day: string) => ianaZone(zone).instant(`${day}T00:00:00`)
  const [begins, ends] = days
    ? [midnight(days.from), midnight(days.until)]
    : [occurrence.starts_at, occurrence.ends_at]
  return begins < end && (ends > start || (ends === begins && begins >= start))
}

async function eventRowsOf(
  ctx: ReadContext,
  occurrences: readonly OccurrenceTime[],
): Promise<Map<string, Row<'events'>>> {
  const ids = [...new Set(occurrences.map((occurrence) => occurrence.event_id))]
  const rows = new Map<string, Row<'events'>>()
  for (const batch of chunks(ids, 500))
    for (const [id, row] of await event.among(ctx, batch)) rows.set(id, row)
  return rows
}
