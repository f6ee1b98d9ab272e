import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { message, messageReaction } from '../access.ts'
import { emojiNames } from './emoji.ts'
import { channelOf, requireOpenChannel, requireNotDeleted } from '../channels/membership-checks.ts'
import { Message } from '../shapes.ts'
import { presentOneMessage } from './presenter.ts'

const maxEmoji = 50
const emojiText = () =>
  z
    .string()
    .min(1)
    .max(100)
    .describe('the emoji itself such as 👍, or its short name: thumbsup, +1')

export const addMessageReaction = operation({
  name: 'add_message_reaction',
  searchHint: 'emoji, thumbs up, like, acknowledge with a smiley',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/messages/{message_id}/reactions/{emoji}',
  about: 'React to a message',
  on: { message: message.see },
  input: { emoji: emojiText() },
  output: Message,
  async handle({ message: row, emoji: text }, ctx) {
    const emoji = (await emojiNames()).emojiOf(text)
    requireNotDeleted(row)
    requireOpenChannel(await channelOf(ctx, row))
    const all = await reactionsOf(ctx, row)
    if (!all.some((item) => item.emoji === emoji && item.person_id === ctx.actor.id)) {
      const emojis = new Set([...all.map((item) => item.emoji), emoji])
      if (emojis.size > maxEmoji)
        throw new Refusal(
          'conflict',
          `This message has ${maxEmoji} different reactions, the maximum.`,
          'Use one of the existing reactions.',
        )
      await ctx.add('message_reactions', { message_id: row.id, person_id: ctx.actor.id, emoji })
      ctx.event('message.reaction_added', 'messages', row)
    }
    return presentOneMessage(ctx, await reloadMessage(ctx, row))
  },
})

export const removeMessageReaction = operation({
  name: 'remove_message_reaction',
  searchHint: 'remove emoji, unlike',
  kind: 'write',
  idempotent: true,
  rest: 'DELETE /api/messages/{message_id}/reactions/{emoji}',
  about: 'Remove your reaction',
  on: { message: message.see },
  input: { emoji: emojiText() },
  output: Message,
  async handle({ message: row, emoji: text }, ctx) {
    const emoji = (await emojiNames()).emojiOf(text)
    const ownReaction = (await reactionsOf(ctx, row)).find(
      (reaction) => reaction.emoji === emoji && reaction.person_id === ctx.actor.id,
    )
    if (ownReaction) await ctx.remove('message_reactions', ownReaction)
    return presentOneMessage(ctx, await reloadMessage(ctx, row))
  },
})

function reactionsOf(ctx: ReadContext, row: Row<'messages'>): Promise<Row<'message_reactions'>[]> {
  return messageReaction.of(ctx, [row.id]).selectAll('message_reactions').execute()
}

async function reloadMessage(ctx: ReadContext, row: Row<'messages'>): Promise<Row<'messages'>> {
  return (await message.among(ctx, [row.id])).get(row.id)!
}
