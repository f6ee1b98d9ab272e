import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { datetime, markdown, shortText, timezone, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { parseRule, withMonthEnds } from '../../../kernel/time/recurrence.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, iso } from '../../../kernel/time/times.ts'
import { calendar } from '../access.ts'
import { defaultCalendar } from './access-default-calendar.ts'
import { newTime } from './input-times.ts'
import {
  inviteAll,
  attendeeList,
  resolveAttendees,
  attendeesDescription,
} from '../invitations/attendees.ts'
import { adaptRule, newObject, setFields } from '../ical/object-fields.ts'
import { presentEvent } from './events.ts'
import { objectOf, type Component } from '../ical/objects.ts'
import { expand } from '../ical/occurrences.ts'
import { wallSpanOf } from '../ical/wall-spans.ts'
import { Event, eventKinds } from '../shapes.ts'
import { addObject } from './object-store.ts'

export const reminders = () =>
  z.array(z.int().min(0).max(40_320)).max(5).describe('minutes before the start, up to four weeks')
export const rruleField = () => shortText(500).describe('RFC 5545, such as FREQ=WEEKLY;BYDAY=MO,TH')

export const createEvent = operation({
  name: 'create_event',
  searchHint:
    'book, schedule a call, set up a meeting, appointment, room, focus time, block time, series',
  kind: 'write',
  rest: 'POST /api/events',
  about:
    'Put an event, focus block or repeating series in a calendar; invitations are sent only by send_event_invites',
  on: {
    calendar: calendar.edit.maybe.describe(
      'default: the first calendar of your first connected account, else the built-in one',
    ),
  },
  input: {
    title: title(),
    starts_at: datetime(),
    ends_at: datetime().describe('of all-day events the last day'),
    timezone: timezone().optional().describe('the time zone of its hours; default: yours'),
    all_day: z.boolean().optional().describe('default: true where both times are dates'),
    location: shortText(1000).optional(),
    description_markdown: markdown().optional(),
    attendees: attendeeList().optional().describe(attendeesDescription),
    rrule: rruleField().optional(),
    kind: z.enum(eventKinds).default('default'),
    add_video_link: z.boolean().optional().describe('adds a video call link'),
    reminders_minutes: reminders().optional(),
  },
  output: Event,
  async handle(
    {
      calendar: requestedCalendar,
      title,
      starts_at,
      ends_at,
      timezone: zone,
      all_day,
      location,
      description_markdown,
      attendees,
      rrule,
      kind,
      add_video_link,
      reminders_minutes,
    },
    ctx,
  ) {
    const calendarRow = requestedCalendar ?? (await defaultCalendar(ctx))
    const attendeeRows = await resolveAttendees(ctx, attendees ?? [])
    const time = newTime(starts_at, ends_at, zone ?? ctx.actor.timezone, all_day)
    const fields = {
      title: title.trim(),
      location: location?.trim(),
      description: description_markdown,
      kind,
      reminders: reminders_minutes,
      video_url: add_video_link ? videoLink(ctx) : undefined,
    }
    const { root, event } = newObject(time, fields, ctx.now)
    if (rrule !== undefined)
      setFields(
        event,
        {
          rrule: adaptRule(
            parseRule(rrule),
            wallSpanOf(objectOf(root), event, calendarRow.timezone),
          ),
        },
        ctx.now,
      )
    if (attendeeRows.length > 0) await inviteAll(ctx, calendarRow, [event], attendeeRows, false)
    const row = await addObject(ctx, calendarRow, root, {
      invites_pending: event.hasProperty('attendee') ? 1 : 0,
    })
    return presentEvent(ctx, row, undefined, [
      ...seriesNotes(root, calendarRow, row),
      ...monthEndNotes(rrule, row, root, calendarRow),
    ])
  },
})

/** A link of the configured video service. @throws Refusal invalid_argument if there is none */
function videoLink(ctx: Pick<WriteContext, 'settings'>): string {
  const template = ctx.settings.video_link_template
  if (template === '')
    throw invalid(
      'add_video_link',
      'no video service is set up here.',
      'Put a link into location, or let an administrator set WORKSPACE_VIDEO_LINK_TEMPLATE.',
    )
  return template.replaceAll(
    '{random}',
    randomBytes(15).toString('base64url').replaceAll(/[-_]/g, 'x'),
  )
}

/** A note if a rule was adjusted to the last day of shorter months. */
export function monthEndNotes(
  rrule: string | null | undefined,
  row: Row<'events'>,
  root: Component,
  calendar: Row<'calendars'>,
): string[] {
  const object = objectOf(root)
  if (rrule == null || !object.master || row.is_series === 0) return []
  const { note } = withMonthEnds(
    parseRule(rrule),
    wallSpanOf(object, object.master, calendar.timezone).wall,
  )
  return note === undefined ? [] : [note]
}

/** Warnings about a series: a start that does not match the rule, and a rule with a single occurrence. */
export function seriesNotes(
  root: Component,
  calendarRow: Row<'calendars'>,
  row: Row<'events'>,
): string[] {
  const object = objectOf(root)
  if (row.rrule === null || !object.master) return []
  const all = expand(
    object,
    row.starts_at - 1,
    row.starts_at + 800 * dayLength,
    calendarRow.timezone,
  ).occurrences
  if (all.length === 1)
    return ['The rule matches no other day within two years, so the event happens once.']
  const next = all[1]!
  const weekdays = /FREQ=WEEKLY.*BYDAY=([^;]*)/.exec(row.rrule)?.[1]?.split(',')
  const day = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][
    new Date(`${wallSpanOf(object, object.master, calendarRow.timezone).wall}Z`).getUTCDay()
  ]!
  return weekdays && !weekdays.includes(day)
    ? [
        `It also happens on its first day, which the rule does not include; the rule begins ${iso(next.starts_at)}.`,
      ]
    : []
}
