import { z } from 'zod'
import { paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged } from '../../../records/paging.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { file } from '../../drive/access.ts'
import { message } from '../access.ts'
import { participantsOf } from './access.ts'
import { channelOf, requireNotDeleted } from '../channels/membership-checks.ts'
import { body, post } from './posts.ts'
import { Message, MessageThread } from '../shapes.ts'
import { presentMessages, presentOneMessage } from './presenter.ts'

export const getMessageThread = operation({
  name: 'get_message_thread',
  searchHint: 'read the thread, replies, whole discussion',
  kind: 'read',
  rest: 'GET /api/messages/{message_id}/thread',
  about: 'A message with all its replies, reactions and files; accepts any message of the thread',
  on: { message: message.see },
  input: { ...paging },
  output: MessageThread,
  async handle({ message: row, limit, cursor }, ctx) {
    const root = await rootOf(ctx, row)
    const replies = message
      .visibleTo(ctx)
      .selectAll('messages')
      .where('messages.thread_root_id', '=', root.id)
    const { items, ...page } = await paged(
      replies,
      [{ by: 'messages.seq', as: 'seq', dir: 'asc' }],
      { limit, cursor },
    )
    const people = await participantsOf(ctx, root)
    const refs = await peopleRefs(ctx, people)
    const [shape, ...shapes] = await presentMessages(ctx, [root, ...items])
    return {
      root: shape!,
      replies: shapes,
      participants: people.flatMap((id) => refs.get(id) ?? []),
      ...page,
    }
  },
})

export const replyToMessage = operation({
  name: 'reply_to_message',
  searchHint: 'answer in a thread, respond in chat',
  kind: 'write',
  rest: 'POST /api/messages/{message_id}/replies',
  creates: 'item',
  about: 'Reply in the thread of a message',
  on: { message: message.see.describe('a reply also works'), files: file.see.many.maybe },
  input: {
    body_markdown: body(),
    also_to_channel: z.boolean().optional().describe('also show it in the channel'),
  },
  output: Message,
  async handle({ message: row, files, body_markdown, also_to_channel }, ctx) {
    requireNotDeleted(row)
    const reply = await post(ctx, await channelOf(ctx, row), {
      text: body_markdown,
      files,
      root: await rootOf(ctx, row),
      alsoToChannel: also_to_channel,
    })
    return presentOneMessage(ctx, reply)
  },
})

/** The starting message of a thread. */
async function rootOf(ctx: ReadContext, row: Row<'messages'>): Promise<Row<'messages'>> {
  return row.thread_root_id === null
    ? row
    : (await message.among(ctx, [row.thread_root_id])).get(row.thread_root_id)!
}
