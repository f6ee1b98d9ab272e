import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging, shortText, timezone } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { cut, decodeCursor, encodeCursor, pageWithItems } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, iso, localIso } from '../../../kernel/time/times.ts'
import { calendar, event, occurrenceIdOf, ownAddresses, occurrencePlace } from '../access.ts'
import { eventFields } from '../ical/event-fields.ts'
import { readObject } from '../ical/objects.ts'
import { requestedRange, occurrencesInRange, type EventOccurrence } from './occurrence-views.ts'
import { exceptionReader, expand } from '../ical/occurrences.ts'
import { requireOccurrence } from './event-lookups.ts'
import { Event, responses, presentEvents, type EventShape } from '../shapes.ts'

export const listEvents = operation({
  name: 'list_events',
  searchHint: 'meetings this week, appointments, my calendar, what is scheduled, next meeting',
  kind: 'read',
  rest: 'GET /api/events',
  about:
    'Events between two moments in all own calendars, repeating ones expanded, times in UTC and local',
  on: { calendar: calendar.see.maybe, series: event.see.maybe },
  input: {
    from: datetime().describe('what ends after it'),
    to: datetime().describe('what begins before it; a date: the end of that day'),
    query: shortText(200).optional().describe('words in title, location, description or names'),
    attendee: shortText(320)
      .optional()
      .describe('an email address or part of a name, of an attendee or the organizer'),
    response: z.enum(responses).optional().describe('your own answer'),
    timezone: timezone().optional().describe('of the local times; default: yours'),
    ...paging,
  },
  output: pageOf(Event),
  async handle(
    { calendar, series, from, to, query, attendee, response, timezone, limit, cursor },
    ctx,
  ) {
    const range = requestedRange(ctx, from, to, timezone)
    const occurrenceFilter = omitNullish({
      calendars: calendar ? [calendar.id] : undefined,
      event: series ? series.id : undefined,
    })
    const showings = await occurrencesInRange(ctx, range, occurrenceFilter)
    const matches = showings.filter(await eventFilterOf(ctx, { query, attendee, response }))
    const remaining =
      cursor === undefined ? matches : matches.slice(indexAfterCursor(matches, cursor))
    const page = cut(remaining.slice(0, limit + 1), limit, (showing) =>
      encodeCursor([showing.occurrence!.starts_at, showing.row.id, showing.occurrence!.place]),
    )
    return pageWithItems(page, await presentEvents(ctx, page.items, range.zone))
  },
})

interface Filters {
  query: string | undefined
  attendee: string | undefined
  response: (typeof responses)[number] | undefined
}

/** Whether an event matches; exceptions are matched by their own content. */
async function eventFilterOf(
  ctx: ReadContext,
  { query, attendee, response }: Filters,
): Promise<(showing: EventOccurrence) => boolean> {
  if (query === undefined && attendee === undefined && response === undefined) return () => true
  const words = (query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const attendeeText = attendee?.trim().toLowerCase()
  const addresses = await ownAddresses(ctx)
  const exceptionOf = exceptionReader()
  return ({ row, occurrence }) => {
    const exception =
      occurrence?.is_exception === 1 ? exceptionOf(row, occurrence.place, row.timezone) : undefined
    const fields = exception
      ? eventFields(exception, addresses)
      : {
          ...row,
          attendees: JSON.parse(row.attendees_json),
          organizer: row.organizer_json === null ? null : JSON.parse(row.organizer_json),
        }
    const people = [...fields.attendees, ...(fields.organizer ? [fields.organizer] : [])] as {
      address: string
      name?: string
    }[]
    const peopleTexts = people.map((person) =>
      `${person.address} ${person.name ?? ''}`.toLowerCase(),
    )
    const text = [fields.title, fields.location, fields.description, ...peopleTexts]
      .join('\n')
      .toLowerCase()
    return (
      words.every((word) => text.includes(word)) &&
      (attendeeText === undefined || peopleTexts.some((name) => name.includes(attendeeText))) &&
      (response === undefined || fields.my_response === response)
    )
  }
}

/** Number of list entries up to and including the position of a cursor. */
function indexAfterCursor(showings: readonly EventOccurrence[], cursor: string): number {
  const [at, id, place] = decodeCursor(cursor)
  if (typeof at !== 'number' || typeof id !== 'string' || typeof place !== 'string')
    throw invalid('cursor', 'not a cursor of this list.')
  const index = showings.findIndex(
    ({ row, occurrence }) =>
      occurrence!.starts_at > at ||
      (occurrence!.starts_at === at &&
        (row.id > id || (row.id === id && occurrence!.place > place))),
  )
  return index < 0 ? showings.length : index
}

export const getEvent = operation({
  name: 'get_event',
  searchHint: 'appointment details, who is coming, dial-in link',
  kind: 'read',
  rest: 'GET /api/events/{event_id}',
  about: 'One event or one occurrence with attendees, answers, links and linked meeting',
  on: { event: event.see.describe('an event, a series, or one occurrence of it') },
  input: { timezone: timezone().optional().describe('of the local times; default: yours') },
  output: Event,
  async handle({ event: targetEvent, timezone: zone }, ctx) {
    return presentEvent(ctx, targetEvent, zone)
  },
})

/**
 * The current state of an event or occurrence; for a series, with its next occurrences. @throws Refusal not_found if
 * there is no such occurrence
 */
export async function presentEvent(
  ctx: ReadContext,
  eventRow: Row<'events'>,
  zone = ctx.actor.timezone,
  notes: readonly string[] = [],
): Promise<EventShape> {
  const { row, place } = occurrencePlace(eventRow)
  if (place !== undefined)
    return withNotes(
      (
        await presentEvents(
          ctx,
          [{ row, occurrence: await requireOccurrence(ctx, row, place) }],
          zone,
        )
      )[0]!,
      notes,
    )
  const [shape] = await presentEvents(ctx, [{ row }], zone)
  return withNotes(
    row.is_series === 1
      ? { ...shape!, next_occurrences: await nextOccurrencesOf(ctx, row, zone) }
      : shape!,
    notes,
  )
}

function withNotes(shape: EventShape, notes: readonly string[]): EventShape {
  return notes.length === 0 ? shape : { ...shape, notes: [...(shape.notes ?? []), ...notes] }
}

const maxNextOccurrences = 5

async function nextOccurrencesOf(
  ctx: ReadContext,
  row: Row<'events'>,
  zone: string,
): Promise<NonNullable<EventShape['next_occurrences']>> {
  const { timezone } = await calendar
    .visibleTo(ctx)
    .select('calendars.timezone')
    .where('calendars.id', '=', row.calendar_id)
    .executeTakeFirstOrThrow()
  const object = readObject(row.raw_ics)
  const occurrencesWithin = (days: number) =>
    expand(object, ctx.now, ctx.now + days * dayLength, timezone).occurrences
  const near = occurrencesWithin(60)
  const next = near.length >= maxNextOccurrences ? near : occurrencesWithin(800)
  return next.slice(0, maxNextOccurrences).map((occurrence) => ({
    id: occurrenceIdOf(row, occurrence.place),
    starts_at: iso(occurrence.starts_at),
    starts_local: occurrence.days?.from ?? localIso(occurrence.starts_at, zone),
  }))
}
