import { z } from 'zod'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { message, messagePin } from '../access.ts'
import { countPins } from './access.ts'
import { channelOf, requireOpenChannel, requireNotDeleted } from '../channels/membership-checks.ts'
import { Message } from '../shapes.ts'
import { presentOneMessage } from './presenter.ts'

const maxPins = 100

export const pinMessage = operation({
  name: 'pin_message',
  searchHint: 'keep on top, sticky, pin an announcement, unpin',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/messages/{message_id}/pin',
  about: 'Pin a message to its channel, or unpin it with pinned=false',
  on: { message: message.see },
  input: { pinned: z.boolean().default(true).describe('false unpins it') },
  output: Message,
  async handle({ message: row, pinned }, ctx) {
    requireOpenChannel(await channelOf(ctx, row))
    const pin = await messagePin.of(ctx, [row.id]).selectAll('message_pins').executeTakeFirst()
    if (pin && !pinned) await ctx.remove('message_pins', pin)
    if (!pin && pinned) {
      requireNotDeleted(row)
      if ((await countPins(ctx, row.channel_id)) >= maxPins)
        throw new Refusal(
          'conflict',
          `${maxPins} messages are pinned to this channel, the maximum.`,
          'Unpin one with pin_message(pinned=false).',
        )
      await ctx.add('message_pins', {
        message_id: row.id,
        channel_id: row.channel_id,
        person_id: ctx.actor.id,
      })
    }
    return presentOneMessage(ctx, (await message.among(ctx, [row.id])).get(row.id)!)
  },
})
