import type { Cancellation } from '../invitations/cancellation.ts'
import { z } from 'zod'
import { shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { notFound } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { calendar, event, occurrenceIdOf, occurrencePlace } from '../access.ts'
import { nextSequence, setChangeTime } from '../ical/object-fields.ts'
import { readObject } from '../ical/objects.ts'
import { notifyDeleted } from '../invitations/invitations.ts'
import { occurrenceAt } from '../ical/occurrences.ts'
import { scopeField, seriesScope, type SeriesScope } from './scopes.ts'
import { endSeriesBefore, isFirst, excludeOccurrence } from '../ical/series.ts'
import { changeObject, removeObject } from './object-store.ts'

export const deleteEvent = operation({
  name: 'delete_event',
  searchHint: 'cancel a meeting, call off, remove an appointment',
  kind: 'destructive',
  idempotent: true,
  dryRun: true,
  rest: 'DELETE /api/events/{event_id}',
  about: 'Cancel an event, occurrence or series, notifying attendees unless notify=false',
  on: { event: event.own.describe('an event, a series, or one occurrence of it') },
  input: {
    scope: scopeField(),
    notify: z.boolean().default(true).describe('mails the people you invited'),
    message: shortText(2000).optional().describe('added to the mail'),
  },
  outbound: (args) => args.notify !== false,
  output: DeletedRef,
  async handle({ event: targetEvent, scope, notify, message }, ctx) {
    const { row, place } = occurrencePlace(targetEvent)
    const calendarRow = await calendar
      .visibleTo(ctx)
      .selectAll('calendars')
      .where('calendars.id', '=', row.calendar_id)
      .executeTakeFirstOrThrow()
    const cancellation =
      row.unreadable === null
        ? cancellationOf(row, calendarRow, place, seriesScope(row, place, scope))
        : undefined
    ctx.event('event.cancelled', 'events', row)
    if (cancellation && notify)
      await notifyDeleted(ctx, cancellation, seriesScope(row, place, scope), message)
    if (cancellation?.remaining) {
      for (const component of cancellation.remaining.master ? [cancellation.remaining.master] : [])
        setChangeTime(component, ctx.now)
      if (cancellation.remaining.master?.hasProperty('attendee'))
        nextSequence(cancellation.remaining.master)
      await changeObject(ctx, calendarRow, row, cancellation.remaining.root)
      return deletedRef(
        ctx,
        { ...event.ref(row, ctx.baseUrl), id: occurrenceIdOf(row, place ?? '') },
        [],
        {
          erased: true,
        },
      )
    }
    const { erased } = await removeObject(ctx, calendarRow, row)
    return deletedRef(ctx, event.ref(row, ctx.baseUrl), [], { erased })
  },
})

/** @throws Refusal not_found if there is no such occurrence */
function cancellationOf(
  row: Row<'events'>,
  calendar: Row<'calendars'>,
  place: string | undefined,
  scope: SeriesScope,
): Cancellation {
  const [before, object] = [readObject(row.raw_ics), readObject(row.raw_ics)]
  const occurrence =
    place === undefined ? undefined : occurrenceAt(before, place, calendar.timezone)
  if (place !== undefined && !occurrence) throw notFound('event', 'event_id')
  const wholeEvent = {
    row,
    calendar,
    component: before.master ?? before.exceptions[0]!,
    remaining: undefined,
    place: undefined,
  }
  if (!occurrence || scope === 'all') return wholeEvent
  if (scope === 'following') {
    if (isFirst(object, occurrence.place, calendar.timezone)) return wholeEvent
    endSeriesBefore(object, occurrence.place, calendar.timezone)
    return {
      row,
      calendar,
      component: occurrence.component,
      remaining: object,
      place: occurrence.place,
    }
  }
  excludeOccurrence(object, occurrence, calendar.timezone)
  if (!object.master && object.exceptions.length === 0) return wholeEvent
  return {
    row,
    calendar,
    component: occurrence.component,
    remaining: object,
    place: occurrence.place,
  }
}
