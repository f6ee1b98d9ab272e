import { z } from 'zod'
import { paging, pageOf } from '../../../kernel/fields.ts'
import { equals, applyFilters, filters, since, until } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied } from '../../../kernel/refusal.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { file } from '../../drive/access.ts'
import { channel, message } from '../access.ts'
import { eraseMessage } from './access-erasure.ts'
import { isPinnedTo } from './access.ts'
import { channelOf, requireMembership, requireOpenChannel } from '../channels/membership-checks.ts'
import { mentionsIn, setMentions } from './mentions.ts'
import { body, post } from './posts.ts'
import { Message } from '../shapes.ts'
import { presentMessages, presentOneMessage } from './presenter.ts'
import { notifyMentionedMembers } from './notifications.ts'

const messageFilters = filters('messages', {
  from: equals('messages.created_by', person.see.named('from').maybe.describe('authors')),
  after: since('messages.sent_at'),
  before: until('messages.sent_at'),
})

export const listMessages = operation({
  name: 'list_messages',
  searchHint: 'read the channel, chat history, what is new in the channel, conversation with',
  kind: 'read',
  rest: 'GET /api/channels/{channel_id}/messages',
  about: 'Messages of a channel or direct conversation in a period, threads folded',
  on: {
    channel: channel.see,
    beforeMessage: message.see.of('channel', 'channel_id').named('before_message_id').maybe,
    afterMessage: message.see
      .of('channel', 'channel_id')
      .named('after_message_id')
      .maybe.describe('oldest first, from behind this message'),
    ...messageFilters.on,
  },
  input: {
    ...messageFilters.input,
    pinned: z
      .boolean()
      .optional()
      .describe('true: only pinned ones, including in threads; false: the others'),
    ...paging,
  },
  output: pageOf(Message),
  async handle(
    { channel: row, beforeMessage, afterMessage, pinned, limit, cursor, ...filter },
    ctx,
  ) {
    await requireMembership(ctx, row)
    const filteredMessages = await applyFilters(ctx, message.visibleTo(ctx), messageFilters, filter)
    let query = filteredMessages.selectAll('messages')
    if (pinned) query = query.where(isPinnedTo(row.id, 'messages.id'))
    else
      query = query.where('messages.channel_id', '=', row.id).where('messages.in_channel', '=', 1)
    if (pinned === false) query = query.where((eb) => eb.not(isPinnedTo(row.id, 'messages.id')))
    if (beforeMessage) query = query.where('messages.seq', '<', beforeMessage.seq)
    if (afterMessage) query = query.where('messages.seq', '>', afterMessage.seq)
    const dir = afterMessage ? 'asc' : 'desc'
    const page = await paged(query, [{ by: 'messages.seq', as: 'seq', dir }], { limit, cursor })
    return pageWithItems(page, await presentMessages(ctx, page.items))
  },
})

export const sendMessage = operation({
  name: 'send_message',
  searchHint: 'post, write in the channel, tell the team, announce, chat, say hello, ping the team',
  kind: 'write',
  rest: 'POST /api/channels/{channel_id}/messages',
  creates: 'item',
  about: 'Post a message to a channel as you, marked as sent by an assistant',
  on: { channel: channel.see, files: file.see.many.maybe },
  input: { body_markdown: body() },
  output: Message,
  async handle({ channel: row, files, body_markdown }, ctx) {
    return presentOneMessage(ctx, await post(ctx, row, { text: body_markdown, files }))
  },
})

export const updateMessage = operation({
  name: 'update_message',
  searchHint: 'fix a typo in chat, correct my post',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/messages/{message_id}',
  about: 'Edit your message',
  on: { message: message.edit },
  input: { body_markdown: body() },
  output: Message,
  async handle({ message: row, body_markdown }, ctx) {
    const channelRow = await channelOf(ctx, row)
    requireOpenChannel(channelRow)
    if (body_markdown === row.body_markdown) return presentOneMessage(ctx, row)
    const mentions = await mentionsIn(ctx, channelRow, body_markdown)
    const people = await setMentions(ctx, row, mentions.people)
    const changed = await ctx.change('messages', row, {
      body_markdown,
      mentions_channel: mentions.everybody ? 1 : 0,
      edited_at: ctx.now,
    })
    await notifyMentionedMembers(ctx, channelRow, changed, {
      people,
      everybody: mentions.everybody && row.mentions_channel === 0,
    })
    return presentOneMessage(ctx, changed)
  },
})

export const deleteMessage = operation({
  name: 'delete_message',
  searchHint: 'unsend, take back what I posted, remove a chat message',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/messages/{message_id}',
  about: 'Delete your message',
  on: { message: message.see },
  output: DeletedRef,
  async handle({ message: row }, ctx) {
    if (row.created_by !== ctx.actor.id) throw denied(message.definition.rule!.own!)
    const gap = row.erased_at === null ? await eraseMessage(ctx, row) : row
    const { undo_call_id: _, ...deleted } = await deletedRef(
      ctx,
      message.ref(gap, ctx.baseUrl),
      [],
      { erased: true },
    ) // the deletion cannot be undone
    return deleted
  },
})
