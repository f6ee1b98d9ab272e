import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { person } from '../../directory/access.ts'
import { addressesOf } from '../access.ts'
import { indexIn } from '../events/access-occurrences.ts'
import { columnsOfObject, type Reader } from '../ical/event-columns.ts'
import { objectOf, readObject, serializeCalendar, type Component } from '../ical/objects.ts'
import { eventsIn, received, setResponse } from '../ical/itip.ts'
import { organizerOf, type Response } from '../ical/event-fields.ts'
import { own as occurrence } from '../ical/series.ts'
import { notifyResponses } from './responses.ts'

// Colleagues need no mail: an invitation is put directly in the other's calendar, and so is the reply. Only the
// colleague sees those rows, not the person acting.

type Person = Pick<Row<'users'>, 'id' | 'email'>

// A UID proves nothing: all invited people know it, and a file can contain any. Only its organizer changes an entry in
// a colleague's calendar, and no one may act with another person's sign-in address.

/** Whether the caller's address is the organizer of a colleague's copy. */
async function isOfOrganizer(
  ctx: WriteContext,
  there: Row<'events'>,
  event: Row<'events'>,
): Promise<boolean> {
  const organizer = organizerWritten(event)
  return (
    organizer !== undefined &&
    organizer === organizerIn(there) &&
    (await maySpeakAs(ctx, organizer))
  )
}

function organizerIn({ organizer_json }: Row<'events'>): string | undefined {
  return organizer_json === null
    ? undefined
    : (JSON.parse(organizer_json) as { address: string }).address
}

/** Organizer as stated in the text that is about to be saved. */
function organizerWritten({ raw_ics }: Row<'events'>): string | undefined {
  return eventsIn(readObject(raw_ics))
    .map(organizerOf)
    .find((item) => item !== null)?.address
}

/** Whether an address belongs only to the caller; a mail account's counts, unless a colleague signs in with it. */
async function maySpeakAs(ctx: WriteContext, address: string): Promise<boolean> {
  const whose = await person.find(ctx, address)
  return whose === undefined || whose.id === ctx.actor.id
}

/** Adds an invitation to a colleague's built-in calendar, or updates the existing one. */
export async function invite(
  ctx: WriteContext,
  who: Person,
  event: Row<'events'>,
): Promise<'asked' | 'told' | 'known'> {
  const { all } = accessScopeOf(ctx)
  const there = await eventOf(ctx, who, event.uid)
  const calendar = await all
    .selectFrom('calendars')
    .selectAll()
    .where('owner_id', '=', who.id)
    .where('account_id', 'is', null)
    .executeTakeFirst()
  if (!calendar || there?.remote_href) return 'known' // a server of theirs has it: it comes by mail
  const mayWrite = there
    ? await isOfOrganizer(ctx, there, event)
    : await maySpeakAs(ctx, organizerWritten(event) ?? ctx.actor.email)
  if (!mayWrite) return 'known'
  const reader: Reader = {
    zone: calendar.timezone,
    ownAddresses: await addressesOf(all, who.id, who.email),
    now: ctx.now,
  }
  const root = received(
    readObject(event.raw_ics),
    there && readObject(there.raw_ics),
    reader.ownAddresses,
  )
  const { uid, ...columns } = columnsOfObject(
    objectOf(root),
    serializeCalendar(withoutOwn(root)),
    reader,
  )
  if (there) {
    const changed = await ctx.change('events', there, columns)
    await indexIn(all, ctx.now, changed, calendar.timezone, reader.ownAddresses)
    if (changed.revision === there.revision) return 'known'
    notifyInvited(ctx, who, changed, 'changed an event that you are invited to.')
    return 'told'
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
  return 'asked'
}

function notifyInvited(ctx: WriteContext, who: Person, row: Row<'events'>, what: string): void {
  ctx.notify('invite', [who.id], 'events', row, `${ctx.actor.display_name} ${what}`)
}

/** Removes the organizer's alarms and notes. */
function withoutOwn(root: Component): Component {
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
  const there = await eventOf(ctx, who, event.uid)
  if (
    !there ||
    there.remote_href !== null ||
    there.unreadable !== null ||
    !(await isOfOrganizer(ctx, there, event))
  )
    return
  const row = await edited(ctx, who, there, (object, zone) => {
    const parts =
      place === undefined
        ? eventsIn(object)
        : [occurrence(object, place, zone)].filter((item) => item !== undefined)
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
 * connect a mailbox under any address, so then its owner must have created the event here.
 * @returns whether a colleague organizes it
 */
export async function answerOrganizer(
  ctx: WriteContext,
  organizer: string,
  answer: Answer,
): Promise<boolean> {
  const colleague = await person.find(ctx, organizer)
  if (colleague)
    return colleague.status === 'active' && (await answerIn(ctx, colleague, answer, () => true))
  let isTaken = false
  for (const owner of await ownersOfMailbox(ctx, organizer))
    if (await answerIn(ctx, owner, answer, isMadeHere)) isTaken = true
  return isTaken
}

function isMadeHere({ created_via, trust }: Row<'events'>): boolean {
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

async function answerIn(
  ctx: WriteContext,
  organizer: Person,
  { event, address, response, place }: Answer,
  isTrusted: (there: Row<'events'>) => boolean,
): Promise<boolean> {
  const there = await eventOf(ctx, organizer, event.uid)
  if (!there || there.unreadable !== null || !isTrusted(there)) return false
  if (!(await maySpeakAs(ctx, address))) return false
  const mine = await addressesOf(accessScopeOf(ctx).all, organizer.id, organizer.email)
  if (!mine.has(organizerIn(there) ?? organizer.email.toLowerCase())) return false
  const row = await edited(ctx, organizer, there, (object, zone) => {
    const parts =
      place === undefined
        ? eventsIn(object)
        : [occurrence(object, place, zone)].filter((item) => item !== undefined)
    return parts.map((part) => setResponse(part, address, response)).some(Boolean)
  })
  if (!row) return true
  if (place === undefined) notifyResponses(ctx, there, row, mine)
  else ctx.event('event.response_received', 'events', row)
  return true
}

/** Edits a person's event by its tree; undefined if nothing changed. */
async function edited(
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
  const addresses = await addressesOf(all, who.id, who.email)
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

async function eventOf(
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
