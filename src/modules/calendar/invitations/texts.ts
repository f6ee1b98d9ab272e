import { escapeHtml } from '../../../kernel/text/html.ts'
import { addDays, dayAt, localIso } from '../../../kernel/time/times.ts'
import type { Row } from '../../../records/resource.ts'
import type { Response } from '../ical/event-fields.ts'
import type { Method } from '../ical/itip.ts'

/** Text of a mail about an event, besides its calendar part. */
export interface MailText {
  subject: string
  text: string
  html: string
}

type EventFields = Pick<
  Row<'events'>,
  | 'title'
  | 'starts_at'
  | 'ends_at'
  | 'timezone'
  | 'all_day'
  | 'location'
  | 'video_url'
  | 'description'
  | 'rrule'
>

const answers: Record<Response, string> = {
  accepted: 'Accepted',
  declined: 'Declined',
  tentative: 'Tentative',
  needs_action: 'Not answered',
}

const invitationTexts = {
  invitation: { heading: 'Invitation', verb: 'invites you' },
  update: { heading: 'Updated invitation', verb: 'changed' },
  cancellation: { heading: 'Cancelled', verb: 'cancelled' },
}

/** The mail of an organizer to the people invited. */
export function invitationMail(
  method: Exclude<Method, 'REPLY'>,
  event: EventFields,
  {
    organizer,
    message,
    isUpdate,
  }: { organizer: string; message: string | undefined; isUpdate: boolean },
): MailText {
  const title = invitationTitle(event)
  const request = isUpdate ? 'update' : 'invitation'
  const { heading, verb } = invitationTexts[method === 'CANCEL' ? 'cancellation' : request]
  const summaryLine = `${organizer} ${verb}: ${title}`
  const subject = `${heading}: ${title}, ${dayAt(event.starts_at, event.timezone)}`
  return mailTextOf(subject, [
    summaryLine,
    ...(message ? ['', message] : []),
    '',
    ...eventLinesOf(event),
    ...(method === 'REQUEST' && event.description ? ['', event.description] : []),
  ])
}

/** Mail of an attendee to the organizer. */
export function responseMail(
  event: EventFields,
  {
    attendeeName,
    response,
    note,
  }: { attendeeName: string; response: Response; note: string | undefined },
): MailText {
  const title = invitationTitle(event)
  return mailTextOf(`${answers[response]}: ${title}, ${dayAt(event.starts_at, event.timezone)}`, [
    `${attendeeName}: ${answers[response].toLowerCase()}`,
    ...(note ? ['', note] : []),
    '',
    ...eventLinesOf(event),
  ])
}

function invitationTitle({ title }: EventFields): string {
  return title.replace(/\s+/g, ' ').trim().slice(0, 200) || 'an event'
}

function eventLinesOf(event: EventFields): string[] {
  return [
    `What: ${invitationTitle(event)}`,
    `When: ${timeOf(event)}`,
    ...(event.rrule ? [`Repeats: ${event.rrule}`] : []),
    ...(event.location ? [`Where: ${event.location}`] : []),
    ...(event.video_url ? [`Video: ${event.video_url}`] : []),
  ]
}

function timeOf({ starts_at, ends_at, timezone, all_day }: EventFields): string {
  if (all_day === 1) {
    const [from, last] = [dayAt(starts_at, timezone), addDays(dayAt(ends_at, timezone), -1)]
    return from >= last ? from : `${from} to ${last}`
  }
  const local = (at: number) => localIso(at, timezone).slice(0, 16).replace('T', ' ')
  const [from, to] = [local(starts_at), local(ends_at)]
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} (${timezone})`
}

function mailTextOf(subject: string, lines: readonly string[]): MailText {
  const html = lines
    .join('\n')
    .split(/\n{2,}/)
    .map((part) => `<p>${part.split('\n').map(escapeHtml).join('<br>')}</p>`)
    .join('\n')
  return {
    subject: subject.replace(/[\r\n]+/g, ' ').slice(0, 300),
    text: `${lines.join('\n')}\n`,
    html: `<!doctype html><html><body>${html}</body></html>`,
  }
}
