import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { fields, pageOf, paging, secret, shortText } from '../../../kernel/fields.ts'
import {
  equals,
  applyFilters,
  filters,
  resolvedInput,
  since,
  until,
} from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems, type Order } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { mailAccount } from '../../accounts/access.ts'
import { invitationsIn, MailEvent, type MailInvitation } from '../../calendar/shapes.ts'
import { contact } from '../../contacts/access.ts'
import { email } from '../access.ts'
import { bodiesOf } from '../outbox/access-addresses.ts'
import { hasRecipient, inFolder, hasLabel, placeByName } from './access-queries.ts'
import { isSnoozed, not, withAddress } from './access-lists.ts'
import { emailContentOf } from './bodies.ts'
import { Email, eventProblem } from '../shapes.ts'
import { presentEmails, type EmailShape } from './presenter.ts'
import { fetchBodies } from '../sync/downloads.ts'

const newestFirst: Order[] = [
  { by: 'emails.received_at', as: 'received_at', dir: 'desc' },
  { by: 'emails.id', as: 'id', dir: 'desc' },
]

export const folderInput = () =>
  shortText(500)
    .min(1)
    .describe(
      'inbox, archive, sent, drafts, trash, spam, or the name or path of a folder; default: all but spam, trash and drafts',
    )
const addressFilter = (about: string) => secret(shortText(300).min(1)).describe(about)

const emailFilters = filters('emails', {
  account: equals('emails.account_id', mailAccount.maybe),
  contact: {
    input: resolvedInput(
      contact.see.maybe.describe('to or from any of their addresses'),
      (row) => JSON.parse(row.emails_json) as string[],
    ),
    where: (query, addresses, ctx) => query.where(withAddress(ctx, addresses)),
  },
  folder: {
    input: folderInput().optional(),
    where: (query, folder, ctx) => query.where(inFolder(ctx, folder)),
  },
  label: {
    input: shortText(100).min(1).optional().describe('name of a label'),
    where: (query, name, ctx) => query.where(hasLabel(ctx, name)),
  },
  from: {
    input: addressFilter('an address, or part of a name or address').optional(),
    where: (query, text, ctx) => query.where(matchesAddressOrName(ctx, ['from'], text)),
  },
  to: {
    input: addressFilter('an address of To, Cc or Bcc, or part of one').optional(),
    where: (query, text, ctx) => query.where(matchesAddressOrName(ctx, ['to', 'cc', 'bcc'], text)),
  },
  unread: {
    input: z.boolean().optional(),
    where: (query, wanted) => query.where('emails.unread', '=', wanted ? 1 : 0),
  },
  starred: {
    input: z.boolean().optional(),
    where: (query, wanted) => query.where('emails.starred', '=', wanted ? 1 : 0),
  },
  snoozed: {
    input: z.boolean().optional().describe('default: snoozed ones in the inbox are left out'),
    where: (query, wanted) => query.where(wanted ? isSnoozed() : not(isSnoozed())),
  },
  has_attachment: {
    input: z.boolean().optional(),
    where: (query, wanted) => query.where('emails.has_attachment', '=', wanted ? 1 : 0),
  },
  after: since('emails.received_at'),
  before: until('emails.received_at'),
})

export const listEmails = operation({
  name: 'list_emails',
  searchHint: 'inbox, check my mail, new mails, unread mail, starred, sent mail, newest mails',
  kind: 'read',
  rest: 'GET /api/emails',
  about:
    'Messages of own mailboxes by folder, label, sender, date or flag, newest first, bodies left out; use list_email_threads for conversations and who waits for an answer',
  on: emailFilters.on,
  input: {
    ...emailFilters.input,
    fields: fields(),
    ...paging,
  },
  output: pageOf(Email),
  async handle({ fields: _, limit, cursor, ...filter }, ctx) {
    const { folder, snoozed = folder && placeByName(folder) === 'inbox' ? false : undefined } =
      filter
    const emails =
      folder === undefined
        ? email.visibleTo(ctx).where('emails.place', 'not in', ['spam', 'trash', 'drafts'])
        : email.visibleTo(ctx)
    const query = await applyFilters(ctx, emails, emailFilters, { ...filter, snoozed })
    const page = await paged(query.selectAll('emails'), newestFirst, { limit, cursor })
    return pageWithItems(page, await presentEmails(ctx, page.items))
  },
})

/** Condition: fields contain a complete address, or any part of a name or address. */
export function matchesAddressOrName(
  ctx: ReadContext,
  inFields: readonly Row<'email_addresses'>['field'][],
  text: string,
) {
  return /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text.trim())
    ? withAddress(ctx, [text.trim().toLowerCase()], inFields)
    : hasRecipient(inFields, text.trim())
}

/** Default maximum of characters. */
const defaultChars = 20_000

/** Headers that describe a message; the others describe its transport. */
const informativeHeaders =
  /^(date|from|sender|to|cc|bcc|reply-to|subject|message-id|in-reply-to|references|return-path|delivered-to|list-.*|authentication-results|received-spf|auto-submitted|precedence|importance|priority|x-priority|x-mailer|user-agent|organization|mime-version|content-type|x-spam-.*|x-failed-recipients)$/i
const maxHeaders = 40

export const getEmail = operation({
  name: 'get_email',
  searchHint: 'read a mail, open a message',
  kind: 'read',
  rest: 'GET /api/emails/{email_id}',
  about:
    'One message with a cleaned body marked as untrusted content, headers and attachment list; use get_email_thread for the whole conversation',
  on: { email: email.see },
  input: {
    format: z
      .enum(['markdown', 'text', 'html'])
      .default('markdown')
      .describe('html: sanitized, without remote images, never cut'),
    include_quoted: z.boolean().default(false).describe('with quoted text and signature'),
    max_chars: z.int().min(1).max(200_000).default(defaultChars),
    offset: z.int().min(0).default(0).describe('characters of the body to skip'),
  },
  output: Email.extend({
    event: MailEvent.optional().describe('the calendar event it is about'),
    event_problem: eventProblem(),
    warnings: z.array(z.string()).optional().describe('what could not be read'),
  }),
  fetch: ({ email: row }, outside) => fetchBodies(outside, [row]),
  async handle({ email: row, format, include_quoted, max_chars, offset }, ctx) {
    const [shape] = await presentEmails(ctx, [row])
    const body = (await bodiesOf(ctx, [row])).get(row.id)
    if (!body) return { ...shape!, warnings: [missingBodyWarning(row)] }
    const presented = withBody(shape!, row, body, {
      format,
      quoted: include_quoted,
      offset,
      maxChars: max_chars,
    })
    const invitation =
      body.calendar_text === null ? undefined : (await invitationsIn(ctx, [row.id])).get(row.id)
    return invitation ? withInvitation(presented, invitation) : presented
  },
})

/** Adds the event that a mail is about; a mail without text gets a line about the invitation. */
function withInvitation(shape: ReturnType<typeof withBody>, invitation: MailInvitation) {
  const { line, event, ref, problem } = invitation
  const { content } = shape
  const isEmpty = content.total_chars === 0 && content.format !== 'html'
  return {
    ...shape,
    ...(isEmpty ? { content: { ...content, text: line, total_chars: line.length } } : {}),
    ...(event ? { event } : {}),
    ...(problem === undefined ? {} : { event_problem: problem }),
    linked_items: [...shape.linked_items, ...(ref ? [ref] : [])],
  }
}

function withBody(
  shape: EmailShape,
  row: Row<'emails'>,
  body: Row<'email_bodies'>,
  request: Parameters<typeof emailContentOf>[2],
) {
  const headers = (JSON.parse(body.headers_json) as { name: string; value: string }[])
    .filter((item) => informativeHeaders.test(item.name))
    .slice(0, maxHeaders)
  const warnings = JSON.parse(body.warnings_json) as string[]
  return {
    ...shape,
    content: emailContentOf(row, body, request),
    headers,
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

/** Warning for a message without its body. */
function missingBodyWarning({ body_state }: Row<'emails'>): string {
  return body_state === 'failed'
    ? 'The body could not be fetched from the mail server; the next sync tries again.'
    : 'The body is not stored here yet, and the mail server did not return it. Try again later.'
}
