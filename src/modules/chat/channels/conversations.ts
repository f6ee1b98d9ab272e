import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { file } from '../../drive/access.ts'
import { conversationOf } from '../messages/access.ts'
import { peopleKey } from './conversation-names.ts'
import { requireReachable, addMembers } from './memberships.ts'
import { body, post } from '../messages/posts.ts'
import { Message } from '../shapes.ts'
import { presentOneMessage } from '../messages/presenter.ts'

const maxPeople = 20

export const sendDirectMessage = operation({
  name: 'send_direct_message',
  searchHint: 'DM, private message, ping a colleague, whisper, text someone',
  kind: 'write',
  rest: 'POST /api/direct-messages',
  creates: 'item',
  about: 'Message one or more colleagues directly, opening the conversation when needed',
  on: {
    persons: person.see.many
      .named('person_ids')
      .describe('ids, email addresses, or me (a note to yourself)'),
    files: file.see.many.maybe,
  },
  input: { body_markdown: body() },
  output: Message,
  async handle({ persons, files, body_markdown }, ctx) {
    if (persons.length === 0)
      throw invalid(
        'person_ids',
        'at least one person is required.',
        'Send at least one id or email address, or me for a note to yourself.',
      )
    requireReachable(persons, 'person_ids')
    return presentOneMessage(
      ctx,
      await post(ctx, await conversationWith(ctx, persons), { text: body_markdown, files }),
    )
  },
})

/** The caller's conversation with some people, created if necessary. One per set of people. */
async function conversationWith(
  ctx: WriteContext,
  people: readonly Row<'users'>[],
): Promise<Row<'channels'>> {
  const ids = [...new Set([ctx.actor.id, ...people.map((item) => item.id)])]
  requireMaxPeople(ids)
  const people_key = peopleKey(ids)
  const existing = await conversationOf(ctx, people_key)
  if (existing) return existing
  const row = await ctx.add('channels', {
    kind: ids.length > 2 ? 'group' : 'direct',
    people_key,
    last_seq: 0,
  })
  await addMembers(ctx, row, ids)
  return row
}

function requireMaxPeople(ids: readonly Id<'users'>[]): void {
  if (ids.length <= maxPeople) return
  throw invalid(
    'person_ids',
    `${ids.length} people are too many; a conversation has at most ${maxPeople}, including you.`,
    'Create a channel instead with create_channel(kind=private).',
  )
}
