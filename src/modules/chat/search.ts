import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import type { Row, Scoped } from '../../records/resource.ts'
import {
  answerSearch,
  searchInput,
  searchOutput,
} from '../../operations/search/search-operation.ts'
import { instant } from '../../kernel/time/times.ts'
import { snippet } from '../../search/text.ts'
import { person } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { channel, message } from './access.ts'
import { hasFile, isCalled, neighbours } from './messages/access.ts'
import { demandInside } from './channels/membership-checks.ts'
import { searchableMessages } from './searchable.ts'
import { MessageHit, showBeside } from './shapes.ts'
import { showMessages } from './messages/presenter.ts'

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
  input: searchInput({
    has_file: z.boolean().optional(),
    after: datetime().optional(),
    before: datetime().optional(),
  }),
  output: searchOutput(MessageHit),
  async handle({ channel: of, query, mode, limit, cursor, ...filter }, ctx) {
    if (of) await demandInside(ctx, of)
    return answerSearch(
      ctx,
      { query, mode, limit, cursor },
      {
        searchable: searchableMessages,
        resource: message,
        narrow: narrowing(ctx, { channel: of, ...filter }),
        containers: of && [of.id],
        show: showWithContext,
        keywordHit: ({ shape: { message, context }, score, query: { stems }, texts: [text] }) => ({
          message,
          score,
          snippet: snippet(text.body, stems),
          context,
        }),
        similarHit: ({ shape: { message, context }, score, match }) => ({
          message,
          score,
          snippet: match.snippet,
          context,
        }),
      },
    )
  },
})

type Narrow = (items: Scoped<'messages'>) => Scoped<'messages'>

interface Filter {
  channel?: Row<'channels'> | undefined
  from?: Row<'users'> | undefined
  mentions?: Row<'users'> | undefined
  has_file?: boolean | undefined
  after?: string | undefined
  before?: string | undefined
}

function narrowing(
  ctx: ReadContext,
  { channel: of, from, mentions, has_file, after, before }: Filter,
): Narrow | undefined {
  const filters = [of, from, mentions, has_file, after, before]
  if (filters.every((value) => value === undefined)) return undefined
  return (items) => {
    let found = of ? items.where('messages.channel_id', '=', of.id) : items
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

async function showWithContext(ctx: ReadContext, rows: readonly Row<'messages'>[]) {
  const around = await contexts(ctx, rows)
  const messages = await showMessages(ctx, rows)
  return messages.map((shape) => ({
    id: shape.id,
    message: shape,
    context: around.get(shape.id)!,
  }))
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
    [...near.values()].flatMap((item) => [...item.before, ...item.after]),
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
