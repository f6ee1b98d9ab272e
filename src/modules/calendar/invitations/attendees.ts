import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { colleaguesNamed, nobodyNamed, person } from '../../directory/access.ts'
import { event, ownAddresses } from '../access.ts'
import { organizingAccount } from './access-accounts.ts'
import { inviteAttendee, keepToOurselves, organize } from '../ical/object-fields.ts'
import { attendeeNamed } from '../ical/event-fields.ts'
import { presentEvent } from '../events/events.ts'
import { newProperty, type Component } from '../ical/objects.ts'
import {
  requireOrganizer,
  edit,
  markChanged,
  saveEditing,
  scope,
  type Editing,
} from '../events/scopes.ts'
import { Event } from '../shapes.ts'

/** A person invited to an event. */
export interface AttendeeInput {
  address: string
  name?: string | undefined
}

export const attendeeList = () => z.array(shortText(400).min(1)).max(200)
export const whoIsAsked =
  'ids, me, names or email addresses of people; "Name <address>" for external people'

/** Resolves a list of attendees, each once. @throws Refusal not_found, invalid_argument */
export async function attendeesNamed(
  ctx: ReadContext,
  texts: readonly string[],
  field = 'attendees',
): Promise<AttendeeInput[]> {
  const attendeesByAddress = new Map<string, AttendeeInput>()
  for (const [i, text] of texts.entries()) {
    const attendeeInput = await namedBy(ctx, text.trim(), `${field}[${i}]`)
    attendeesByAddress.set(attendeeInput.address, attendeeInput)
  }
  return [...attendeesByAddress.values()]
}

async function namedBy(ctx: ReadContext, text: string, field: string): Promise<AttendeeInput> {
  const [, name = '', bracketed] = /^(.*?)\s*<([^<>]*)>$/s.exec(text) ?? []
  const email = bracketed ?? (text.includes('@') ? text : undefined)
  if (email !== undefined)
    return outside(ctx, email.trim().toLowerCase(), name.replace(/^"(.*)"$/s, '$1').trim(), field)
  if (text === 'me' || text.startsWith('usr_'))
    return colleague(await person.demand(ctx, text, 'see', field))
  const rows = await colleaguesNamed(ctx, text)
  if (rows.length > 1)
    throw new Refusal(
      'invalid_argument',
      `${field}: "${text}" is the name of ${rows.length} people.`,
      {
        field,
        hint: 'Use an id or an email address.',
        context: { candidates: await person.candidates(ctx, rows) },
      },
    )
  if (!rows[0]) throw await nobodyNamed(ctx, text, field)
  return colleague(rows[0])
}

async function outside(
  ctx: ReadContext,
  address: string,
  name: string,
  field: string,
): Promise<AttendeeInput> {
  if (address.length > 320 || !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address))
    throw invalid(field, `${JSON.stringify(address.slice(0, 100))} is not an email address.`)
  const colleagueRow = await person.find(ctx, address)
  return colleagueRow
    ? { ...colleague(colleagueRow), address }
    : omitNullish({ address, name: name === '' ? undefined : name })
}

const colleague = (row: Row<'users'>): AttendeeInput => ({
  address: row.email.toLowerCase(),
  name: row.display_name,
})

/** Adds attendees to an event, which from then on is organized by its calendar's owner. */
export async function askAll(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
  events: readonly Component[],
  who: readonly AttendeeInput[],
  optional: boolean,
): Promise<void> {
  const addresses = await ownAddresses(ctx)
  const account = await organizingAccount(ctx, calendar)
  const organizer = {
    address: (account?.address ?? ctx.actor.email).toLowerCase(),
    name: account?.display_name || ctx.actor.display_name,
  }
  for (const component of events) {
    for (const attendee of who)
      if (!addresses.has(attendee.address)) inviteAttendee(component, attendee, optional)
    if (component.hasProperty('attendee')) organize(component, organizer)
    keepToOurselves(component, addresses)
  }
}

export const addEventAttendees = operation({
  name: 'add_event_attendees',
  searchHint: 'invite to a meeting, add guests, bring someone along, bring my partner to dinner',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/events/{event_id}/attendees',
  about: 'Add people to an event without notifying them yet',
  on: { event: event.edit },
  input: {
    attendees: attendeeList().min(1).describe(whoIsAsked),
    optional: z.boolean().default(false).describe('not required'),
    scope: scope(),
  },
  output: Event,
  async handle({ event: targetEvent, attendees, optional, scope }, ctx) {
    const who = await attendeesNamed(ctx, attendees)
    const editing = await edit(ctx, targetEvent, scope)
    await requireOrganizer(ctx, editing)
    const before = texts(editing)
    await askAll(ctx, editing.calendar, [editing.component, ...editing.along], who, optional)
    return changedOne(ctx, editing, before)
  },
})

export const removeEventAttendee = operation({
  name: 'remove_event_attendee',
  searchHint: 'uninvite, take off the guest list',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/events/{event_id}/attendees/{email}',
  about: 'Take a person off an event',
  on: { event: event.edit },
  input: {
    email: shortText(400).min(1).describe('an email address, or an id or name of a person'),
    scope: scope(),
  },
  output: Event,
  async handle({ event: targetEvent, email, scope }, ctx) {
    const { address } = await namedBy(ctx, email.trim(), 'email')
    const editing = await edit(ctx, targetEvent, scope)
    await requireOrganizer(ctx, editing)
    const before = texts(editing)
    const affected = [editing.component, ...editing.along].filter((component) =>
      takeOff(component, address),
    )
    if (affected.length === 0) throw notFound('attendee', 'email')
    return changedOne(ctx, editing, before)
  },
})

/** Removes an attendee, and remembers it until they are notified. */
function takeOff(component: Component, address: string): boolean {
  const property = attendeeNamed(component, address)
  if (!property) return false
  component.removeProperty(property)
  component.addProperty(newProperty('x-workspace-uninvited', `mailto:${address}`))
  return true
}

const texts = ({ component, along }: Editing) =>
  [component, ...along].map((item) => item.toString()).join('')

async function changedOne(ctx: WriteContext, editing: Editing, before: string) {
  if (texts(editing) === before)
    return presentEvent(ctx, withOccurrencePlace(editing.row, editing.place))
  const { invites_pending } = await markChanged(ctx, editing)
  const row = await saveEditing(ctx, editing, {
    invites_pending: invites_pending === 1 || /X-WORKSPACE-UNINVITED/.test(texts(editing)) ? 1 : 0,
  })
  return presentEvent(
    ctx,
    withOccurrencePlace(row, editing.scope === 'this' ? editing.place : undefined),
  )
}

/** A row in the form of an argument that names one of its occurrences. */
export function withOccurrencePlace(row: Row<'events'>, place: string | undefined): Row<'events'> {
  return place === undefined ? row : ({ ...row, place } as Row<'events'>)
}
