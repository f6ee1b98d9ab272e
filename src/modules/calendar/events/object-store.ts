import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { ownAddresses } from '../access.ts'
import { indexEvent } from './access-occurrences.ts'
import { queueRemoteDeletion } from '../sync/access-pushes.ts'
import { columnsOfObject, type ReadingContext } from '../ical/event-columns.ts'
import { objectOf, serializeCalendar, type Component } from '../ical/objects.ts'

/** Reader for the texts of a calendar. */
async function calendarReader(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
): Promise<ReadingContext> {
  return { zone: calendar.timezone, ownAddresses: await ownAddresses(ctx), now: ctx.now }
}

/** Columns of an event that are not derived from its text. */
export type ExtraColumns = Partial<Pick<Row<'events'>, 'trust' | 'invites_pending'>>

/** Adds a new object to a calendar; if the calendar is on a server, it is synced there soon. */
export async function addObject(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
  root: Component,
  extraColumns: ExtraColumns = {},
): Promise<Row<'events'>> {
  const reader = await calendarReader(ctx, calendar)
  const object = objectOf(root)
  const values = {
    trust: 'internal',
    invites_pending: 0,
    ...extraColumns,
    ...columnsOfObject(object, serializeCalendar(root), reader),
    ...remoteOf(calendar, object.uid),
  } as const
  const row = await ctx.add('events', {
    calendar_id: calendar.id,
    owner_id: calendar.owner_id,
    ...values,
  })
  await indexEvent(ctx, row, calendar.timezone, reader.ownAddresses)
  return row
}

/** Remote location of a new object on the calendar's server; none for a built-in calendar. */
export function remoteOf(
  calendarRow: Row<'calendars'>,
  uid: string,
): Pick<Row<'events'>, 'remote_href' | 'synced_revision'> {
  return calendarRow.remote_url === null
    ? { remote_href: null, synced_revision: null }
    : { remote_href: hrefOf(calendarRow.remote_url, uid), synced_revision: 0 }
}

/** Updates an event from its tree. */
export async function changeObject(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
  row: Row<'events'>,
  root: Component,
  beside: ExtraColumns = {},
): Promise<Row<'events'>> {
  const remindAfter =
    row.remind_at !== null && row.remind_at <= ctx.now ? row.remind_at - 1 : undefined
  const reader = { ...(await calendarReader(ctx, calendar)), remindAfter }
  const { uid: _, ...columns } = columnsOfObject(objectOf(root), serializeCalendar(root), reader)
  const changed = await ctx.change('events', row, { ...columns, push_problem: null, ...beside })
  await indexEvent(ctx, changed, calendar.timezone, reader.ownAddresses)
  return changed
}

/** Removes an event: to the trash in the built-in calendar, else erases it here at once and on its server soon. */
export async function removeObject(
  ctx: WriteContext,
  calendarRow: Row<'calendars'>,
  row: Row<'events'>,
): Promise<{ erased: boolean }> {
  if (calendarRow.remote_url === null) {
    await ctx.trash('events', row)
    return { erased: false }
  }
  await queueRemoteDeletion(ctx, row)
  await ctx.remove('events', row)
  return { erased: true }
}

/** URL of an object on the server, chosen by us so that the object of an interrupted push is recognized. */
export function hrefOf(remoteUrl: string, uid: string): string {
  return `${remoteUrl.replace(/\/?$/, '/')}${encodeURIComponent(uid.replace(/[^\w.@-]/g, '-').slice(0, 150))}.ics`
}
