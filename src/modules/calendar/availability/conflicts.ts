import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { datetime, datetimeString, pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import {
  badCursor,
  cut,
  decodeCursor,
  encodeCursor,
  pageWithItems,
} from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { dayLength, iso } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { Ref, trust, trustOf } from '../../../records/shapes.ts'
import { calendarsById } from '../access.ts'
import type { OccurrenceTime } from '../events/access-occurrences.ts'
import { plannedMeetings } from '../events/access-meetings.ts'
import { findConflicts, physicalPlace, type Conflict, type Planned } from './conflict-rules.ts'
import { requestedRange, occurrencesInRange } from '../events/occurrence-views.ts'
import { schedulesOf } from './people-times.ts'
import { presentEvents } from '../shapes.ts'

const maxPeriodMs = 92 * dayLength

const EventConflict = shape('EventConflict', {
  kind: z.enum(['overlap', 'no_break', 'time_off', 'outside_hours', 'travel']),
  events: z.array(Ref).describe('events, and planned meetings that have none'),
  starts_at: datetimeString(),
  suggestion: z.string().optional(),
  trust,
})

interface PlannedEvent extends Planned {
  url: string
  trust?: 'external'
}

export const listEventConflicts = operation({
  name: 'list_event_conflicts',
  searchHint: 'double booked, overlapping meetings, clashes',
  kind: 'read',
  rest: 'GET /api/events/conflicts',
  about: 'Overlaps, back-to-back runs, and events and meetings during time off in a period',
  input: { from: datetime(), to: datetime(), ...paging },
  output: pageOf(EventConflict),
  async handle({ from, to, limit, cursor }, ctx) {
    const range = requestedRange(ctx, from, to)
    if (range.end - range.start > maxPeriodMs)
      throw invalid('to', 'the period can be at most 92 days.')
    const ownCalendars = await calendarsById(ctx)
    const busyEvents = (await occurrencesInRange(ctx, range)).filter(
      ({ row, occurrence }) =>
        (occurrence as OccurrenceTime).busy === 1 &&
        ['owner', 'writer'].includes(ownCalendars.get(row.calendar_id)!.access),
    )
    const events = await presentEvents(ctx, busyEvents)
    const planned = events.map(
      ({ id, title, all_day, kind, location, url, trust }, i): PlannedEvent => ({
        id,
        title,
        url,
        ...trustOf(trust === 'external'),
        isAllDay: all_day,
        kind,
        place: physicalPlace(location ?? null),
        start: busyEvents[i]!.occurrence!.starts_at,
        end: busyEvents[i]!.occurrence!.ends_at,
      }),
    )
    const me = await person.demand(ctx, ctx.actor.id, 'see', 'from')
    const { hours, away } = (await schedulesOf(ctx, [me], range)).get(me.id)!
    const meetings = (await plannedMeetings(ctx, [me.id], range)).map(
      ({ path, ...meeting }): PlannedEvent => ({
        ...meeting,
        url: `${ctx.baseUrl}${path}`,
        isAllDay: false,
        kind: 'default',
        place: undefined,
      }),
    )
    const inRange = findConflicts([...planned, ...meetings], hours, away).filter(
      (conflict) => conflict.starts_at < range.end,
    )
    const remaining =
      cursor === undefined ? inRange : inRange.slice(indexAfterCursor(inRange, cursor))
    const page = cut(remaining.slice(0, limit + 1), limit, (conflict) =>
      encodeCursor(conflictKey(conflict)),
    )
    return pageWithItems(page, page.items.map(presentConflict))
  },
})

function presentConflict({ kind, events, starts_at, suggestion }: Conflict) {
  const planned = events as PlannedEvent[]
  return {
    kind,
    events: planned.map((item) => ({
      id: item.id,
      title: item.title,
      url: item.url,
      ...trustOf(item.trust === 'external'),
    })),
    starts_at: iso(starts_at),
    suggestion,
    ...trustOf(planned.some((item) => item.trust === 'external')),
  }
}

function conflictKey({ starts_at, kind, events }: Conflict): (string | number)[] {
  return [starts_at, kind, events.map((event) => event.id).join(' ')]
}

/** Index after a cursor; if that conflict is gone meanwhile, after those that began before it. */
function indexAfterCursor(conflicts: readonly Conflict[], cursor: string): number {
  const key = decodeCursor(cursor)
  if (key.length !== 3 || typeof key[0] !== 'number') throw badCursor()
  const index = conflicts.findIndex((conflict) =>
    conflictKey(conflict).every((value, i) => value === key[i]),
  )
  return index >= 0
    ? index + 1
    : conflicts.filter((conflict) => conflict.starts_at <= (key[0] as number)).length
}
