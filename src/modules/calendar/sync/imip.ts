import type { WriteContext } from '../../../operations/context.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { ownAddressesOf } from '../access.ts'
import { indexIn } from '../events/access-occurrences.ts'
import { columnsOfObject, type ReadingContext } from '../ical/event-columns.ts'
import {
  objectOf,
  readObject,
  Unreadable,
  serializeCalendar,
  type CalendarObject,
  type Component,
} from '../ical/objects.ts'
import {
  calendarAddressOf,
  senderForOrganizer,
  setSenderForOrganizer,
} from '../ical/event-fields.ts'
import { inviteAttendee } from '../ical/object-fields.ts'
import {
  eventsIn,
  exceptionPlace,
  readItipMessage,
  applyRequest,
  setResponse,
  type ItipMessage,
} from '../ical/itip.ts'
import { endSeriesBefore, excludeOccurrence, isFirst, exceptionFor } from '../ical/series.ts'
import { isFollowing } from '../ical/following-changes.ts'
import { occurrenceAt } from '../ical/occurrences.ts'

// Invitations, replies and cancellations received by mail (iMIP). A mail is trusted only within its sender's role: the
// organizer decides about the event, an attendee only about their own response. All else is ignored.

const batchSize = 20
/** Older mail is irrelevant to a calendar. */
const maxAge = 60 * dayLength

type Mail = Pick<
  Row<'emails'>,
  | 'id'
  | 'org_id'
  | 'owner_id'
  | 'account_id'
  | 'from_email'
  | 'is_own'
  | 'place'
  | 'received_at'
  | 'authentication_json'
  | 'addresses_json'
> & {
  calendar_text: string
  owner_email: string
  provider: string
  account_address: string
}

/** Reads the calendar parts of received mail, once each. */
export const readInvitations: Tick = {
  name: 'read_invitations',
  due: async (all) => (await unreadInvitations(all, 1)).length > 0,
  async run(system) {
    const mails = await unreadInvitations(system.all, batchSize)
    for (const mail of mails) {
      const outcome = await imipOutcomeOf(system, mail)
      await system.all
        .insertInto('event_mails')
        .values({ email_id: mail.id, org_id: mail.org_id, outcome, read_at: system.now })
        .execute()
    }
    return mails.length === batchSize
  },
}

function unreadInvitations(all: TickContext['all'], limit: number): Promise<Mail[]> {
  return all
    .selectFrom('email_bodies')
    .innerJoin('emails', 'emails.id', 'email_bodies.email_id')
    .innerJoin('accounts', 'accounts.id', 'emails.account_id')
    .innerJoin('users', 'users.id', 'emails.owner_id')
    .leftJoin('event_mails', 'event_mails.email_id', 'email_bodies.email_id')
    .select([
      'emails.id',
      'emails.org_id',
      'emails.owner_id',
      'emails.account_id',
      'emails.from_email',
      'emails.is_own',
      'emails.place',
      'emails.received_at',
      'emails.authentication_json',
      'emails.addresses_json',
      'users.email as owner_email',
      'accounts.provider',
      'accounts.address as account_address',
    ])
    .select((eb) => eb.ref('email_bodies.calendar_text').$notNull().as('calendar_text'))
    .where('email_bodies.calendar_text', 'is not', null)
    .where('event_mails.email_id', 'is', null)
    .where('accounts.removed_at', 'is', null)
    .where('users.status', '=', 'active')
    .orderBy('emails.received_at')
    .limit(limit)
    .execute()
}

/** Applies a mail and returns its outcome; problems.ts has the sentences for outcomes shown to people. */
async function imipOutcomeOf(system: TickContext, mail: Mail): Promise<string> {
  if (mail.is_own === 1) return 'own'
  if (['spam', 'trash', 'drafts', 'sent'].includes(mail.place)) return `in ${mail.place}`
  if (mail.received_at < system.now - maxAge) return 'old'
  if (failsAuthentication(mail)) return 'the sender is not who it says'
  try {
    const message = readItipMessage(mail.calendar_text)
    return await system.as(mail.owner_id, async (ctx) => applyMessage(system, ctx, mail, message), {
      via: 'sync',
    })
  } catch (error) {
    if (error instanceof Unreadable) return `unreadable: ${error.message}`.slice(0, 300)
    throw error
  }
}

/** Whether the receiving server checked the sender and the checks failed. */
function failsAuthentication({ authentication_json }: Mail): boolean {
  if (authentication_json === null) return false
  const {
    dmarc,
    dkim,
    spf = '',
  } = JSON.parse(authentication_json) as Partial<Record<'dmarc' | 'dkim' | 'spf', string>>
  return dmarc === 'fail' || (dmarc !== 'pass' && dkim !== 'pass' && /fail$/.test(spf)) // for domains without a DMARC policy
}

async function applyMessage(
  system: TickContext,
  ctx: WriteContext,
  mail: Mail,
  message: ItipMessage,
): Promise<string> {
  const addresses = await ownAddressesOf(system.all, mail.owner_id, mail.owner_email)
  const from = mail.from_email.toLowerCase()
  const rows = await system.all
    .selectFrom('events')
    .selectAll()
    .where('owner_id', '=', mail.owner_id)
    .where('uid', '=', message.uid)
    .where('deleted_at', 'is', null)
    .execute()
  const existing = rows.find((row) => row.remote_href !== null) ?? rows[0]
  if (existing && existing.unreadable !== null) return 'of an event that cannot be read'
  const mailContext: MailContext = {
    system,
    ctx,
    mail,
    ownAddresses: addresses,
    from,
    existing,
  }
  if (message.method === 'REQUEST') return applyInvitation(mailContext, message)
  if (message.method === 'CANCEL') return applyCancellation(mailContext, message)
  if (message.method === 'REPLY') return applyReply(mailContext, message)
  return `${message.method || 'no method'}: not understood`
}

interface MailContext {
  system: TickContext
  ctx: WriteContext
  mail: Mail
  ownAddresses: ReadonlySet<string>
  from: string
  existing: Row<'events'> | undefined
}

/** Reason why an invitation is refused; undefined if it is accepted. */
async function invitationRefusalOf(
  on: MailContext,
  message: ItipMessage,
): Promise<string | undefined> {
  const { ownAddresses, existing, mail } = on
  if (message.organizer === undefined || !(await maySendForOrganizer(on, message)))
    return 'not from the organizer'
  if (ownAddresses.has(message.organizer)) return 'own event'
  if (existing && organizerOf(existing) !== message.organizer) return 'of another organizer'
  if (existing && message.sequence < existing.sequence) return 'older than what is here'
  if (mail.provider === 'google') return 'the server of the account handles it'
  return existing || isInvited(on, message) ? undefined : 'not asked'
}

async function applyInvitation(on: MailContext, itip: ItipMessage): Promise<string> {
  const { ctx, ownAddresses, from, existing, mail } = on
  const refusal = await invitationRefusalOf(on, itip)
  if (refusal !== undefined) return refusal
  addOwnerAsAttendee(on, itip)
  const root = applyRequest(itip.object, existing && readObject(existing.raw_ics), ownAddresses)
  if (from !== itip.organizer)
    for (const component of root.getAllSubcomponents('vevent'))
      setSenderForOrganizer(component, from)
  const row = await writeInvitedEvent(on, objectOf(root))
  if (!row) return 'nothing new'
  ctx.notify(
    'invite',
    [mail.owner_id],
    'events',
    row,
    existing
      ? 'An event that you are invited to was changed.'
      : 'You were invited to an event by mail.',
  )
  return existing ? 'updated' : 'added'
}

/**
 * Whether a mail may decide about an event: it is from the organizer or someone sending on their behalf. For a known
 * event, the first mail determined who that is; for a new one, SENT-BY or Reply-To do, but not for colleagues, whose
 * invitations come from here.
 */
async function maySendForOrganizer(
  { system, from, existing, mail }: MailContext,
  message: ItipMessage,
): Promise<boolean> {
  const { organizer } = message
  if (organizer === undefined || organizer === from) return organizer === from
  if (existing) return senderOf(existing) === from
  const [event] = eventsIn(message.object)
  const replies = recipientsOf(mail, ['reply_to'])
  if ((event && senderForOrganizer(event)) !== from && !replies.includes(organizer)) return false
  const colleague = await system.all
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', mail.org_id)
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', organizer))
    .executeTakeFirst()
  return colleague === undefined
}

function senderOf(row: Row<'events'>): string | undefined {
  const [event] = eventsIn(readObject(row.raw_ics))
  return event && senderForOrganizer(event)
}

/**
 * Whether the owner is invited: by one of their addresses, or by one through which the mail reached them, such as a
 * group or alias.
 */
function isInvited({ ownAddresses, mail }: MailContext, message: ItipMessage): boolean {
  const to = new Set([...ownAddresses, ...recipientsOf(mail, ['to', 'cc', 'bcc'])])
  return eventsIn(message.object)
    .flatMap(addressesIn)
    .some((address) => to.has(address))
}

/** Adds the owner beside the invited group or alias, so that they can respond. */
function addOwnerAsAttendee({ ownAddresses, mail }: MailContext, itip: ItipMessage): void {
  const to = new Set(recipientsOf(mail, ['to', 'cc', 'bcc']))
  for (const component of eventsIn(itip.object)) {
    const attendees = addressesIn(component)
    if (
      attendees.some((address) => ownAddresses.has(address)) ||
      !attendees.some((address) => to.has(address))
    )
      continue
    inviteAttendee(component, { address: mail.account_address.toLowerCase() }, false)
  }
}

function addressesIn(event: Component): string[] {
  return event.getAllProperties('attendee').flatMap((property) => calendarAddressOf(property) ?? [])
}

function recipientsOf({ addresses_json }: Mail, fields: readonly string[]): string[] {
  const all = JSON.parse(addresses_json) as Record<string, { email: string }[] | undefined>
  return fields.flatMap((field) => (all[field] ?? []).map(({ email }) => email.toLowerCase()))
}

async function applyCancellation(on: MailContext, message: ItipMessage): Promise<string> {
  const { ctx, existing, mail } = on
  if (!existing) return 'no such event'
  if (organizerOf(existing) !== message.organizer || !(await maySendForOrganizer(on, message)))
    return 'not from the organizer'
  if (message.sequence < existing.sequence) return 'older than what is here'
  if (mail.provider === 'google') return 'the server of the account handles it'
  const object = readObject(existing.raw_ics)
  const zone = await zoneOf(on, existing)
  if (message.object.master || !object.master)
    for (const event of eventsIn(object)) event.updatePropertyWithValue('status', 'CANCELLED')
  else
    for (const exception of message.object.exceptions)
      cancelException(object, message.object, exception, zone)
  const row = await writeInvitedEvent(on, object)
  if (!row) return 'nothing new'
  ctx.event('event.cancelled', 'events', row)
  ctx.notify(
    'invite',
    [mail.owner_id],
    'events',
    row,
    'An event that you were invited to was cancelled.',
  )
  return 'cancelled'
}

function cancelException(
  object: CalendarObject,
  cancel: CalendarObject,
  exception: CalendarObject['exceptions'][number],
  zone: string,
): void {
  const place = exceptionPlace(object, cancel, exception, zone)
  if (place !== undefined && isFollowing(exception)) {
    if (!isFirst(object, place, zone)) return endSeriesBefore(object, place, zone)
    for (const event of eventsIn(object)) event.updatePropertyWithValue('status', 'CANCELLED')
    return
  }
  const occurrence = place === undefined ? undefined : occurrenceAt(object, place, zone)
  if (occurrence) excludeOccurrence(object, occurrence, zone)
}

/** Whether a mail came from the mailbox of the colleague with a sign-in address. */
async function isMailboxOf({ system, from, mail }: MailContext, address: string): Promise<boolean> {
  const account = await system.all
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.owner_id')
    .select('users.id')
    .where('accounts.org_id', '=', mail.org_id)
    .where('accounts.address', '=', from)
    .where('accounts.removed_at', 'is', null)
    .where('users.email', '=', address)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
  return account !== undefined
}

async function applyReply(on: MailContext, message: ItipMessage): Promise<string> {
  const { ctx, ownAddresses, from, existing, mail } = on
  if (!existing) return 'no such event'
  const { answer } = message
  if (!answer || !(answer.address === from || (await isMailboxOf(on, answer.address))))
    return 'not from who answers'
  const organizer = organizerOf(existing)
  if (organizer !== undefined && !ownAddresses.has(organizer)) return 'of another organizer'
  const object = readObject(existing.raw_ics)
  const zone = await zoneOf(on, existing)
  const [repliedEvent] = eventsIn(message.object)
  const place = message.object.master
    ? undefined
    : exceptionPlace(object, message.object, repliedEvent!, zone)
  const parts =
    place === undefined
      ? eventsIn(object)
      : [exceptionFor(object, place, zone)].filter((item) => item !== undefined)
  if (!parts.map((part) => setResponse(part, answer.address, answer.response)).some(Boolean))
    return 'nothing new, or not asked'
  const row = (await writeInvitedEvent(on, object))!
  ctx.event('event.response_received', 'events', row)
  const responseVerb = {
    accepted: 'accepted',
    declined: 'declined',
    tentative: 'tentatively accepted',
    needs_action: 'has not decided on',
  }[answer.response]
  ctx.notify(
    'invite',
    [mail.owner_id],
    'events',
    row,
    `Someone you invited ${responseVerb} an event.`,
  )
  return 'answered'
}

/** Writes an event's new state: in its place, or in the built-in calendar; undefined if nothing changed. */
async function writeInvitedEvent(
  on: MailContext,
  object: CalendarObject,
): Promise<Row<'events'> | undefined> {
  const { system, ctx, ownAddresses, existing, mail } = on
  const calendar = existing
    ? await system.all
        .selectFrom('calendars')
        .selectAll()
        .where('id', '=', existing.calendar_id)
        .executeTakeFirstOrThrow()
    : await system.all
        .selectFrom('calendars')
        .selectAll()
        .where('owner_id', '=', mail.owner_id)
        .where('account_id', 'is', null)
        .executeTakeFirstOrThrow()
  const reader: ReadingContext = { zone: calendar.timezone, ownAddresses, now: ctx.now }
  const { uid, ...columns } = columnsOfObject(object, serializeCalendar(object.root), reader)
  const row = existing
    ? await ctx.change('events', existing, {
        ...columns,
        trust: isReworded(existing, columns) ? 'external' : existing.trust,
      })
    : await ctx.add('events', {
        calendar_id: calendar.id,
        owner_id: mail.owner_id,
        uid,
        ...columns,
        trust: 'external',
        invites_pending: 0,
      })
  if (existing && row.revision === existing.revision) return undefined
  await indexIn(system.all, ctx.now, row, calendar.timezone, ownAddresses)
  return row
}

/** Whether a mail changes texts: they then count as external, even if a colleague wrote the previous ones. */
function isReworded(
  existing: Row<'events'>,
  changed: Partial<Record<'title' | 'location' | 'description', unknown>>,
): boolean {
  return (['title', 'location', 'description'] as const).some(
    (name) => existing[name] !== changed[name],
  )
}

function organizerOf({ organizer_json }: Row<'events'>): string | undefined {
  return organizer_json === null
    ? undefined
    : (JSON.parse(organizer_json) as { address: string }).address
}

async function zoneOf({ system }: MailContext, row: Row<'events'>): Promise<string> {
  return (
    await system.all
      .selectFrom('calendars')
      .select('timezone')
      .where('id', '=', row.calendar_id)
      .executeTakeFirstOrThrow()
  ).timezone
}
