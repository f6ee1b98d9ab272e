import type { WriteContext } from '../../../operations/context.ts'
import { datetime, markdown, shortText, timezone, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { parseRule } from '../../../kernel/time/recurrence.ts'
import type { Row } from '../../../records/resource.ts'
import { calendar, event, ownAddresses } from '../access.ts'
import { queueRemoteDeletion } from '../sync/access-pushes.ts'
import { changedTime } from './input-times.ts'
import { withOccurrencePlace } from '../invitations/attendees.ts'
import { monthEndNotes, seriesNotes, reminders, rruleField } from './creation.ts'
import {
  adaptRule,
  setFields,
  setRule,
  setStart,
  setTime,
  type EventInput,
  type EventTime,
} from '../ical/object-fields.ts'
import { presentEvent } from './events.ts'
import { zoneWithInstant } from '../ical/zones.ts'
import { copyOf, readObject, type Component } from '../ical/objects.ts'
import { type SpanLength, type WallSpan, wallSpanOf } from '../ical/wall-spans.ts'
import { resetResponses, eventTimingText } from '../ical/itip.ts'
import {
  requireOrganizer,
  openForEditing,
  markChanged,
  saveEditing,
  scopeField,
  type Editing,
} from './scopes.ts'
import {
  updateExceptionTexts,
  removeUnmatchedExceptions,
  shiftSeries,
  wallOf,
} from '../ical/series.ts'
import { Event } from '../shapes.ts'
import { hrefOf } from './object-store.ts'

interface RequestedTimes {
  starts_at: string | undefined
  ends_at: string | undefined
  /** Zone of times without an offset. */
  zone: string | undefined
}

export const updateEvent = operation({
  name: 'update_event',
  searchHint: 'reschedule, move a meeting, push back, postpone, new time, change the location',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/events/{event_id}',
  about:
    'Change an event, this occurrence, following ones or the whole series; does not notify by itself',
  on: {
    event: event.edit,
    calendar: calendar.edit.maybe.describe('moves the event, or the whole series, there'),
  },
  input: {
    scope: scopeField(),
    title: title().optional(),
    starts_at: datetime()
      .optional()
      .describe('alone: the event keeps its length; in a series, all move by as much'),
    ends_at: datetime().optional(),
    timezone: timezone()
      .optional()
      .describe('that times without an offset are in; default: the zone of the event'),
    location: shortText(1000).nullable().optional(),
    description_markdown: markdown().nullable().optional(),
    rrule: rruleField().nullable().optional().describe('null turns a series into one event'),
    reminders_minutes: reminders().optional(),
  },
  revision: 'event',
  output: Event,
  async handle(
    {
      event: targetEvent,
      calendar: to,
      scope,
      title,
      starts_at,
      ends_at,
      timezone: zone,
      location,
      description_markdown,
      rrule,
      reminders_minutes,
    },
    ctx,
  ) {
    if (zone !== undefined && starts_at === undefined && ends_at === undefined)
      throw invalid(
        'timezone',
        'it applies to starts_at and ends_at, and neither was sent.',
        'Send one of them as well.',
      )
    const editing = await openForEditing(ctx, targetEvent, scope)
    const fields = {
      title: title?.trim(),
      location: location?.trim() ?? location,
      description: description_markdown,
      reminders: reminders_minutes,
    }
    const { reminders: _, ...shared } = fields
    const sharedValues = [...Object.values(shared), starts_at, ends_at, rrule]
    const isShared = sharedValues.some((value) => value !== undefined)
    if (isShared) await requireOrganizer(ctx, editing)
    const before = eventTimingText(editing.component)
    const notes = await writeEventUpdate(
      ctx,
      editing,
      fields,
      { starts_at, ends_at, zone },
      rrule ? parseRule(rrule) : rrule,
    )
    if (eventTimingText(editing.component) !== before)
      resetResponses([editing.component, ...editing.affectedExceptions], await ownAddresses(ctx))
    const target = to && to.id !== editing.calendar.id ? to : undefined
    const targetColumns = target ? await move(ctx, editing, target) : {}
    const notificationColumns = isShared ? await markChanged(ctx, editing) : {}
    const isRewritten = [fields.title, fields.location, fields.description].every(
      (text) => text !== undefined,
    )
    const trust = isRewritten ? { trust: 'internal' as const } : {}
    const row = await saveEditing(
      ctx,
      editing,
      { ...trust, ...notificationColumns, ...targetColumns },
      target,
    )
    const [root, calendarRow] = [readObject(row.raw_ics).root, target ?? editing.calendar]
    return presentEvent(
      ctx,
      withOccurrencePlace(row, editing.scope === 'this' ? editing.place : undefined),
      undefined,
      rrule
        ? [
            ...notes,
            ...seriesNotes(root, calendarRow, row),
            ...monthEndNotes(rrule, row, root, calendarRow),
          ]
        : notes,
    )
  },
})

/** Writes the given values into the tree. @returns notes for the caller */
async function writeEventUpdate(
  ctx: WriteContext,
  editing: Editing,
  input: EventInput,
  times: RequestedTimes,
  rrule: string | null | undefined,
): Promise<string[]> {
  const { component, target, scope, calendar } = editing
  if (scope === 'this' && editing.row.is_series === 1) {
    if (rrule !== undefined)
      throw invalid(
        'rrule',
        'one occurrence has no rule of its own.',
        'Send scope following or all.',
      )
    const span = wallSpanOf(target, component, calendar.timezone)
    const time = changedTime(
      span,
      span.wall,
      times.starts_at,
      times.ends_at,
      inputZone(span, times, ctx),
    )
    if (time && time.isDay !== span.isDay) throw wrongTimeFormat(span.isDay)
    if (time) setTime(target.root, component, time)
    setFields(component, input, ctx.now)
    return []
  }
  const before = copyOf(component)
  if (rrule !== undefined) setRule(component, rrule)
  if (times.starts_at !== undefined || times.ends_at !== undefined)
    setTimes(ctx, editing, times, rrule !== undefined)
  if (rrule) setRule(component, adaptRule(rrule, wallSpanOf(target, component, calendar.timezone)))
  setFields(component, input, ctx.now)
  if (target.master) updateExceptionTexts(target, before, ['summary', 'location', 'description'])
  const droppedCount =
    rrule === undefined ? 0 : removeUnmatchedExceptions(target, calendar.timezone)
  return droppedCount === 0
    ? []
    : [
        `${droppedCount} changed ${droppedCount === 1 ? 'occurrence' : 'occurrences'} of the series did not match the new rule and ${droppedCount === 1 ? 'was' : 'were'} removed.`,
      ]
}

/** Sets the times of a single event, or moves a whole series; `replacesRule`: its rule is being replaced. */
function setTimes(
  ctx: WriteContext,
  { target, component, place, calendar, row }: Editing,
  times: RequestedTimes,
  replacesRule: boolean,
): void {
  const { starts_at, ends_at } = times
  const span = wallSpanOf(target, component, calendar.timezone)
  const from =
    (place !== undefined && target.master ? wallOf(target, place, calendar.timezone) : undefined) ??
    span.wall
  const time = changedTime(span, from, starts_at, ends_at, inputZone(span, times, ctx))!
  if (row.is_series === 0) return setTime(target.root, component, time)
  if (time.isDay !== span.isDay) throw wrongTimeFormat(span.isDay)
  const to = time.isDay ? `${time.from}T00:00:00` : span.zone.wall(time.start)
  const length = ends_at === undefined ? currentLength(span) : eventSpanLength(time)
  const rules = replacesRule ? component.getAllProperties('rrule') : []
  for (const rule of rules) component.removeProperty(rule)
  if (!shiftSeries(target, from, to, length, calendar.timezone)) {
    throw invalid(
      'starts_at',
      'the rule of this series names its days, so it cannot be moved to other days.',
      'Send rrule as well.',
    )
  }
  if (!time.isDay) keepStartInstant(target, component, time.start, calendar.timezone)
}

/** A series starting in a repeated hour starts at the instant that was sent. */
function keepStartInstant(
  target: Editing['target'],
  component: Component,
  start: number,
  zone: string,
): void {
  const span = wallSpanOf(target, component, zone)
  if (span.wall !== span.zone.wall(start) || span.zone.instant(span.wall) === start) return
  setStart(component, { ...span, zone: zoneWithInstant(span.zone, start) }, span.wall)
}

const currentLength = ({ length, nominalDays }: WallSpan): SpanLength => ({ length, nominalDays })

function eventSpanLength(time: EventTime): SpanLength {
  const length = time.isDay
    ? Math.round((Date.parse(time.last) - Date.parse(time.from)) / 86_400_000) + 1
    : time.end - time.start
  return { length, nominalDays: 0 }
}

/**
 * The zone of times without an offset: the one sent, the event's, or the caller's if it has none (days, and UTC
 * moments).
 */
function inputZone(span: WallSpan, { zone }: RequestedTimes, ctx: WriteContext): string {
  return zone ?? (span.isDay || span.isUtc ? ctx.actor.timezone : span.zone.name)
}

function wrongTimeFormat(isDay: boolean) {
  return isDay
    ? invalid('starts_at', 'this series is all-day: send dates.')
    : invalid('starts_at', 'the events of this series have hours: send times.')
}

/**
 * Moves an event to another calendar. @throws Refusal where only a part of a series would move, or it is there
 * already
 */
async function move(
  ctx: WriteContext,
  { row, scope, target, object }: Editing,
  to: Row<'calendars'>,
): Promise<Partial<Row<'events'>>> {
  if (target !== object || (row.is_series === 1 && scope !== 'all'))
    throw invalid('calendar_id', 'a series moves as a whole.', 'Send scope all.')
  const existing = await event
    .visibleTo(ctx)
    .select('events.id')
    .where('events.calendar_id', '=', to.id)
    .where('events.uid', '=', row.uid)
    .executeTakeFirst()
  if (existing)
    throw new Refusal('conflict', 'That calendar has this event already.', { field: 'calendar_id' })
  await queueRemoteDeletion(ctx, row)
  const remote =
    to.remote_url === null
      ? { remote_href: null, synced_revision: null }
      : { remote_href: hrefOf(to.remote_url, row.uid), synced_revision: 0 }
  return { calendar_id: to.id, ...remote, etag: null, synced_ics: null, push_problem: null }
}
