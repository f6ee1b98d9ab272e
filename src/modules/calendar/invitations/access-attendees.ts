import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { person } from '../../directory/access.ts'
import { ownAddressesOf } from '../access.ts'
import { indexIn } from '../events/access-occurrences.ts'
import { columnsOfObject, type ReadingContext } from '../ical/event-columns.ts'
import { objectOf, readObject, serializeCalendar, type Component } from '../ical/objects.ts'
import { eventsIn, applyRequest, setResponse } from '../ical/itip.ts'
import { organizerOf, type Response } from '../ical/event-fields.ts'
import { exceptionFor } from '../ical/series.ts'
import { notifyResponses } from './responses.ts'

// Colleagues need no mail: invitations and replies are written directly to the other's calendar. Only the
// colleague sees these rows, not the caller.

type Person = Pick<Row<'users'>, 'id' | 'email'>

// A UID proves nothing: all invited people know it, and a file can contain any. Only the organizer changes an event in
// a colleague's calendar, and no one may act with another person's sign-in address.

/** Whether the caller's address is the organizer of a colleague's copy. */
async function isCallerOrganizer(
  ctx: WriteContext,
  existing: Row<'events'>,
  event: Row<'events'>,
): Promise<boolean> {
  const organizer = newOrganizer(event)
  return (
    organizer !== undefined &&
    organizer === storedOrganizer(existing) &&
    (await mayActAs(ctx, organizer))
  )
}

function storedOrganizer({ organizer_json }: Row<'events'>): string | undefined {
  return organizer_json === null
    ? undefined
    : (JSON.parse(organizer_json) as { address: string }).address
}

/** Organizer as stated in the text that is about to be saved. */
function newOrganizer({ raw_ics }: Row<'events'>): string | undefined {
  return eventsIn(readObject(raw_ics))
    .map(organizerOf)
    .find((item) => item !== null)?.address
}

/** Whether an address belongs only to the caller; a mail account's counts, unless a colleague signs in with it. */
async function mayActAs(ctx: WriteContext, address: string): Promise<boolean> {
  const colleague = await person.find(ctx, address)
  return colleague === undefined || colleague.id === ctx.actor.id
}

/** Adds an invitation to a colleague's built-in calendar, or updates the existing one. */
export async function invite(
  ctx: WriteContext,
  who: Person,
  event: Row<'events'>,
): Promise<'invited' | 'updated' | 'unchanged'> {
  const { all } = accessScopeOf(ctx)
  const there = await findEventByUid(ctx, who, event.uid)
  const calendar = await all
    .selectFrom('calendars')
    .selectAll()
    .where('owner_id', '=', who.id)
    .where('account_id', 'is', null)
    .executeTakeFirst()
  if (!calendar || there?.remote_href) return 'unchanged' // their calendar server stores the event and gets the change by mail
  const mayWrite = there
    ? await isCallerOrganizer(ctx, there, event)
    : await mayActAs(ctx, newOrganizer(event) ?? ctx.actor.email)
  if (!mayWrite) return 'unchanged'
  const reader: ReadingContext = {
    zone: calendar.timezone,
    ownAddresses: await ownAddressesOf(all, who.id, who.email),
    now: ctx.now,
  }
  const root = applyRequest(
    readObject(event.raw_ics),
    there && readObject(there.raw_ics),
    reader.ownAddresses,
  )
  const { uid, ...columns } = columnsOfObject(
    objectOf(root),
    serializeCalendar(withoutPrivateProperties(root)),
    reader,
  )
  if (there) {
    const changed = await ctx.change('events', there, columns)
    await indexIn(all, ctx.now, changed, calendar.timezone, reader.ownAddresses)
    if (changed.revision === there.revision) return 'unchanged'
    notifyInvited(ctx, who, changed, 'changed an event that you are invited to.')
    return 'updated'
  }
  const row = await ctx.add('events', {
    calendar_id: calendar.id,
    owner_id: who.id,
    uid,
    ...columns,
    trust: 'internal',
    invites_pending: 0,
  })
  await indexIn(all, ctx.now, row, calendar.timezone, reader.ownAddresses)
  notifyInvited(ctx, who, row, 'invited you to an event.')
  return 'invited'
}

function notifyInvited(ctx: WriteContext, who: Person, row: Row<'events'>, what: string): void {
  ctx.notify('invite', [who.id], 'events', row, `${ctx.actor.display_name} ${what}`)
}

/** Removes properties that are private to the organizer. */
function withoutPrivateProperties(root: Component): Component {
  for (const event of root.getAllSubcomponents('vevent'))
    for (const property of event.getAllProperties())
      if (/^x-workspace-(uninvited|kind)/.test(property.name)) event.removeProperty(property)
  return root
}

/** Marks a colleague's event, or single occurrences, as cancelled. */
export async function uninvite(
  ctx: WriteContext,
  who: Person,
  event: Row<'events'>,
  place?: string,
): Promise<void> {
  const there = await findEventByUid(ctx, who, event.uid)
  if (
    !there ||
    there.remote_href !== null ||
    there.unreadable !== null ||
    !(await isCallerOrganizer(ctx, there, event))
  )
    return
  const row = await editEvent(ctx, who, there, (object, zone) => {
    const parts =
      place === undefined
        ? eventsIn(object)
        : [exceptionFor(object, place, zone)].filter((item) => item !== undefined)
    for (const part of parts) part.updatePropertyWithValue('status', 'CANCELLED')
    return parts.length > 0
  })
  if (!row) return
  ctx.event('event.cancelled', 'events', row)
  ctx.notify(
    'invite',
    [who.id],
    'events',
    row,
    `${ctx.actor.display_name} cancelled an event that you were invited to.`,
  )
}

interface Answer {
  event: Row<'events'>
  /** The responding attendee. */
  address: string
  response: Response
  place: string | undefined
}

/**
 * Writes a response into the event of the organizing colleague, identified by sign-in or mailbox address. Anyone can
 * connect a mailbox under any address; in that case its owner must have created the event here.
 * @returns whether a colleague organizes it
 */
export async function answerOrganizer(
  ctx: WriteContext,
  organizer: string,
  answer: Answer,
): Promise<boolean> {
  const colleague = await person.find(ctx, organizer)
  if (colleague)
    return colleague.status === 'active' && (await writeAnswer(ctx, colleague, answer, () => true))
  let isWritten = false
  for (const owner of await ownersOfMailbox(ctx, organizer))
    if (await writeAnswer(ctx, owner, answer, isCreatedHere)) isWritten = true
  return isWritten
}

function isCreatedHere({ created_via, trust }: Row<'events'>): boolean {
  return created_via !== 'sync' && trust === 'internal'
}

/** Colleagues with a connected mailbox for an address. */
function ownersOfMailbox(ctx: WriteContext, address: string): Promise<Person[]> {
  const { all, actor } = accessScopeOf(ctx)
  return all
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.owner_id')
    .select(['users.id', 'users.email'])
    .distinct()
    .where('accounts.org_id', '=', actor.org_id)
    .where('accounts.address', '=', address)
    .where('accounts.removed_at', 'is', null)
    .where('users.status', '=', 'active')
    .where('users.id', '<>', actor.id)
    .execute()
}

async function writeAnswer(
  ctx: WriteContext,
  organizer: Person,
  { event, address, response, place }: Answer,
  isTrusted: (there: Row<'events'>) => boolean,
): Promise<boolean> {
  const there = await findEventByUid(ctx, organizer, event.uid)
  if (!there || there.unreadable !== null || !isTrusted(there)) return false
  if (!(await mayActAs(ctx, address))) return false
  const mine = await ownAddressesOf(accessScopeOf(ctx).all, organizer.id, organizer.email)
  if (!mine.has(storedOrganizer(there) ?? organizer.email.toLowerCase())) return false
  const row = await editEvent(ctx, organizer, there, (object, zone) => {
    const parts =
      place === undefined
        ? eventsIn(object)
        : [exceptionFor(object, place, zone)].filter((item) => item !== undefined)
    return parts.map((part) => setResponse(part, address, response)).some(Boolean)
  })
  if (!row) return true
  if (place === undefined) notifyResponses(ctx, there, row, mine)
  else ctx.event('event.response_received', 'events', row)
  return true
}

/** Edits a person's event by its tree; undefined if nothing changed. */
async function editEvent(
  ctx: WriteContext,
  who: Person,
  row: Row<'events'>,
  change: (object: ReturnType<typeof readObject>, zone: string) => boolean,
): Promise<Row<'events'> | undefined> {
  const { all } = accessScopeOf(ctx)
  const { timezone: zone } = await all
    .selectFrom('calendars')
    .select('timezone')
    .where('id', '=', row.calendar_id)
    .executeTakeFirstOrThrow()
  const addresses = await ownAddressesOf(all, who.id, who.email)
  const object = readObject(row.raw_ics)
  if (!change(object, zone)) return undefined
  const { uid: _, ...columns } = columnsOfObject(
    objectOf(object.root),
    serializeCalendar(object.root),
    {
      zone,
      ownAddresses: addresses,
      now: ctx.now,
    },
  )
  const changed = await ctx.change('events', row, columns)
  await indexIn(all, ctx.now, changed, zone, addresses)
  return changed
}

async function findEventByUid(
  ctx: WriteContext,
  who: Person,
  uid: string,
): Promise<Row<'events'> | undefined> {
  const rows = await accessScopeOf(ctx)
    .all.selectFrom('events')
    .selectAll()
    .where('owner_id', '=', who.id)
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.find((row) => row.remote_href !== null) ?? rows[0]
}
