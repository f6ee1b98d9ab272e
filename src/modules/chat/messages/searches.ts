import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { findItems, type FoundHit } from '../../../operations/search.ts'
import {
  byItem,
  byWordsAlone,
  pageOfHits,
  Searched,
  searchedBy,
  searchMode,
  textsFound,
  type FoundItem,
} from '../../../search/hits.ts'
import { operation } from '../../../operations/operation.ts'
import { shown } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { instant } from '../../../kernel/time/times.ts'
import { contentStems, snippet, termsOf } from '../../../search/text.ts'
import { person } from '../../directory/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { channel, message } from '../access.ts'
import { hasFile, isCalled, neighbours } from './access.ts'
import { matchingMessages, type Narrow } from './access-search.ts'
import { foundMessages } from '../search-sources.ts'
import { demandInside } from '../channels/membership-checks.ts'
import { MessageHit, showBeside } from '../shapes.ts'
import { showMessages } from './presenter.ts'

export const searchMessages = operation({
  name: 'search_messages',
  searchHint: 'find in chat, what did they say, who wrote, look up a conversation',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/messages/search',
  about: 'Search messages by words or meaning in your channels and direct conversations',
  on: {
    channel: channel.see.maybe,
    from: person.see.named('from').maybe.describe('who wrote it'),
    mentions: person.see.named('mentions').maybe.describe('person mentioned in it'),
  },
  input: {
    query: z
      .string()
      .min(1)
      .max(2000)
      .describe('words in any form and order; "quoted phrases" match exactly'),
    mode: searchMode(),
    has_file: z.boolean().optional(),
    after: datetime().optional(),
    before: datetime().optional(),
    ...paging,
  },
  output: pageOf(MessageHit).extend({ searched: Searched }),
  async handle({ channel: of, query, mode, limit, cursor, ...filter }, ctx) {
    if (of) await demandInside(ctx, of)
    const terms = termsOf(query)
    if (terms.any.length === 0) throw invalid('query', 'the query contains no searchable words.')
    const narrow = narrowing(ctx, filter)
    if (mode !== 'keyword') {
      const only = (of || narrow) && new Map([[foundMessages.kind, inside(of, narrow) as never]])
      const like = await findItems(ctx, {
        query,
        mode,
        kinds: [foundMessages],
        ...(only ? { only } : {}),
      })
      const page = pageOfHits(like.hits, { limit, cursor })
      return { ...shown(page, await showLike(ctx, page.items)), searched: searchedBy(like) }
    }
    const { texts, bound } = await matchingMessages(ctx, terms, of?.id, narrow)
    const page = pageOfHits(
      byItem(texts, (one) => one.item_id),
      { limit, cursor },
    )
    return { ...shown(page, await showHits(ctx, page.items, query)), searched: byWordsAlone(bound) }
  },
})

interface Filter {
  from?: Row<'users'> | undefined
  mentions?: Row<'users'> | undefined
  has_file?: boolean | undefined
  after?: string | undefined
  before?: string | undefined
}

function narrowing(
  ctx: ReadContext,
  { from, mentions, has_file, after, before }: Filter,
): Narrow | undefined {
  if ([from, mentions, has_file, after, before].every((one) => one === undefined)) return undefined
  return (items) => {
    let found = items
    if (from) found = found.where('messages.created_by', '=', from.id)
    if (mentions) found = found.where(isCalled('messages.id', mentions.id))
    if (has_file !== undefined)
      found = found.where((eb) =>
        has_file ? hasFile('messages.id') : eb.not(hasFile('messages.id')),
      )
    if (after !== undefined)
      found = found.where(
        'messages.sent_at',
        '>=',
        instant(after, ctx.actor.timezone, 'start', 'after'),
      )
    if (before !== undefined)
      found = found.where(
        'messages.sent_at',
        '<=',
        instant(before, ctx.actor.timezone, 'end', 'before'),
      )
    return found
  }
}

async function showHits(
  ctx: ReadContext,
  found: readonly FoundItem[],
  query: string,
): Promise<z.infer<typeof MessageHit>[]> {
  const rows = await message.among(
    ctx,
    found.map((one) => one.id),
  )
  const shapes = new Map((await showMessages(ctx, [...rows.values()])).map((one) => [one.id, one]))
  const texts = await textsFound(
    ctx,
    found.flatMap((one) => one.texts.slice(0, 1)),
  )
  const around = await contexts(ctx, [...rows.values()])
  const stems = contentStems(query)
  return found.flatMap((one) => {
    const shape = shapes.get(one.id)
    const text = texts.get(one.texts[0]!.rowid_)
    return shape && text
      ? [
          {
            message: shape,
            score: one.score,
            snippet: snippet(text.body, stems),
            context: around.get(one.id)!,
          },
        ]
      : []
  })
}

function inside(of: Row<'channels'> | undefined, narrow: Narrow | undefined): Narrow {
  return (items) => {
    const found = of ? items.where('messages.channel_id', '=', of.id) : items
    return narrow?.(found) ?? found
  }
}

async function showLike(
  ctx: ReadContext,
  hits: readonly FoundHit[],
): Promise<z.infer<typeof MessageHit>[]> {
  const rows = hits.map((one) => one.row as unknown as Row<'messages'>)
  const shapes = new Map((await showMessages(ctx, rows)).map((one) => [one.id, one]))
  const around = await contexts(ctx, rows)
  return hits.flatMap(({ id, score, snippet }) => {
    const shape = shapes.get(id)
    return shape ? [{ message: shape, score, snippet, context: around.get(id)! }] : []
  })
}

/** What was said around messages that were found, in their channel or thread. */
async function contexts(
  ctx: ReadContext,
  rows: readonly Row<'messages'>[],
): Promise<Map<string, z.infer<typeof MessageHit>['context']>> {
  const near = await neighbours(
    ctx,
    rows.map((row) => row.id),
  )
  const others = await message.among(
    ctx,
    [...near.values()].flatMap((one) => [...one.before, ...one.after]),
  )
  const people = await peopleRefs(
    ctx,
    [...others.values()].map((row) => row.created_by),
  )
  const show = (ids: readonly string[]) =>
    ids.flatMap((id) => (others.has(id) ? [showBeside(others.get(id)!, people)] : []))
  return new Map(
    [...near].map(([id, { before, after }]) => [id, { before: show(before), after: show(after) }]),
  )
}
