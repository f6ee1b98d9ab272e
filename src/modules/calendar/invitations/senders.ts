import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { serversOf } from '../../accounts/access.ts'
import { mailAccounts } from './access-accounts.ts'
import { person } from '../../directory/access.ts'
import { addLetters, type Content } from './access-messages.ts'
import { uninvite } from './access-attendees.ts'
import { eventFields, type Attendee } from '../ical/event-fields.ts'
import { readObject, type CalendarObject, type Component } from '../ical/objects.ts'
import { invitationWords } from './texts.ts'
import { cancelOf } from '../ical/itip.ts'

/** Mail server for someone's event mail: that of one of their accounts, or (null) that of the instance. */
export type Means = Row<'accounts'> | null

/** Job that sends mails about events; run by delivery.ts. */
export const letterJob = 'send_event_letters'

/**
 * Selects the server for mail from an address; undefined if there is none. The account with that address comes first,
 * then the default one.
 */
export async function meansFor(ctx: ReadContext, address: string): Promise<Means | undefined> {
  const rows = await mailAccounts(ctx).execute()
  const able = rows.filter((row) => serversOf(ctx.settings, row).smtp !== undefined)
  const matchingAccount = able.find((row) => row.address === address)
  if (matchingAccount) return matchingAccount
  if (ctx.settings.mail_server !== '') return null
  return able[0]
}

export async function requireMeans(ctx: ReadContext, address: string): Promise<Means> {
  const means = await meansFor(ctx, address)
  if (means !== undefined) return means
  throw new Refusal(
    'not_connected',
    'There is no mail account to send this from.',
    'Connect a mail account under Settings, Accounts; or the operator of this instance sets a mail server with --mail-server.',
  )
}

/** Sender as the recipient sees it: the address that organizes or was invited. */
export function senderOf(ctx: ReadContext, means: Means, address: string): Content['from'] {
  return { name: means?.display_name || ctx.actor.display_name, address: means?.address ?? address }
}

export async function askToSend(ctx: WriteContext): Promise<void> {
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
export function invitedBefore(
  row: Row<'events'>,
  events: readonly Component[],
  ownAddresses: ReadonlySet<string>,
): Attendee[] {
  const attendeesByAddress = new Map<string, Attendee>()
  for (const event of events) {
    const marked = new Set(
      event
        .getAllProperties('attendee')
        .filter(
          (allProperty) =>
            allProperty.getParameter('schedule-status') !== undefined ||
            allProperty.getParameter('x-workspace-told') !== undefined,
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
        (marked.has(attendee.address) ||
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
 * @throws Refusal not_connected if some can be reached only by mail, which is not available
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
  const invited = invitedBefore(
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

/** Withdraws the event from these people. */
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
  const outside = invited.filter((item) => !colleagues.has(item.address))
  const means =
    outside.length > 0
      ? await requireMeans(ctx, cancellation.organizer)
      : await meansFor(ctx, cancellation.organizer)
  if (means === undefined) return invited.length
  const words = invitationWords('CANCEL', row, {
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
        ...words,
        ics: cancelOf(object, [item.address], ctx.now, events),
        to: { name: item.name ?? '', address: item.address },
        from: senderOf(ctx, means, cancellation.organizer),
      },
    })),
  )
  await askToSend(ctx)
  return invited.length
}
