import type { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { iso } from '../../kernel/time/times.ts'
import {
  shortTitle,
  withoutZeros,
  type DigestPeriod,
  type SectionShape,
} from '../activity/shapes.ts'
import type { UnreadChannel } from './shapes.ts'
import { quantity } from '../../kernel/text/quantity.ts'

type Unread = z.infer<typeof UnreadChannel>

/** Unread messages, for the digest. */
export async function chatSection(
  ctx: ReadContext,
  { maxItems }: DigestPeriod,
): Promise<SectionShape> {
  const { items, has_more } = await ctx.call<{ items: Unread[]; has_more: boolean }>(
    'list_unread_messages',
    { limit: 50 },
  )
  const sum = (count: (channel: Unread) => number) =>
    items.reduce((all, item) => all + count(item), 0)
  const counts = { unread: sum((item) => item.unread), mentions: sum((item) => item.mentions) }
  const entries = items.slice(0, maxItems).map(({ channel, unread, mentions, messages }) => ({
    id: channel.id,
    title: shortTitle(channel.title),
    what: [`${unread} unread`, ...(mentions > 0 ? [quantity(mentions, 'mention')] : [])],
    by: [...new Set(messages.map((message) => message.author.title))].slice(0, 3),
    at: newestOf(messages) ?? iso(ctx.now),
  }))
  const more = has_more || items.length > maxItems ? { more: 'list_unread_messages' } : {}
  return { kind: 'chat', counts: withoutZeros(counts), items: entries, ...more, standing: true }
}

function newestOf(messages: Unread['messages']): string | undefined {
  return messages
    .map((message) => message.sent_at)
    .toSorted()
    .at(-1)
}
