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
import type { FoundOccurrence } from '../events/access-occurrences.ts'
import { plannedMeetings } from '../events/access-meetings.ts'
import { clashes, placeToGo, type Clash, type Planned } from './conflict-rules.ts'
import { askedTime, showingsIn } from '../events/occurrence-views.ts'
import { peopleTimesOf } from './people-times.ts'
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
    const range = askedTime(ctx, from, to)
    if (range.end - range.start > maxPeriodMs)
      throw invalid('to', 'the period can be at most 92 days.')
    const ownCalendars = await calendarsById(ctx)
    const busyEvents = (await showingsIn(ctx, range)).filter(
      ({ row, at }) =>
        (at as FoundOccurrence).busy === 1 &&
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
        place: placeToGo(location ?? null),
        start: busyEvents[i]!.at!.starts_at,
        end: busyEvents[i]!.at!.ends_at,
      }),
    )
    const me = await person.demand(ctx, ctx.actor.id, 'see', 'from')
    const { hours, away } = (await peopleTimesOf(ctx, [me], range)).get(me.id)!
    const meetings = (await plannedMeetings(ctx, [me.id], range)).map(
      ({ path, ...meeting }): PlannedEvent => ({
        ...meeting,
        url: `${ctx.baseUrl}${path}`,
        isAllDay: false,
        kind: 'default',
        place: undefined,
      }),
    )
    const inRange = clashes([...planned, ...meetings], hours, away).filter(
      (clash) => clash.starts_at < range.end,
    )
    const behind = cursor === undefined ? inRange : inRange.slice(clashIndexAfter(inRange, cursor))
    const page = cut(behind.slice(0, limit + 1), limit, (clash) => encodeCursor(clashKey(clash)))
    return pageWithItems(
      page,
      page.items.map(({ kind, events, starts_at, suggestion }) => ({
        kind,
        events: events.map((item) => ({
          id: item.id,
          title: item.title,
          url: (item as PlannedEvent).url,
          ...trustOf((item as PlannedEvent).trust === 'external'),
        })),
        starts_at: iso(starts_at),
        suggestion,
        ...trustOf(events.some((item) => (item as PlannedEvent).trust === 'external')),
      })),
    )
  },
})

function clashKey({ starts_at, kind, events }: Clash): (string | number)[] {
  return [starts_at, kind, events.map((event) => event.id).join(' ')]
}

/** Index after a cursor; if that conflict is gone meanwhile, after those that began before it. */
function clashIndexAfter(conflicts: readonly Clash[], cursor: string): number {
  const key = decodeCursor(cursor)
  if (key.length !== 3 || typeof key[0] !== 'number') throw badCursor()
  const at = conflicts.findIndex((clash) => clashKey(clash).every((value, i) => value === key[i]))
  return at >= 0
    ? at + 1
    : conflicts.filter((clash) => clash.starts_at <= (key[0] as number)).length
}
