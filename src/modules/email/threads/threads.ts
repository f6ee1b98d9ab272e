import { z } from 'zod'
import { Truncated } from '../../../records/shapes.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging, shortText } from '../../../kernel/fields.ts'
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
import type { Row, Scoped } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { mailAccount } from '../../accounts/access.ts'
import { invitationsIn } from '../../calendar/shapes.ts'
import { contact } from '../../contacts/access.ts'
import { email, mailThread } from '../access.ts'
import { bodiesOf } from '../outbox/access-addresses.ts'
import { inFolder, hasLabel, placeByName } from '../messages/access-queries.ts'
import { isNotSpamOrTrash, withAddress, withMessage } from '../messages/access-lists.ts'
import { emailContentOf, bodyLength } from '../messages/bodies.ts'
import { folderInput } from '../messages/emails.ts'
import { Email, EmailThread, eventProblem } from '../shapes.ts'
import { presentEmails, presentThreads } from '../messages/presenter.ts'
import { sharesOf } from '../messages/slices.ts'
import { fetchBodies } from '../sync/downloads.ts'

const newestFirst: Order[] = [
  { by: 'mail_threads.last_message_at', as: 'last_message_at', dir: 'desc' },
  { by: 'mail_threads.id', as: 'id', dir: 'desc' },
]
const oldestFirst: Order[] = [
  { by: 'emails.sent_at', as: 'sent_at', dir: 'asc' },
  { by: 'emails.id', as: 'id', dir: 'asc' },
]

const threadFilters = filters('mail_threads', {
  account: equals('mail_threads.account_id', mailAccount.maybe),
  contact: {
    input: resolvedInput(
      contact.see.maybe.describe('with any of their addresses'),
      (row) => JSON.parse(row.emails_json) as string[],
    ),
    where: (query, addresses, ctx) => withMessage(query, withAddress(ctx, addresses)),
  },
  folder: {
    input: folderInput().optional(),
    where: (query, folder, ctx) => threadsInFolder(ctx, query, folder),
  },
  label: {
    input: shortText(100).min(1).optional().describe('name of a label'),
    where: (query, name, ctx) => withMessage(query, hasLabel(ctx, name)),
  },
  awaiting: {
    input: z
      .enum(['me', 'them'])
      .optional()
      .describe(
        'me: the last message is addressed to me; them: it is mine, with a question or request',
      ),
    where: (query, whose) => query.where('mail_threads.awaiting', '=', whose),
  },
  older_than_days: {
    input: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe('no new message for this long; with awaiting: waiting this long'),
    where: (query) => query, // applied in the handler, since it depends on awaiting
  },
  unread: {
    input: z.boolean().optional(),
    where: (query, wanted) =>
      wanted
        ? query.where('mail_threads.unread_count', '>', 0)
        : query.where('mail_threads.unread_count', '=', 0),
  },
  snoozed: {
    input: z.boolean().optional().describe('default: snoozed ones in the inbox are left out'),
    where: (query, wanted) =>
      query.where((eb) => {
        const isSnoozed = eb.or([
          eb('mail_threads.snoozed_until', 'is not', null),
          eb('mail_threads.snoozed_until_reply', '=', 1),
        ])
        return wanted ? isSnoozed : eb.not(isSnoozed)
      }),
  },
  after: since('mail_threads.last_message_at', 'of the last message'),
  before: until('mail_threads.last_message_at', 'of the last message'),
})

export const listEmailThreads = operation({
  name: 'list_email_threads',
  searchHint:
    'who owes me a reply, waiting for an answer, unanswered, conversations, triage the inbox, ' +
    'needs my reply, follow up',
  kind: 'read',
  rest: 'GET /api/email-threads',
  about:
    'Conversations instead of single messages; can show those waiting for my answer or for theirs',
  on: threadFilters.on,
  input: { ...threadFilters.input, ...paging },
  output: pageOf(EmailThread),
  async handle({ limit, cursor, ...filter }, ctx) {
    const { folder, awaiting, older_than_days: days } = filter
    const snoozed = filter.snoozed ?? (isInbox(folder) ? false : undefined)
    const threads = mailThread.visibleTo(ctx)
    const listable = folder === undefined ? withMessage(threads, isNotSpamOrTrash()) : threads
    const older =
      days === undefined
        ? listable
        : listable.where(
            awaiting === undefined ? 'mail_threads.last_message_at' : 'mail_threads.waiting_since',
            '<=',
            ctx.now - days * dayLength,
          )
    const query = await applyFilters(ctx, older, threadFilters, { ...filter, snoozed })
    const page = await paged(query.selectAll('mail_threads'), newestFirst, { limit, cursor })
    return pageWithItems(page, await presentThreads(ctx, page.items))
  },
})

const isInbox = (folder: string | undefined) =>
  folder !== undefined && placeByName(folder) === 'inbox'

function threadsInFolder(
  ctx: ReadContext,
  threads: Scoped<'mail_threads'>,
  folder: string,
): Scoped<'mail_threads'> {
  return isInbox(folder)
    ? threads.where('mail_threads.in_inbox', '=', 1)
    : withMessage(threads, inFolder(ctx, folder))
}

const ThreadEmail = Email.extend({ event_problem: eventProblem() })
type ThreadEmail = z.infer<typeof ThreadEmail>

/** Default total of characters of a page's messages. */
const defaultChars = 30_000

export const getEmailThread = operation({
  name: 'get_email_thread',
  searchHint: 'whole conversation, read the exchange, summarize a mail thread',
  kind: 'read',
  rest: 'GET /api/email-threads/{thread_id}',
  about: 'A whole conversation, oldest first, quoted text removed, cut to a size',
  on: { thread: mailThread.see },
  input: {
    format: z.enum(['markdown', 'text']).default('markdown'),
    max_chars: z
      .int()
      .min(100)
      .max(400_000)
      .default(defaultChars)
      .describe('of all messages together; each is cut to its share, and get_email shows the rest'),
    ...paging,
  },
  output: EmailThread.extend({
    messages: z.array(ThreadEmail),
    truncated: Truncated.optional(),
    next_cursor: z.string().optional(),
    has_more: z.boolean(),
  }),
  async fetch({ thread, limit, cursor }, outside) {
    if (cursor === undefined)
      await fetchBodies(
        outside,
        await outside.write(({ all }) =>
          all
            .selectFrom('emails')
            .selectAll()
            .where('thread_id', '=', thread.id)
            .where('body_state', 'in', ['pending', 'failed'])
            .orderBy('sent_at')
            .limit(limit)
            .execute(),
        ),
      )
  },
  async handle({ thread, format, max_chars, limit, cursor }, ctx) {
    const [shape] = await presentThreads(ctx, [thread])
    const { items, ...page } = await paged(
      emailsOfThread(ctx, thread, await hasVisibleEmails(ctx, thread)).selectAll('emails'),
      oldestFirst,
      { limit, cursor },
    )
    const messages = await withContents(ctx, items, format, max_chars)
    return { ...shape!, messages, ...truncatedOf(messages), ...page }
  },
})

/** Marks truncated texts and how each continues. */
function truncatedOf(messages: readonly ThreadEmail[]): {
  truncated?: Truncated
} {
  const cut = messages.filter((message) => message.content?.next_offset !== undefined)
  if (cut.length === 0) return {}
  const reason = `${cut.length} of the ${messages.length} messages have only the beginning of their text, to stay within max_chars.`
  return {
    truncated: {
      reason,
      how_to_continue: `Read on with get_email, offset being the next_offset of the message: ${cut
        .slice(0, 10)
        .map((item) => `${item.id} from ${item.content!.next_offset}`)
        .join(', ')}${cut.length > 10 ? ` and ${cut.length - 10} more` : ''}.`,
    },
  }
}

/**
 * Whether a conversation has messages other than drafts, spam and trash, which are shown only if there is nothing
 * else.
 */
async function hasVisibleEmails(ctx: ReadContext, thread: Row<'mail_threads'>): Promise<boolean> {
  return (
    (
      await emailsOfThread(ctx, thread, true)
        .select('emails.id')
        .orderBy('emails.sent_at')
        .limit(1)
        .execute()
    ).length > 0
  )
}

function emailsOfThread(
  ctx: ReadContext,
  thread: Row<'mail_threads'>,
  excludeHiddenPlaces: boolean,
): Scoped<'emails'> {
  const all = email.visibleTo(ctx).where('emails.thread_id', '=', thread.id)
  return excludeHiddenPlaces
    ? all.where('emails.place', 'not in', ['drafts', 'spam', 'trash'])
    : all
}

async function withContents(
  ctx: ReadContext,
  rows: readonly Row<'emails'>[],
  format: 'markdown' | 'text',
  totalChars: number,
): Promise<ThreadEmail[]> {
  const shapes = await presentEmails(ctx, rows)
  const bodies = await bodiesOf(ctx, rows)
  const maxBodyChars = sharesOf(
    [...bodies.values()].map((body) => bodyLength(body, format, false)),
    totalChars,
  )
  const invitations = await invitationsIn(
    ctx,
    rows.filter((row) => (bodies.get(row.id)?.calendar_text ?? null) !== null).map((row) => row.id),
  )
  return shapes.map((shape, i) => {
    const body = bodies.get(shape.id)
    const problem = invitations.get(shape.id)?.problem
    return body
      ? {
          ...shape,
          ...(problem === undefined ? {} : { event_problem: problem }),
          content: emailContentOf(rows[i]!, body, {
            format,
            quoted: false,
            offset: 0,
            maxChars: Math.max(maxBodyChars, 1),
          }),
        }
      : shape
  })
}
