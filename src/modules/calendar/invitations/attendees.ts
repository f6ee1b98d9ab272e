import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { colleaguesByName, unknownPersonRefusal, person } from '../../directory/access.ts'
import { event, ownAddresses } from '../access.ts'
import { organizingAccount } from './access-accounts.ts'
import { inviteAttendee, suppressServerInvitations, setOrganizer } from '../ical/object-fields.ts'
import { attendeeProperty } from '../ical/event-fields.ts'
import { presentEvent } from '../events/events.ts'
import { newProperty, type Component } from '../ical/objects.ts'
import {
  requireOrganizer,
  openForEditing,
  markChanged,
  saveEditing,
  scopeField,
  type Editing,
} from '../events/scopes.ts'
import { Event } from '../shapes.ts'

/** A person invited to an event. */
export interface AttendeeInput {
  address: string
  name?: string | undefined
}

export const attendeeList = () => z.array(shortText(400).min(1)).max(200)
export const attendeesDescription =
  'ids, me, names or email addresses of people; "Name <address>" for external people'

/** Resolves a list of attendees, each once. @throws Refusal not_found, invalid_argument */
export async function resolveAttendees(
  ctx: ReadContext,
  texts: readonly string[],
  field = 'attendees',
): Promise<AttendeeInput[]> {
  const attendeesByAddress = new Map<string, AttendeeInput>()
  for (const [i, text] of texts.entries()) {
    const attendeeInput = await resolveAttendee(ctx, text.trim(), `${field}[${i}]`)
    attendeesByAddress.set(attendeeInput.address, attendeeInput)
  }
  return [...attendeesByAddress.values()]
}

async function resolveAttendee(
  ctx: ReadContext,
  text: string,
  field: string,
): Promise<AttendeeInput> {
  const [, name = '', bracketed] = /^(.*?)\s*<([^<>]*)>$/s.exec(text) ?? []
  const email = bracketed ?? (text.includes('@') ? text : undefined)
  if (email !== undefined)
    return attendeeByAddress(
      ctx,
      email.trim().toLowerCase(),
      name.replace(/^"(.*)"$/s, '$1').trim(),
      field,
    )
  if (text === 'me' || text.startsWith('usr_'))
    return attendeeOf(await person.demand(ctx, text, 'see', field))
  const rows = await colleaguesByName(ctx, text)
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
  if (!rows[0]) throw await unknownPersonRefusal(ctx, text, field)
  return attendeeOf(rows[0])
}

async function attendeeByAddress(
  ctx: ReadContext,
  address: string,
  name: string,
  field: string,
): Promise<AttendeeInput> {
  if (address.length > 320 || !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address))
    throw invalid(field, `${JSON.stringify(address.slice(0, 100))} is not an email address.`)
  const colleagueRow = await person.find(ctx, address)
  return colleagueRow
    ? { ...attendeeOf(colleagueRow), address }
    : omitNullish({ address, name: name === '' ? undefined : name })
}

const attendeeOf = (row: Row<'users'>): AttendeeInput => ({
  address: row.email.toLowerCase(),
  name: row.display_name,
})

/** Adds attendees to an event, and makes its calendar's owner the organizer if it has none. */
export async function inviteAll(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
  events: readonly Component[],
  attendees: readonly AttendeeInput[],
  optional: boolean,
): Promise<void> {
  const addresses = await ownAddresses(ctx)
  const account = await organizingAccount(ctx, calendar)
  const organizer = {
    address: (account?.address ?? ctx.actor.email).toLowerCase(),
    name: account?.display_name || ctx.actor.display_name,
  }
  for (const component of events) {
    for (const attendee of attendees)
      if (!addresses.has(attendee.address)) inviteAttendee(component, attendee, optional)
    if (component.hasProperty('attendee')) setOrganizer(component, organizer)
    suppressServerInvitations(component, addresses)
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
    attendees: attendeeList().min(1).describe(attendeesDescription),
    optional: z.boolean().default(false).describe('not required'),
    scope: scopeField(),
  },
  output: Event,
  async handle({ event: targetEvent, attendees, optional, scope }, ctx) {
    const who = await resolveAttendees(ctx, attendees)
    const editing = await openForEditing(ctx, targetEvent, scope)
    await requireOrganizer(ctx, editing)
    const before = textOfParts(editing)
    await inviteAll(
      ctx,
      editing.calendar,
      [editing.component, ...editing.affectedExceptions],
      who,
      optional,
    )
    return saveAndPresent(ctx, editing, before)
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
    scope: scopeField(),
  },
  output: Event,
  async handle({ event: targetEvent, email, scope }, ctx) {
    const { address } = await resolveAttendee(ctx, email.trim(), 'email')
    const editing = await openForEditing(ctx, targetEvent, scope)
    await requireOrganizer(ctx, editing)
    const before = textOfParts(editing)
    const affected = [editing.component, ...editing.affectedExceptions].filter((component) =>
      removeAttendee(component, address),
    )
    if (affected.length === 0) throw notFound('attendee', 'email')
    return saveAndPresent(ctx, editing, before)
  },
})

/** Removes an attendee, and remembers it until they are notified. */
function removeAttendee(component: Component, address: string): boolean {
  const property = attendeeProperty(component, address)
  if (!property) return false
  component.removeProperty(property)
  component.addProperty(newProperty('x-workspace-uninvited', `mailto:${address}`))
  return true
}

const textOfParts = ({ component, affectedExceptions }: Editing) =>
  [component, ...affectedExceptions].map((item) => item.toString()).join('')

async function saveAndPresent(ctx: WriteContext, editing: Editing, before: string) {
  if (textOfParts(editing) === before)
    return presentEvent(ctx, withOccurrencePlace(editing.row, editing.place))
  const { invites_pending } = await markChanged(ctx, editing)
  const row = await saveEditing(ctx, editing, {
    invites_pending:
      invites_pending === 1 || /X-WORKSPACE-UNINVITED/.test(textOfParts(editing)) ? 1 : 0,
  })
  return presentEvent(
    ctx,
    withOccurrencePlace(row, editing.scope === 'this' ? editing.place : undefined),
  )
}

/** A row with the place of one of its occurrences, as an event argument has it. */
export function withOccurrencePlace(row: Row<'events'>, place: string | undefined): Row<'events'> {
  return place === undefined ? row : ({ ...row, place } as Row<'events'>)
}
