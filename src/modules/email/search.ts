import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { secret, shortText } from '../../kernel/fields.ts'
import { equals, filters, since, until } from '../../operations/filters.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import { trustOf } from '../../records/shapes.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Scoped } from '../../records/resource.ts'
import {
  answerSearch,
  searchedByKeyword,
  searchInputWith,
  searchOutput,
  type KeywordHit,
} from '../../operations/search/search-operation.ts'
import { parseQuery } from '../../search/query.ts'
import type { StemSet } from '../../search/languages/stem-set.ts'
import { containsAnyStem, snippet } from '../../search/text.ts'
import { mailAccount } from '../accounts/access.ts'
import { email } from './access.ts'
import { filterByCondition, filterByQuery } from './messages/access-queries.ts'
import { operators, parseMailQuery } from './messages/queries.ts'
import { matchesAddressOrName } from './messages/emails.ts'
import { searchableEmails } from './searchable.ts'
import { EmailHit } from './shapes.ts'
import { presentEmails } from './messages/presenter.ts'

type Hit = z.infer<typeof EmailHit>

const queryText = secret(z.string().min(1).max(2000)).describe(
  `words in any form and order, "exact words", -without, and operators: ${Object.keys(operators)
    .map((name) => `${name}:`)
    .join(' ')}; all but spam and trash, unless in: says otherwise`,
)

const searchFilters = filters('emails', {
  account: equals('emails.account_id', mailAccount.maybe),
  from: {
    input: secret(shortText(300).min(1)).optional(),
    where: (query, text, ctx) => query.where(matchesAddressOrName(ctx, ['from'], text)),
  },
  to: {
    input: secret(shortText(300).min(1)).optional(),
    where: (query, text, ctx) => query.where(matchesAddressOrName(ctx, ['to', 'cc', 'bcc'], text)),
  },
  subject: {
    input: secret(shortText(500).min(1)).optional(),
    where: (query, value, ctx) =>
      filterByCondition(ctx, query, { op: 'subject', value, not: false }),
  },
  folder: {
    input: shortText(500).min(1).optional().describe('name of a folder or label'),
    where: (query, value, ctx) => filterByCondition(ctx, query, { op: 'in', value, not: false }),
  },
  has_attachment: {
    input: z.boolean().optional(),
    where: (query, wanted, ctx) =>
      filterByCondition(ctx, query, { op: 'has', value: 'attachment', not: !wanted }),
  },
  after: since('emails.received_at'),
  before: until('emails.received_at'),
})

/** Arguments equivalent to a query operator: with one of them, the query needs no words. */
const operatorFilters = ['subject', 'folder', 'has_attachment'] as const

export const searchEmails = operation({
  name: 'search_emails',
  searchHint: 'find a mail, look for an invoice, mail from',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/emails/search',
  about:
    'Search own mail by words in subject, body and attachments, with operators and snippets; mode=hybrid also by meaning',
  on: searchFilters.on,
  input: searchInputWith(queryText, searchFilters.input),
  output: searchOutput(EmailHit),
  async handle({ query, mode, limit, cursor, ...filter }, ctx) {
    const { account } = filter
    const parsed = parseMailQuery(query)
    const values = await searchFilters.read(ctx, filter)
    const isPlaceKnown = values.folder === undefined ? undefined : true
    const narrow = (emails: Scoped<'emails'>) =>
      searchFilters.apply(filterByQuery(ctx, emails, parsed, isPlaceKnown), values, ctx)
    if (parseQuery(parsed.words).stems.size === 0) {
      const isNarrowed = operatorFilters.some((name) => values[name] !== undefined)
      if (parsed.conditions.length === 0 && parsed.excludedWords.length === 0 && !isNarrowed)
        throw invalid('query', 'the query contains no searchable words.')
      return {
        ...(await listByConditions(ctx, narrow(email.visibleTo(ctx)), { limit, cursor })),
        searched: searchedByKeyword(),
      }
    }
    return answerSearch(
      ctx,
      { query: parsed.words, mode, limit, cursor },
      {
        searchable: searchableEmails,
        resource: email,
        narrow,
        containers: account && [account.id],
        textsPerHit: Infinity,
        show: presentEmails,
        keywordHit,
        similarHit: ({ shape, score, query: { stems }, match }): Hit => ({
          email: shape,
          score,
          ...trustOf(shape.trust === 'external'),
          matched_in: [
            ...(containsAnyStem(shape.subject, stems) ? ['subject' as const] : []),
            match.part === 'attachment' ? 'attachment' : 'body',
          ],
          snippet: match.snippet || shape.subject,
        }),
      },
    )
  },
})

/** Lists the messages that meet the conditions of a query without words, newest first. */
async function listByConditions(
  ctx: ReadContext,
  emails: Scoped<'emails'>,
  page: { limit: number; cursor?: string | undefined },
) {
  const emailPage = await paged(
    emails.selectAll('emails'),
    [
      { by: 'emails.received_at', as: 'received_at', dir: 'desc' },
      { by: 'emails.id', as: 'id', dir: 'desc' },
    ],
    page,
  )
  const shapes = await presentEmails(ctx, emailPage.items)
  return pageWithItems(
    emailPage,
    shapes.map(
      (shape): Hit => ({
        email: shape,
        score: 1,
        ...trustOf(shape.trust === 'external'),
        matched_in: [],
        snippet: shape.snippet,
      }),
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
  const snippetSource = containsAnyStem(best.body, stems) ? best.body : best.title || best.body
  return {
    email: shape,
    score,
    ...trustOf(shape.trust === 'external'),
    matched_in: [...new Set(texts.flatMap((doc) => matchedParts(doc, stems)))],
    snippet: snippet(snippetSource, stems),
  }
}

/** Parts of a message in which the words of one of its texts occur. */
function matchedParts(
  { ref, title, body }: { ref: string; title: string; body: string },
  stems: StemSet,
): Hit['matched_in'] {
  if (ref.endsWith(':who')) return ['address']
  if (!ref.endsWith(':body')) return ['attachment']
  const inBody = containsAnyStem(body, stems)
  return [
    ...(containsAnyStem(title, stems) ? (['subject'] as const) : []),
    ...(inBody ? (['body'] as const) : []),
  ]
}
