import type { Id } from '../../../kernel/ids.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { email } from '../access.ts'
import { baseSubject } from '../messages/subjects.ts'
import { bodiesOf, ownMailAddresses } from './access-addresses.ts'
import {
  type NamedAddress,
  type OutgoingMessage,
  type Quoted,
  forwardIntro,
  headerLine,
  introOf,
} from './messages.ts'
import { replyRecipients } from './recipients.ts'

const maxReferences = 20
const maxQuoted = 30

type Addresses = Record<'to' | 'cc' | 'bcc' | 'reply_to', NamedAddress[]>
export type Answers = {
  row: Row<'emails'>
  as: 'reply' | 'reply_all' | 'forward'
  quote: 'none' | 'last' | 'thread'
}

/** Author and recipients of a message. */
function addressesOf(row: Row<'emails'>): Addresses & { from: NamedAddress } {
  const {
    to = [],
    cc = [],
    bcc = [],
    reply_to = [],
  } = JSON.parse(row.addresses_json) as Partial<Addresses>
  return {
    to,
    cc,
    bcc,
    reply_to,
    from: omitNullish({ name: row.from_name ? row.from_name : undefined, email: row.from_email }),
  }
}

/** The headers by which mail programs recognize an answer; for long conversations, the first and the latest references. */
export function threadingHeaders(
  answers: Answers | undefined,
): Pick<OutgoingMessage, 'in_reply_to' | 'references'> {
  if (!answers || answers.as === 'forward') return { in_reply_to: null, references: [] }
  const { message_id, references_json, in_reply_to } = answers.row
  const earlierReferences = JSON.parse(references_json) as string[]
  const all = [
    ...new Set([
      ...(earlierReferences.length === 0 && in_reply_to !== null
        ? [in_reply_to]
        : earlierReferences),
      message_id,
    ]),
  ]
  return {
    in_reply_to: message_id,
    references: all.length <= maxReferences ? all : [all[0]!, ...all.slice(1 - maxReferences)],
  }
}

export async function quoteOf(
  ctx: ReadContext,
  { row, as, quote }: Answers,
): Promise<OutgoingMessage['quote']> {
  if (as === 'forward') return { as, messages: [await forwardedMessage(ctx, row)] }
  if (quote === 'none') return null
  const rows = quote === 'last' ? [row] : await conversationBefore(ctx, row)
  const bodies = await bodiesOf(ctx, rows)
  const messages = rows.flatMap((item): Quoted[] => {
    const body = bodies.get(item.id)
    return body
      ? [
          {
            intro: introOf(
              { from: addressesOf(item).from, sent_at: item.sent_at },
              ctx.actor.timezone,
            ),
            markdown: body.own_markdown,
          },
        ]
      : []
  })
  return messages.length === 0 ? null : { as: 'reply', messages }
}

function conversationBefore(ctx: ReadContext, row: Row<'emails'>): Promise<Row<'emails'>[]> {
  const earlier = email
    .visibleTo(ctx)
    .selectAll('emails')
    .where('emails.thread_id', '=', row.thread_id as Id<'mail_threads'>)
    .where('emails.sent_at', '<=', row.sent_at)
    .where('emails.place', 'not in', ['drafts', 'spam', 'trash'])
  return earlier
    .orderBy('emails.sent_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(maxQuoted)
    .execute()
}

async function forwardedMessage(ctx: ReadContext, row: Row<'emails'>): Promise<Quoted> {
  const body = (await bodiesOf(ctx, [row])).get(row.id)
  if (!body)
    throw new Refusal('unavailable', 'The text of this message has not been fetched yet.', {
      hint: 'get_email fetches it; try again in a moment.',
      retry_after_seconds: 5,
      next: { tool: 'get_email', arguments: { email_id: row.id } },
    })
  const { from, to, cc } = addressesOf(row)
  const text = [
    body.own_markdown,
    body.signature === '' ? '' : `-- \n${body.signature}`,
    body.quoted_markdown,
  ]
    .filter((name) => name.trim() !== '')
    .join('\n\n')
  return {
    intro: forwardIntro(
      { from, sent_at: row.sent_at, subject: row.subject, to, cc },
      ctx.actor.timezone,
    ),
    markdown: text,
  }
}

/** Recipients of an answer. */
export async function recipientsOfAnswer(
  ctx: ReadContext,
  { row, as }: Answers,
): Promise<{ to: NamedAddress[]; cc: NamedAddress[] }> {
  return replyRecipients(
    { ...addressesOf(row), is_own: row.is_own },
    as === 'reply_all',
    await ownMailAddresses(ctx),
  )
}

/** The subject of an answer: Re: or Fwd:, once. */
export function subjectOfAnswer(subject: string, as: Answers['as']): string {
  if (as !== 'forward') return `Re: ${baseSubject(subject).subject}`.trim()
  return /^\s*fwd?\s*:/i.test(subject) ? headerLine(subject) : headerLine(`Fwd: ${subject}`)
}
