import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { serversOf } from '../../accounts/access.ts'
import { mailAccounts } from './access-accounts.ts'
import { person } from '../../directory/access.ts'
import { addLetters, type LetterContent } from './access-messages.ts'
import { uninvite } from './access-attendees.ts'
import { eventFields, type Attendee } from '../ical/event-fields.ts'
import { readObject, type CalendarObject, type Component } from '../ical/objects.ts'
import { invitationMail } from './texts.ts'
import { itipCancelOf } from '../ical/itip.ts'

/** Mail server for someone's event mail: that of one of their accounts, or (null) that of the instance. */
export type SendingAccount = Row<'accounts'> | null

/** Job that sends mails about events; run by delivery.ts. */
export const letterJob = 'send_event_letters'

/**
 * Selects the server for mail from an address; undefined if there is none. The account with that address comes first,
 * then the default one.
 */
export async function sendingAccountFor(
  ctx: ReadContext,
  address: string,
): Promise<SendingAccount | undefined> {
  const rows = await mailAccounts(ctx).execute()
  const accountsWithSmtp = rows.filter((row) => serversOf(ctx.settings, row).smtp !== undefined)
  const matchingAccount = accountsWithSmtp.find((row) => row.address === address)
  if (matchingAccount) return matchingAccount
  if (ctx.settings.mail_server !== '') return null
  return accountsWithSmtp[0]
}

export async function requireSendingAccount(
  ctx: ReadContext,
  address: string,
): Promise<SendingAccount> {
  const means = await sendingAccountFor(ctx, address)
  if (means !== undefined) return means
  throw new Refusal(
    'not_connected',
    'There is no mail account to send this from.',
    'Connect a mail account under Settings, Accounts; or the operator of this instance sets a mail server with --mail-server.',
  )
}

/** The sender that recipients see: the account's, else the address of the organizer or attendee. */
export function senderOf(
  ctx: ReadContext,
  means: SendingAccount,
  address: string,
): LetterContent['from'] {
  return { name: means?.display_name || ctx.actor.display_name, address: means?.address ?? address }
}

export async function requestSending(ctx: WriteContext): Promise<void> {
  await ctx.job(
    letterJob,
    { person_id: ctx.actor.id },
    { uniqueKey: ctx.actor.id, whileRunning: 'again' },
  )
}

/** Colleagues among the given addresses, by address. */
export async function colleaguesAmong(
  ctx: ReadContext,
  addresses: readonly string[],
): Promise<Map<string, Row<'users'>>> {
  if (addresses.length === 0) return new Map()
  const rows = await person
    .visibleTo(ctx)
    .selectAll('users')
    .where('users.email', 'in', addresses)
    .where('users.status', '=', 'active')
    .execute()
  return new Map(rows.map((row) => [row.email.toLowerCase(), row]))
}

/** People notified of an event before, by a server or an earlier call of send_event_invites. */
export function previouslyInvited(
  row: Row<'events'>,
  events: readonly Component[],
  ownAddresses: ReadonlySet<string>,
): Attendee[] {
  const attendeesByAddress = new Map<string, Attendee>()
  for (const event of events) {
    const notifiedAddresses = new Set(
      event
        .getAllProperties('attendee')
        .filter(
          (property) =>
            property.getParameter('schedule-status') !== undefined ||
            property.getParameter('x-workspace-told') !== undefined,
        )
        .map((allProperty) =>
          String(allProperty.getFirstValue())
            .replace(/^mailto:/i, '')
            .toLowerCase(),
        ),
    )
    for (const attendee of eventFields(event, ownAddresses).attendees)
      if (
        !ownAddresses.has(attendee.address) &&
        (notifiedAddresses.has(attendee.address) ||
          row.trust === 'external' ||
          attendee.response !== 'needs_action')
      )
        attendeesByAddress.set(attendee.address, attendee)
  }
  return [...attendeesByAddress.values()]
}

/**
 * Notifies attendees that an event or occurrence organized by the caller is cancelled.
 * @returns the number notified
 * @throws Refusal not_connected if some can be reached only by mail, and no mail account is available
 */
export async function notifyCancelled(
  ctx: WriteContext,
  row: Row<'events'>,
  options: {
    ownAddresses: ReadonlySet<string>
    place?: string | undefined
    message?: string | undefined
    component?: Component | undefined
  },
): Promise<number> {
  if (row.unreadable !== null) return 0
  const object = readObject(row.raw_ics)
  const event = options.component ?? object.master ?? object.exceptions[0]!
  const organizer = eventFields(event, options.ownAddresses).organizer
  if (organizer !== null && !options.ownAddresses.has(organizer.address)) return 0
  const invited = previouslyInvited(
    row,
    options.component ? [options.component] : [event, ...object.exceptions],
    options.ownAddresses,
  )
  return cancelFor(ctx, row, object, invited, {
    organizer: organizer?.address ?? ctx.actor.email,
    place: options.place,
    message: options.message,
    component: options.component,
  })
}

/** Cancels the event for these people. */
export async function cancelFor(
  ctx: WriteContext,
  row: Row<'events'>,
  object: CalendarObject,
  invited: readonly Pick<Attendee, 'address' | 'name'>[],
  cancellation: {
    organizer: string
    place?: string | undefined
    message?: string | undefined
    component?: Component | undefined
  },
): Promise<number> {
  if (invited.length === 0) return 0
  const colleagues = await colleaguesAmong(
    ctx,
    invited.map((item) => item.address),
  )
  for (const colleague of colleagues.values())
    await uninvite(ctx, colleague, row, cancellation.place)
  const externalPeople = invited.filter((item) => !colleagues.has(item.address))
  const means =
    externalPeople.length > 0
      ? await requireSendingAccount(ctx, cancellation.organizer)
      : await sendingAccountFor(ctx, cancellation.organizer)
  if (means === undefined) return invited.length
  const mailText = invitationMail('CANCEL', row, {
    organizer: ctx.actor.display_name,
    message: cancellation.message,
    isUpdate: false,
  })
  const events = cancellation.component ? [cancellation.component] : undefined
  await addLetters(
    ctx,
    invited.map((item) => ({
      event: row,
      account: means,
      method: 'CANCEL' as const,
      content: {
        ...mailText,
        ics: itipCancelOf(object, [item.address], ctx.now, events),
        to: { name: item.name ?? '', address: item.address },
        from: senderOf(ctx, means, cancellation.organizer),
      },
    })),
  )
  await requestSending(ctx)
  return invited.length
}
