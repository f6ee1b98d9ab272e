import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, datetimeString, pageOf, paging, timezone } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import {
  cut,
  decodeCursor,
  badCursor,
  encodeCursor,
  pageWithItems,
} from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, iso, localIso } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { personRef } from '../../directory/shapes.ts'
import { Address } from '../../../records/shapes.ts'
import { requestedRange } from '../events/occurrence-views.ts'
import { rankedSlots, type Attendee, type Search, type Slot } from './meeting-times.ts'
import {
  resolvePeople,
  unavailableTimes,
  focusTimes,
  schedulesOf,
  type PersonOrAddress,
} from './people-times.ts'
import { clipped, merged, overlapsAny } from './spans.ts'

const maxPeriodMs = 62 * dayLength
const maxPeople = 50
const personField = () => z.string().min(1).max(320)

const AvailabilityReport = shape('AvailabilityReport', {
  from: datetimeString(),
  to: datetimeString(),
  timezone: z.string(),
  people: z.array(
    z.strictObject({
      person: Address,
      busy: z.array(
        z.strictObject({
          start: datetimeString(),
          end: datetimeString(),
          start_local: z.string(),
          end_local: z.string(),
        }),
      ),
      time_off: z
        .boolean()
        .describe('away on a day of this time; those days are among the busy ones'),
      source: z
        .enum(['calendar', 'not_shared'])
        .describe('not_shared: their availability is unknown'),
    }),
  ),
})

export const getAvailability = operation({
  name: 'get_availability',
  searchHint: 'is she free, busy times, free slots, when is he available',
  kind: 'read',
  rest: 'GET /api/availability',
  about: 'Busy and free blocks of yours and of colleagues who share free/busy, without details',
  input: {
    people: z.array(personField()).min(1).max(maxPeople).describe('ids, email addresses, or me'),
    from: datetime(),
    to: datetime(),
    timezone: timezone().optional().describe('of the local times; default: yours'),
  },
  output: AvailabilityReport,
  async handle({ people, from, to, timezone }, ctx) {
    const period = { ...requestedRange(ctx, from, to, timezone) }
    if (period.end - period.start > maxPeriodMs)
      throw invalid('to', 'the period can be at most 62 days.')
    const requestedPeople = await resolvePeople(ctx, people, 'people')
    const times = await schedulesOf(
      ctx,
      requestedPeople.flatMap((personOrAddress) => personOrAddress.person ?? []),
      period,
    )
    const local = (at: number) => localIso(at, period.zone)
    return {
      from: iso(period.start),
      to: iso(period.end),
      timezone: period.zone,
      people: requestedPeople.map((personOrAddress) => {
        const schedule = personOrAddress.person && times.get(personOrAddress.person.id)!
        const busy = schedule ? clipped(merged([...schedule.taken, ...schedule.away]), period) : []
        return {
          person: attendeeAddressOf(personOrAddress),
          busy: busy.map(({ start, end }) => ({
            start: iso(start),
            end: iso(end),
            start_local: local(start),
            end_local: local(end),
          })),
          time_off: schedule ? overlapsAny(schedule.away, period) : false,
          source: schedule ? ('calendar' as const) : ('not_shared' as const),
        }
      }),
    }
  },
})

export const MeetingSlot = shape('MeetingSlot', {
  starts_at: datetimeString(),
  ends_at: datetimeString(),
  local: z.string().describe('its start in the requested zone'),
  local_times: z.array(
    z.strictObject({ person: Address, local: z.string(), inside_hours: z.boolean() }),
  ),
  score: z
    .number()
    .describe(
      '100, minus: 1 for each day later (at most 20), 15 for each required person outside working hours (40 at night), 25 for each focus block broken, 3 for each person without a break, 10 for each optional person who cannot attend (5: outside hours), 2 for each better slot of the same half day (at most 10)',
    ),
  reasons: z.array(z.string()),
  missing_optional: z.array(z.string()),
})

export const findMeetingTime = operation({
  name: 'find_meeting_time',
  searchHint:
    'when are we all free, find a slot, common time, best time for a call, suggest times, ' +
    'an hour with two people',
  kind: 'read',
  rest: 'POST /api/availability/find-time',
  about:
    'Ranked slots for all required people by working hours, time zones, time off, buffers and focus blocks, with reasons',
  weight: 5,
  input: {
    attendees: z
      .array(personField())
      .min(1)
      .max(maxPeople)
      .describe('required: ids or email addresses; you take part unless you are optional'),
    duration_minutes: z
      .int()
      .min(5)
      .max(24 * 60),
    from: datetime(),
    to: datetime(),
    optional_attendees: z
      .array(personField())
      .max(maxPeople)
      .optional()
      .describe('good to have, not needed'),
    working_hours_only: z
      .boolean()
      .default(true)
      .describe('false: other times, too, at a lower score'),
    buffer_minutes: z.int().min(0).max(240).default(0).describe('free time before and after'),
    timezone: timezone().optional().describe('of local; default: yours'),
    ...paging,
  },
  output: pageOf(MeetingSlot).extend({
    note: z.string().optional().describe('why there is no slot, and what to change'),
  }),
  async handle(
    {
      attendees,
      optional_attendees = [],
      duration_minutes,
      from,
      to,
      working_hours_only,
      buffer_minutes,
      timezone,
      limit,
      cursor,
    },
    ctx,
  ) {
    const { start, end, zone } = requestedRange(ctx, from, to, timezone)
    if (end - start > maxPeriodMs) throw invalid('to', 'the period can be at most 62 days.')
    const search = {
      from: start,
      earliest: ctx.now,
      to: end,
      length: duration_minutes * 60_000,
      buffer: buffer_minutes * 60_000,
      onlyInHours: working_hours_only,
    }
    const invited = await invitedTo(ctx, attendees, optional_attendees)
    const colleagues = invited.filter((item) => item.person !== undefined)
    const times = await schedulesOf(
      ctx,
      colleagues.map((item) => item.person!),
      { start: start - search.buffer, end: end + search.buffer },
    )
    const schedules = colleagues.map((item): Attendee => {
      const { hours, awake } = times.get(item.person!.id)!
      return {
        name: item.person!.display_name,
        isRequired: item.isRequired,
        busy: unavailableTimes(times.get(item.person!.id)!),
        focus: focusTimes(times.get(item.person!.id)!),
        hours,
        awake,
      }
    })
    const slots = rankedSlots(schedules, search)
    const remaining = cursor === undefined ? slots : slots.slice(slotIndexAfter(slots, cursor))
    const page = cut(remaining.slice(0, limit + 1), limit, (slot) =>
      encodeCursor([slot.score, slot.start]),
    )
    const unknown = invited
      .filter((item) => item.person === undefined)
      .map((item) => `the availability of ${item.email} is unknown`)
    return {
      ...pageWithItems(
        page,
        page.items.map((slot) => presentSlot(slot, colleagues, unknown, zone)),
      ),
      ...(slots.length === 0 ? { note: noSlotNote(schedules, search, zone) } : {}),
    }
  },
})

/** Reason why there is no slot, with a suggestion. */
function noSlotNote(attendees: readonly Attendee[], search: Search, zone: string): string {
  if (search.to <= search.earliest) return 'The period is over; send a later one.'
  if (search.to - Math.max(search.from, search.earliest) < search.length)
    return 'The period is shorter than duration_minutes.'
  const outsideHours = rankedSlots(attendees, { ...search, onlyInHours: false })[0]
  if (search.onlyInHours && outsideHours)
    return `No time suits everyone required within their working hours. working_hours_only=false offers others, the best at ${localIso(outsideHours.start, zone)}.`
  const requiredNames = attendees
    .filter((attendee) => attendee.isRequired)
    .map((attendee) => attendee.name)
  return `There is no time at which everyone required is free (${requiredNames.join(', ')}). Send a longer period, a shorter duration, or fewer required people.`
}

type Invited = PersonOrAddress & { isRequired: boolean }

/** All attendees without duplicates, with whether they are required; includes the caller. */
async function invitedTo(
  ctx: ReadContext,
  required: readonly string[],
  optional: readonly string[],
): Promise<Invited[]> {
  const requiredPeople = await resolvePeople(ctx, required, 'attendees')
  const optionalPeople = await resolvePeople(ctx, optional, 'optional_attendees')
  const caller: Row<'users'> = await person.demand(ctx, ctx.actor.id, 'see', 'attendees')
  const includesCaller = [...requiredPeople, ...optionalPeople].some(
    (personOrAddress) => personOrAddress.person?.id === caller.id,
  )
  const all = [
    ...(includesCaller ? [] : [{ person: caller, email: caller.email, isRequired: true }]),
    ...requiredPeople.map((personOrAddress) => ({ ...personOrAddress, isRequired: true })),
    ...optionalPeople
      .filter(
        (personOrAddress) => !requiredPeople.some((other) => other.email === personOrAddress.email),
      )
      .map((personOrAddress) => ({ ...personOrAddress, isRequired: false })),
  ]
  if (all.length > maxPeople)
    throw invalid('attendees', `at most ${maxPeople} people, including optional ones.`)
  return all
}

function presentSlot(
  slot: Slot,
  attendees: readonly Invited[],
  unknown: readonly string[],
  zone: string,
): z.infer<typeof MeetingSlot> {
  return {
    starts_at: iso(slot.start),
    ends_at: iso(slot.end),
    local: localIso(slot.start, zone),
    local_times: attendees.map((invited, i) => ({
      person: attendeeAddressOf(invited),
      local: localIso(slot.start, invited.person!.timezone),
      inside_hours: !slot.outside.includes(i),
    })),
    score: slot.score,
    reasons: [...slot.reasons, ...unknown],
    missing_optional: slot.missing.map((i) => attendees[i]!.person!.display_name),
  }
}

/** Number of slots up to and including the position of a cursor. */
function slotIndexAfter(slots: readonly Slot[], cursor: string): number {
  const [score, start] = decodeCursor(cursor)
  if (typeof score !== 'number' || typeof start !== 'number') throw badCursor()
  const index = slots.findIndex(
    (slot) => slot.score < score || (slot.score === score && slot.start > start),
  )
  return index < 0 ? slots.length : index
}

function attendeeAddressOf(personOrAddress: PersonOrAddress): z.infer<typeof Address> {
  return personOrAddress.person
    ? {
        name: personOrAddress.person.display_name,
        email: personOrAddress.email,
        person: personRef(personOrAddress.person),
      }
    : { email: personOrAddress.email }
}
