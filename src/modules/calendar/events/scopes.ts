import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { denied, invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { calendar, ownAddresses, occurrencePlace } from '../access.ts'
import { followSplit } from './access-meetings.ts'
import { suppressServerInvitations, nextSequence, setChangeTime } from '../ical/object-fields.ts'
import { eventFields, organizerOf } from '../ical/event-fields.ts'
import { readObject, type CalendarObject, type Component } from '../ical/objects.ts'
import { isFirst, exceptionFor, splitSeries } from '../ical/series.ts'
import { addObject, changeObject, type ExtraColumns } from './object-store.ts'

/** Part of a series to which a change applies. */
export const scopeField = () =>
  z
    .enum(['this', 'following', 'all'])
    .optional()
    .describe(
      'of a series; default: this for the id of an occurrence, all for the id of the series',
    )
export type SeriesScope = 'this' | 'following' | 'all'

/** An event being changed, and the part of it that the change affects. */
export interface Editing {
  row: Row<'events'>
  calendar: Row<'calendars'>
  /** The tree of the row. */
  object: CalendarObject
  /** The tree being changed: a different one if a series was split. */
  target: CalendarObject
  /** Component to change: the series, the single event, or the exception. */
  component: Component
  /** Exceptions to which the change also applies. */
  affectedExceptions: readonly Component[]
  scope: SeriesScope
  place: string | undefined
}

/**
 * Opens an event for a change, by its argument.
 * @throws Refusal if it cannot be read, there is no such occurrence, or the scope needs one
 */
export async function openForEditing(
  ctx: WriteContext,
  eventRow: Row<'events'>,
  requestedScope: SeriesScope | undefined,
): Promise<Editing> {
  const { row, place } = occurrencePlace(eventRow)
  const calendarRow = await calendar
    .visibleTo(ctx)
    .selectAll('calendars')
    .where('calendars.id', '=', row.calendar_id)
    .executeTakeFirstOrThrow()
  const object = requireReadableEvent(row)
  const scope = seriesScope(row, place, requestedScope)
  if (row.is_series === 1 && scope === 'all' && !object.master)
    throw invalid(
      'scope',
      'only single occurrences of this series are available here.',
      'Send scope this, with the id of an occurrence.',
    )
  if (place !== undefined && !exceptionFor(copy(row), place, calendarRow.timezone))
    throw notFound('event', 'event_id')
  return {
    row,
    calendar: calendarRow,
    object,
    place,
    ...editedPartOf(object, scope, place, calendarRow.timezone),
  }
}

/**
 * Resolves the scope of a change to a series. @throws Refusal invalid_argument where it takes the id of an occurrence
 */
export function seriesScope(
  row: Row<'events'>,
  place: string | undefined,
  requestedScope: SeriesScope | undefined,
): SeriesScope {
  const scope =
    row.is_series === 0 ? 'all' : (requestedScope ?? (place === undefined ? 'all' : 'this'))
  if (scope !== 'all' && place === undefined)
    throw invalid(
      'scope',
      `${scope} needs the id of an occurrence; this is the id of a series.`,
      'list_events shows the ids of occurrences.',
    )
  return scope
}

/** @throws Refusal conflict if an event is unreadable */
function requireReadableEvent(row: Row<'events'>): CalendarObject {
  if (row.unreadable !== null)
    throw new Refusal(
      'conflict',
      `This event cannot be read (${row.unreadable}); it is kept unchanged.`,
      'Change or delete it in the program that created it.',
    )
  return readObject(row.raw_ics)
}

const copy = (row: Row<'events'>) => readObject(row.raw_ics)

function editedPartOf(
  object: CalendarObject,
  scope: SeriesScope,
  place: string | undefined,
  zone: string,
): Pick<Editing, 'target' | 'component' | 'affectedExceptions' | 'scope'> {
  if (scope === 'this')
    return {
      target: object,
      component: exceptionFor(object, place!, zone)!,
      affectedExceptions: [],
      scope,
    }
  if (scope === 'following' && object.master && !isFirst(object, place!, zone)) {
    const target = splitSeries(object, place!, zone)
    return { target, component: target.master!, affectedExceptions: target.exceptions, scope }
  }
  const component = object.master ?? object.exceptions[0]!
  return { target: object, component, affectedExceptions: object.exceptions, scope: 'all' }
}

/** @throws Refusal permission_denied if another person organizes it: only the organizer may change shared content */
export async function requireOrganizer(
  ctx: WriteContext,
  { component, target }: Editing,
): Promise<void> {
  const organizer = organizerOf(component) ?? (target.master ? organizerOf(target.master) : null)
  if (!organizer || (await ownAddresses(ctx)).has(organizer.address)) return
  throw denied(
    `${organizer.name ?? organizer.address} organizes this event, and only they can change it for everyone.`,
    'Answer with respond_to_event, or change your own reminders.',
  )
}

/** Saves a change; for a split series, both parts. Returns the row that was changed or is new. */
export async function saveEditing(
  ctx: WriteContext,
  editing: Editing,
  beside: ExtraColumns & Partial<Row<'events'>> = {},
  to = editing.calendar,
): Promise<Row<'events'>> {
  const { row, calendar, object, target } = editing
  if (target === object) return changeObject(ctx, to, row, object.root, beside)
  const cut = await changeObject(
    ctx,
    calendar,
    row,
    object.root,
    pendingOf(row, object, await ownAddresses(ctx)),
  )
  const newSeries = await addObject(ctx, calendar, target.root, { trust: row.trust, ...beside })
  await followSplit(ctx, ctx, { before: row, cut, created: newSeries, place: editing.place! })
  return newSeries
}

/**
 * Marks a change of which attendees must be notified: increments the sequence if there are any, and records that
 * they were not notified yet.
 */
export async function markChanged(
  ctx: WriteContext,
  { component, affectedExceptions, row }: Editing,
): Promise<ExtraColumns> {
  const addresses = await ownAddresses(ctx)
  for (const item of [component, ...affectedExceptions]) setChangeTime(item, ctx.now)
  const hasOtherAttendees = eventFields(component, addresses).attendees.some(
    (attendee) => !addresses.has(attendee.address),
  )
  if (!hasOtherAttendees) return { invites_pending: row.invites_pending }
  for (const item of [component, ...affectedExceptions]) {
    nextSequence(item)
    suppressServerInvitations(item, addresses)
  }
  return { invites_pending: 1 }
}

/** After a split, the first part of a series ends earlier: marks that its attendees must be notified, too. */
function pendingOf(
  row: Row<'events'>,
  object: CalendarObject,
  ownAddresses: ReadonlySet<string>,
): ExtraColumns {
  const others =
    object.master &&
    eventFields(object.master, ownAddresses).attendees.some(
      (attendee) => !ownAddresses.has(attendee.address),
    )
  if (!others) return {}
  nextSequence(object.master!)
  return { invites_pending: 1 }
}
