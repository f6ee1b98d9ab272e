import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { equals, filters, filterFunction, since, until } from '../../operations/filters.ts'
import { operation } from '../../operations/operation.ts'
import type { Row } from '../../records/resource.ts'
import {
  answerSearch,
  searchInput,
  searchOutput,
} from '../../operations/search/search-operation.ts'
import { snippet } from '../../search/text.ts'
import { person } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { channel, message } from './access.ts'
import { hasFile, mentionsPerson, neighbours } from './messages/access.ts'
import { requireMembership } from './channels/membership-checks.ts'
import { searchableMessages } from './searchable.ts'
import { trustOf } from '../../records/shapes.ts'
import { MessageHit, presentExcerpt } from './shapes.ts'
import { presentMessages } from './messages/presenter.ts'

const searchFilters = filters('messages', {
  channel: equals('messages.channel_id', channel.see.maybe),
  from: equals('messages.created_by', person.see.named('from').maybe.describe('who wrote it')),
  mentions: {
    input: person.see.named('mentions').maybe.describe('person mentioned in it'),
    where: (query, id) => query.where(mentionsPerson('messages.id', id)),
  },
  has_file: {
    input: z.boolean().optional(),
    where: (query, wanted) =>
      query.where((eb) => (wanted ? hasFile('messages.id') : eb.not(hasFile('messages.id')))),
  },
  after: since('messages.sent_at'),
  before: until('messages.sent_at'),
})

export const searchMessages = operation({
  name: 'search_messages',
  searchHint: 'find in chat, what did they say, who wrote, look up a conversation',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/messages/search',
  about:
    'Search messages in your channels and direct conversations by words; mode=hybrid also by meaning',
  on: searchFilters.on,
  input: searchInput(searchFilters.input),
  output: searchOutput(MessageHit),
  async handle({ query, mode, limit, cursor, ...filter }, ctx) {
    const { channel } = filter
    if (channel) await requireMembership(ctx, channel)
    return answerSearch(
      ctx,
      { query, mode, limit, cursor },
      {
        searchable: searchableMessages,
        resource: message,
        narrow: await filterFunction(ctx, searchFilters, filter),
        containers: channel && [channel.id],
        show: presentWithContext,
        keywordHit: ({ shape: { message, context }, score, query: { stems }, texts: [text] }) => ({
          message,
          score,
          ...trustOf(message.content.trust === 'external'),
          snippet: snippet(text.body, stems),
          context,
        }),
        similarHit: ({ shape: { message, context }, score, match }) => ({
          message,
          score,
          ...trustOf(message.content.trust === 'external'),
          snippet: match.snippet,
          context,
        }),
      },
    )
  },
})

async function presentWithContext(ctx: ReadContext, rows: readonly Row<'messages'>[]) {
  const contextById = await contexts(ctx, rows)
  const messages = await presentMessages(ctx, rows)
  return messages.map((shape) => ({
    id: shape.id,
    message: shape,
    context: contextById.get(shape.id)!,
  }))
}

/** Messages around each hit, in its channel or thread. */
async function contexts(
  ctx: ReadContext,
  rows: readonly Row<'messages'>[],
): Promise<Map<string, z.infer<typeof MessageHit>['context']>> {
  const neighbourIds = await neighbours(
    ctx,
    rows.map((row) => row.id),
  )
  const others = await message.among(
    ctx,
    [...neighbourIds.values()].flatMap((item) => [...item.before, ...item.after]),
  )
  const people = await peopleRefs(
    ctx,
    [...others.values()].map((row) => row.created_by),
  )
  const excerptsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => (others.has(id) ? [presentExcerpt(others.get(id)!, people)] : []))
  return new Map(
    [...neighbourIds].map(([id, { before, after }]) => [
      id,
      { before: excerptsOf(before), after: excerptsOf(after) },
    ]),
  )
}
