import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { accountOf } from './access-accounts.ts'
import { answerOrganizer, invite } from './access-attendees.ts'
import { addLetters, type NewLetter } from './access-messages.ts'
import { event, ownAddresses } from '../access.ts'
import { withOccurrencePlace } from './attendees.ts'
import { setOrganizer, setChangeTime } from '../ical/object-fields.ts'
import {
  calendarAddressOf,
  attendeeProperty,
  eventFields,
  type Attendee,
  type Response,
} from '../ical/event-fields.ts'
import { presentEvent } from '../events/events.ts'
import { readObject, serializeCalendar, type CalendarObject } from '../ical/objects.ts'
import { responseMail, invitationMail } from './texts.ts'
import { eventsIn, itipReplyOf, itipRequestOf, setResponse } from '../ical/itip.ts'
import type { Cancellation } from './cancellation.ts'
import {
  requireOrganizer,
  openForEditing,
  saveEditing,
  type SeriesScope,
} from '../events/scopes.ts'
import { Event } from '../shapes.ts'
import { exceptionFor } from '../ical/series.ts'
import {
  requestSending,
  cancelFor,
  colleaguesAmong,
  requireSendingAccount,
  sendingAccountFor,
  senderOf,
  notifyCancelled,
  previouslyInvited,
} from './senders.ts'
import { changeObject } from '../events/object-store.ts'

const responseNote = () => shortText(5000)

export const sendEventInvites = operation({
  name: 'send_event_invites',
  searchHint: 'invite guests, mail invitations, notify attendees',
  kind: 'destructive',
  rest: 'POST /api/events/{event_id}/invites',
  about: 'Email invitations or the latest changes to attendees',
  on: { event: event.edit },
  outbound: true,
  undoCaveat: 'mail sent to attendees cannot be recalled',
  input: {
    to: z
      .array(shortText(500).min(1))
      .min(1)
      .max(200)
      .optional()
      .describe('addresses of attendees; default: all of them'),
    message: responseNote().optional().describe('a note to them, above the invitation'),
  },
  output: Event,
  async handle({ event: targetEvent, to, message }, ctx) {
    const editing = await openForEditing(ctx, targetEvent, 'all')
    await requireOrganizer(ctx, editing)
    const { row, object, calendar } = editing
    const addresses = await ownAddresses(ctx)
    const all = attendeesOf(object, addresses)
    const removedAddresses = uninvitedAddressesOf(object)
    const recipients = to === undefined ? all : resolveRecipients(all, to)
    if (recipients.length === 0 && removedAddresses.length === 0)
      throw new Refusal('conflict', 'This event has no attendees.', {
        hint: 'Add people first.',
        next: { tool: 'add_event_attendees', arguments: { event_id: row.id } },
      })
    const organizer =
      eventFields(eventsIn(object)[0]!, addresses).organizer?.address ?? ctx.actor.email
    for (const component of eventsIn(object))
      setOrganizer(component, { address: organizer, name: ctx.actor.display_name })
    const letters = await sendRequests(ctx, row, object, recipients, { organizer, message })
    if (to === undefined)
      await cancelFor(
        ctx,
        row,
        object,
        removedAddresses.map((address) => ({ address })),
        { organizer, message },
      )
    markInvited(object, recipients, to === undefined)
    const changed = await changeObject(ctx, calendar, row, object.root, {
      invites_pending: to === undefined ? 0 : row.invites_pending,
    })
    if (letters > 0) await requestSending(ctx)
    return presentEvent(ctx, changed)
  },
})

/** Sends an event to its attendees; colleagues get it in their calendars directly. @returns the number of mails */
async function sendRequests(
  ctx: WriteContext,
  row: Row<'events'>,
  object: CalendarObject,
  chosen: readonly Attendee[],
  notice: { organizer: string; message: string | undefined },
): Promise<number> {
  const colleagues = await colleaguesAmong(
    ctx,
    chosen.map((attendee) => attendee.address),
  )
  const outside = chosen.filter((attendee) => !colleagues.has(attendee.address))
  const sendingAccount =
    outside.length > 0
      ? await requireSendingAccount(ctx, notice.organizer)
      : await sendingAccountFor(ctx, notice.organizer)
  for (const colleague of colleagues.values())
    await invite(ctx, colleague, { ...row, raw_ics: serializeCalendar(object.root) })
  if (sendingAccount === undefined) return 0
  const ics = itipRequestOf(object, ctx.now)
  const letters = chosen.map((attendee): NewLetter => {
    const mailText = invitationMail('REQUEST', row, {
      organizer: ctx.actor.display_name,
      message: notice.message,
      isUpdate: wasInvited(object, attendee.address),
    })
    return {
      event: row,
      account: sendingAccount,
      method: 'REQUEST',
      content: {
        ...mailText,
        ics,
        to: { name: attendee.name ?? '', address: attendee.address },
        from: senderOf(ctx, sendingAccount, notice.organizer),
      },
    }
  })
  await addLetters(ctx, letters)
  return letters.length
}

function attendeesOf(object: CalendarObject, ownAddresses: ReadonlySet<string>): Attendee[] {
  const attendeesByAddress = new Map<string, Attendee>()
  for (const component of eventsIn(object))
    for (const each of eventFields(component, ownAddresses).attendees)
      if (!ownAddresses.has(each.address)) attendeesByAddress.set(each.address, each)
  return [...attendeesByAddress.values()]
}

function resolveRecipients(all: readonly Attendee[], to: readonly string[]): Attendee[] {
  return to.map((text, i) => {
    const match = all.find((attendee) => attendee.address === text.trim().toLowerCase())
    if (!match)
      throw invalid(
        `to[${i}]`,
        `${JSON.stringify(text.slice(0, 100))} is not an attendee of this event.`,
        'Add them with add_event_attendees.',
      )
    return match
  })
}

const invitedParameter = 'x-workspace-told'

function wasInvited(object: CalendarObject, address: string): boolean {
  return eventsIn(object).some(
    (component) =>
      attendeeProperty(component, address)?.getParameter(invitedParameter) !== undefined,
  )
}

/** Marks people as notified, so that they are also notified of a cancellation. */
function markInvited(
  object: CalendarObject,
  chosen: readonly Attendee[],
  includesAll: boolean,
): void {
  for (const component of eventsIn(object)) {
    for (const { address } of chosen)
      attendeeProperty(component, address)?.setParameter(invitedParameter, '1')
    if (includesAll) component.removeAllProperties('x-workspace-uninvited')
  }
}

function uninvitedAddressesOf(object: CalendarObject): string[] {
  const uninvitedAddresses = eventsIn(object).flatMap((component) =>
    component
      .getAllProperties('x-workspace-uninvited')
      .flatMap((each) => calendarAddressOf(each) ?? []),
  )
  return [...new Set(uninvitedAddresses)].filter(
    (address) => !eventsIn(object).some((component) => attendeeProperty(component, address)),
  )
}

export const respondToEvent = operation({
  name: 'respond_to_event',
  searchHint: 'RSVP, accept an invitation, decline, say yes, will not attend',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/events/{event_id}/response',
  about: 'Accept, decline or tentatively accept an invitation, with a note',
  on: { event: event.edit },
  outbound: true,
  input: {
    response: z.enum(['accepted', 'tentative', 'declined']),
    scope: z
      .enum(['this', 'all'])
      .optional()
      .describe(
        'of a series; default: this for the id of an occurrence, all for the id of the series',
      ),
    note: responseNote().optional().describe('a note to the organizer'),
  },
  output: Event,
  async handle({ event: targetEvent, response, scope, note: words }, ctx) {
    const editing = await openForEditing(ctx, targetEvent, scope)
    const { row, component, affectedExceptions, place } = editing
    const addresses = await ownAddresses(ctx)
    const parts = [component, ...affectedExceptions]
    const ownAttendee = eventFields(component, addresses).attendees.find((attendee) =>
      addresses.has(attendee.address),
    )
    if (!ownAttendee)
      throw new Refusal(
        'conflict',
        'You are not an attendee of this event, so there is nothing to answer.',
        { field: 'event_id' },
      )
    const singlePlace = editing.scope === 'this' ? place : undefined
    const changed = parts
      .map((part) => setResponse(part, ownAttendee.address, response))
      .some(Boolean)
    if (!changed && words === undefined)
      return presentEvent(ctx, withOccurrencePlace(row, singlePlace))
    for (const part of parts) setChangeTime(part, ctx.now)
    const notes = await notifyOrganizer(ctx, editing.calendar, row, editing.target, {
      parts,
      address: ownAttendee.address,
      response,
      note: words,
      place: singlePlace,
    })
    const saved = await saveEditing(ctx, editing)
    return presentEvent(ctx, withOccurrencePlace(saved, singlePlace), undefined, notes)
  },
})

interface ResponseToSend {
  parts: ReturnType<typeof eventsIn>
  address: string
  response: Response
  note: string | undefined
  place: string | undefined
}

/** Notifies the organizer: a colleague directly in their calendar, others by mail; Google's server does so itself. */
async function notifyOrganizer(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
  row: Row<'events'>,
  object: CalendarObject,
  { parts, address, response, note: words, place }: ResponseToSend,
): Promise<string[]> {
  const organizer =
    eventFields(parts[0]!, new Set()).organizer ??
    (object.master ? eventFields(object.master, new Set()).organizer : null)
  if (!organizer || (await ownAddresses(ctx)).has(organizer.address)) return []
  const answer = { event: row, address, response, place }
  if (await answerOrganizer(ctx, organizer.address, answer)) return []
  if ((await accountOf(ctx, calendar))?.provider === 'google') return []
  const means = await sendingAccountFor(ctx, address)
  if (means === undefined)
    return ['The organizer was not notified: there is no mail account to send the response from.']
  const letterText = responseMail(row, {
    attendeeName: ctx.actor.display_name,
    response,
    note: words,
  })
  const ics = itipReplyOf(object, parts, address, response, words, ctx.now)
  await addLetters(ctx, [
    {
      event: row,
      account: means,
      method: 'REPLY',
      content: {
        ...letterText,
        ics,
        to: { name: organizer.name ?? '', address: organizer.address },
        from: senderOf(ctx, means, address),
      },
    },
  ])
  await requestSending(ctx)
  return []
}

/** Notifies those concerned by an event's deletion: its attendees if the caller organizes it, else its organizer. */
export async function notifyDeleted(
  ctx: WriteContext,
  {
    row,
    calendar,
    remaining,
    place,
  }: Pick<Cancellation, 'row' | 'calendar' | 'remaining' | 'place'>,
  scope: SeriesScope,
  message: string | undefined,
): Promise<void> {
  const addresses = await ownAddresses(ctx)
  const object = readObject(row.raw_ics)
  const parts =
    place === undefined || scope === 'all'
      ? eventsIn(object)
      : [exceptionFor(object, place, calendar.timezone)!]
  const { organizer, attendees } = eventFields(parts[0]!, addresses)
  const only = remaining && scope === 'this' ? place : undefined
  if (organizer !== null && !addresses.has(organizer.address)) {
    const mine = attendees.find((attendee) => addresses.has(attendee.address))
    if (!mine || mine.response === 'declined' || (remaining && only === undefined)) return
    await notifyOrganizer(ctx, calendar, row, object, {
      parts,
      address: mine.address,
      response: 'declined',
      note: message,
      place: only,
    })
  } else if (remaining && only === undefined) {
    const letters = await sendRequests(
      ctx,
      row,
      remaining,
      previouslyInvited(row, eventsIn(object), addresses),
      {
        organizer: organizer?.address ?? ctx.actor.email,
        message,
      },
    )
    if (letters > 0) await requestSending(ctx)
  } else
    await notifyCancelled(ctx, row, {
      ownAddresses: addresses,
      message,
      place: only,
      component: only === undefined ? undefined : parts[0],
    })
}
