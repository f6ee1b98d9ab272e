import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { newMentions } from '../../../kernel/text/mentions.ts'
import type { Row } from '../../../records/resource.ts'
import { messageMention } from '../access.ts'
import { activeMembers } from '../channels/memberships.ts'

/** People that a message notifies. */
export interface MessageMentions {
  /** Ids of the mentioned people, except its author. */
  people: string[]
  /** @channel or @here: all members. */
  everybody: boolean
}

const channelMentions = ['channel', 'here'].map((name) => ({
  id: `@${name}`,
  email: name,
  display_name: name,
}))

/** Only channel members are mentioned; other names stay text, so that they do not reveal who exists. */
export async function mentionsIn(
  ctx: ReadContext,
  row: Row<'channels'>,
  text: string,
): Promise<MessageMentions> {
  if (!text.includes('@')) return { people: [], everybody: false }
  const mentionIds = new Set(
    newMentions(ctx, text, [...(await activeMembers(ctx, row.id)), ...channelMentions]),
  )
  const isForEverybody = channelMentions.some((item) => mentionIds.has(item.id))
  return {
    people: [...mentionIds].filter((id) => id !== ctx.actor.id && !id.startsWith('@')),
    everybody: isForEverybody,
  }
}

/** Stores a message's mentions; returns new ones. */
export async function setMentions(
  ctx: WriteContext,
  row: Row<'messages'>,
  people: readonly string[],
): Promise<string[]> {
  const before = await messageMention.of(ctx, [row.id]).selectAll('message_mentions').execute()
  for (const item of before)
    if (!people.includes(item.person_id)) await ctx.remove('message_mentions', item)
  const added = people.filter((id) => !before.some((item) => item.person_id === id))
  for (const id of added)
    await ctx.add('message_mentions', {
      message_id: row.id,
      person_id: id as Row<'message_mentions'>['person_id'],
      channel_id: row.channel_id,
      seq: row.seq,
    })
  return added
}
