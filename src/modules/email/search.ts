import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, secret, shortText } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, shown } from '../../records/paging.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Row, Scoped } from '../../records/resource.ts'
import {
  answerSearch,
  searchedByKeyword,
  searchInputWith,
  searchOutput,
  type KeywordHit,
} from '../../operations/search/search-operation.ts'
import { instant } from '../../kernel/time/times.ts'
import { parseQuery } from '../../search/query.ts'
import { mentions, snippet } from '../../search/text.ts'
import { mailAccount } from '../accounts/access.ts'
import { email } from './access.ts'
import { narrowedBy } from './messages/access-queries.ts'
import { operators, parseMailQuery, type MailQuery } from './messages/queries.ts'
import { naming } from './messages/emails.ts'
import { searchableEmails } from './searchable.ts'
import { EmailHit } from './shapes.ts'
import { showEmails } from './messages/presenter.ts'

type Hit = z.infer<typeof EmailHit>

const queryText = secret(z.string().min(1).max(2000)).describe(
  `words in any form and order, "exact words", -without, and operators: ${Object.keys(operators)
    .map((name) => `${name}:`)
    .join(' ')}; all but spam and trash, unless in: says otherwise`,
)

export const searchEmails = operation({
  name: 'search_emails',
  searchHint: 'find a mail, look for an invoice, mail from',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/emails/search',
  about:
    'Search own mail by words or meaning over subject, body and attachment text, with operators and snippets',
  on: { account: mailAccount.maybe },
  input: searchInputWith(queryText, {
    from: secret(shortText(300).min(1)).optional(),
    to: secret(shortText(300).min(1)).optional(),
    subject: secret(shortText(500).min(1)).optional(),
    folder: shortText(500).min(1).optional().describe('name of a folder or label'),
    has_attachment: z.boolean().optional(),
    after: datetime().optional(),
    before: datetime().optional(),
  }),
  output: searchOutput(EmailHit),
  async handle({ account: of, query, mode, limit, cursor, ...filter }, ctx) {
    const asked = askedFor(query, filter)
    const narrow = narrowing(ctx, of, asked, filter)
    if (parseQuery(asked.words).stems.size === 0)
      return {
        ...(await byConditions(ctx, asked, narrow, { limit, cursor })),
        searched: searchedByKeyword(),
      }
    return answerSearch(
      ctx,
      { query: asked.words, mode, limit, cursor },
      {
        searchable: searchableEmails,
        resource: email,
        narrow,
        containers: of && [of.id],
        textsPerHit: Infinity,
        show: showEmails,
        keywordHit,
        similarHit: ({ shape, score, query: { stems }, match }): Hit => ({
          email: shape,
          score,
          matched_in: [
            ...(mentions(shape.subject, stems) ? ['subject' as const] : []),
            match.part === 'attachment' ? 'attachment' : 'body',
          ],
          snippet: match.snippet || shape.subject,
        }),
      },
    )
  },
})

interface Filter {
  from?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  folder?: string | undefined
  has_attachment?: boolean | undefined
  after?: string | undefined
  before?: string | undefined
}

/** The query with what the other arguments say. */
function askedFor(query: string, { subject, folder, has_attachment }: Filter): MailQuery {
  const asked = parseMailQuery(query)
  const more: MailQuery['conditions'] = []
  if (subject !== undefined) more.push({ op: 'subject', value: subject, not: false })
  if (folder !== undefined) more.push({ op: 'in', value: folder, not: false })
  if (has_attachment !== undefined)
    more.push({ op: 'has', value: 'attachment', not: !has_attachment })
  return { ...asked, conditions: [...asked.conditions, ...more] }
}

type Narrow = (emails: Scoped<'emails'>) => Scoped<'emails'>

function narrowing(
  ctx: ReadContext,
  of: Row<'accounts'> | undefined,
  asked: MailQuery,
  { from, to, after, before }: Filter,
): Narrow {
  const [since, until] = [after, before].map((text, i) =>
    text === undefined
      ? undefined
      : instant(text, ctx.actor.timezone, i === 0 ? 'start' : 'end', i === 0 ? 'after' : 'before'),
  )
  return (emails) => {
    let found = narrowedBy(ctx, emails, asked)
    if (of) found = found.where('emails.account_id', '=', of.id)
    if (from !== undefined) found = found.where(naming(ctx, ['from'], from))
    if (to !== undefined) found = found.where(naming(ctx, ['to', 'cc', 'bcc'], to))
    if (since !== undefined) found = found.where('emails.received_at', '>=', since)
    if (until !== undefined) found = found.where('emails.received_at', '<=', until)
    return found
  }
}

/** A query without words lists what meets its conditions, newest first. */
async function byConditions(
  ctx: ReadContext,
  asked: MailQuery,
  narrow: Narrow,
  page: { limit: number; cursor?: string | undefined },
) {
  if (asked.conditions.length === 0 && asked.without.length === 0)
    throw invalid('query', 'the query contains no searchable words.')
  const found = await paged(
    narrow(email.visibleTo(ctx)).selectAll('emails'),
    [
      { by: 'emails.received_at', as: 'received_at', dir: 'desc' },
      { by: 'emails.id', as: 'id', dir: 'desc' },
    ],
    page,
  )
  const shapes = await showEmails(ctx, found.items)
  return shown(
    found,
    shapes.map(
      (shape): Hit => ({ email: shape, score: 1, matched_in: [], snippet: shape.snippet }),
    ),
  )
}

function keywordHit({
  shape,
  score,
  query: { stems },
  texts,
}: KeywordHit<'emails', Hit['email']>): Hit {
  const best = texts.find((doc) => !doc.ref.endsWith(':who')) ?? texts[0]
  const around = mentions(best.body, stems) ? best.body : best.title || best.body
  return {
    email: shape,
    score,
    matched_in: [...new Set(texts.flatMap((doc) => placesIn(doc, stems)))],
    snippet: snippet(around, stems),
  }
}

/** Where in a message the words of one of its texts stand. */
function placesIn(
  { ref, title, body }: { ref: string; title: string; body: string },
  stems: ReadonlySet<string>,
): Hit['matched_in'] {
  if (ref.endsWith(':who')) return ['address']
  if (!ref.endsWith(':body')) return ['attachment']
  const inBody = mentions(body, stems)
  return [
    ...(mentions(title, stems) ? (['subject'] as const) : []),
    ...(inBody ? (['body'] as const) : []),
  ]
}
