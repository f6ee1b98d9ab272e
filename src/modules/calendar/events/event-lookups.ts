import type { ReadContext } from '../../../operations/context.ts'
import { notFound } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { calendar, event, occurrencePlace } from '../access.ts'
import { readObject } from '../ical/objects.ts'
import { occurrenceAt } from '../ical/occurrences.ts'
import { presentEvents, type EventShape } from '../shapes.ts'
import { occurrenceIdPattern } from './access-ids.ts'
import type { EventOccurrence } from './occurrence-views.ts'

type Occurrence = NonNullable<EventOccurrence['occurrence']>

/** The rows for ids of events, series and occurrences; an occurrence's row includes its place, like an argument's. */
export async function findEventsByIds(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Row<'events'>>> {
  const rows = await event.among(ctx, ids)
  return new Map(
    [...rows].map(([id, row]) => {
      const place = occurrenceIdPattern.exec(id)?.[2]
      return [id, place === undefined ? row : { ...row, place }]
    }),
  )
}

/** Events, series and occurrences for lists; missing occurrences are omitted. */
export async function presentEventsAndOccurrences(
  ctx: ReadContext,
  events: readonly Row<'events'>[],
): Promise<EventShape[]> {
  const showings: EventOccurrence[] = []
  for (const { row, place } of events.map(occurrencePlace)) {
    if (place === undefined) showings.push({ row })
    else {
      const occurrence = await findOccurrence(ctx, row, place)
      if (occurrence) showings.push({ row, occurrence })
    }
  }
  return presentEvents(ctx, showings)
}

/** @throws Refusal not_found if the series has no such occurrence */
export async function requireOccurrence(
  ctx: ReadContext,
  row: Row<'events'>,
  place: string,
): Promise<Occurrence> {
  const occurrence = await findOccurrence(ctx, row, place)
  if (!occurrence) throw notFound('event', 'event_id')
  return occurrence
}

async function findOccurrence(
  ctx: ReadContext,
  row: Row<'events'>,
  place: string,
): Promise<Occurrence | undefined> {
  if (row.unreadable !== null || row.is_series !== 1) return undefined
  const { timezone } = await calendar
    .visibleTo(ctx)
    .select('calendars.timezone')
    .where('calendars.id', '=', row.calendar_id)
    .executeTakeFirstOrThrow()
  const occurrence = occurrenceAt(readObject(row.raw_ics), place, timezone)
  return (
    occurrence && {
      place,
      starts_at: occurrence.starts_at,
      ends_at: occurrence.ends_at,
      is_exception: occurrence.isException ? 1 : 0,
    }
  )
}
