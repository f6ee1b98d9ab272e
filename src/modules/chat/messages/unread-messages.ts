import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { paging, pageOf } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import {
  badCursor,
  cut,
  decodeCursor,
  encodeCursor,
  pageWithItems,
} from '../../../records/paging.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { channel, channelRead, message } from '../access.ts'
import { unreadIn, unreadMessages, type ChannelUnread } from './access-unread.ts'
import { requireMembership } from '../channels/membership-checks.ts'
import { Channel, channelRefs, UnreadChannel } from '../shapes.ts'
import { presentOneChannel } from '../channels/presenter.ts'
import { presentMessages } from './presenter.ts'
import { compareText } from '../../../kernel/text/order.ts'

/** Messages shown per channel; more if there is only one. */
const maxPerChannel = 5
const maxOfSingleChannel = 100

export const listUnreadMessages = operation({
  name: 'list_unread_messages',
  searchHint: 'new chats, unread, what did I miss in chat, mentions of me, catch up',
  kind: 'read',
  rest: 'GET /api/messages/unread',
  about: 'Unread messages across channels, direct ones and mentions first, with counts',
  on: { channel: channel.see.maybe },
  input: { only: z.enum(['mentions', 'direct', 'all']).default('all'), ...paging },
  output: pageOf(UnreadChannel),
  async handle({ channel, only, limit, cursor }, ctx) {
    if (channel) await requireMembership(ctx, channel)
    const all = [...(await unreadIn(ctx, channel && [channel.id])).values()]
      .filter((unread) => matchesFilter(unread, only))
      .sort(byUrgency)
    const rest = cursor === undefined ? all : unreadAfter(all, decodeCursor(cursor))
    const page = cut(rest.slice(0, limit + 1), limit, (unread) =>
      encodeCursor(unreadPositionOf(unread)),
    )
    return {
      ...pageWithItems(page, await presentUnread(ctx, page.items, only, channel !== undefined)),
      total: all.length,
    }
  },
})

function matchesFilter(
  { kind, mentions }: ChannelUnread,
  only: 'mentions' | 'direct' | 'all',
): boolean {
  return only === 'all' || (only === 'mentions' ? mentions > 0 : isConversation(kind))
}

const isConversation = (kind: ChannelUnread['kind']) => kind === 'direct' || kind === 'group'

type UnreadPosition = [rank: number, at: number, id: string]

/** Conversations and mentions first, then the rest; each latest first. */
function unreadPositionOf(unread: ChannelUnread): UnreadPosition {
  return [rankOf(unread), -unread.last_message_at, unread.id]
}

function rankOf({ kind, mentions }: ChannelUnread): number {
  if (isConversation(kind)) return 0
  return mentions > 0 ? 1 : 2
}

function byUrgency(a: ChannelUnread, b: ChannelUnread): number {
  return compare(unreadPositionOf(a), unreadPositionOf(b))
}

function compare(a: UnreadPosition, b: UnreadPosition): number {
  return a[0] - b[0] || a[1] - b[1] || compareText(a[2], b[2])
}

function unreadAfter(
  all: readonly ChannelUnread[],
  [rank, at, id, ...more]: (string | number | null)[],
): ChannelUnread[] {
  if (
    typeof rank !== 'number' ||
    typeof at !== 'number' ||
    typeof id !== 'string' ||
    more.length > 0
  )
    throw badCursor()
  return all.filter((unread) => compare(unreadPositionOf(unread), [rank, at, id]) > 0)
}

async function presentUnread(
  ctx: ReadContext,
  channels: readonly ChannelUnread[],
  only: 'mentions' | 'direct' | 'all',
  isSingle: boolean,
): Promise<z.infer<typeof UnreadChannel>[]> {
  const rows = await channel.among(
    ctx,
    channels.map((unread) => unread.id),
  )
  const refs = await channelRefs(ctx, [...rows.values()])
  const kind = only === 'mentions' ? 'mentions' : 'all'
  const lists = await Promise.all(
    channels.map((unread) =>
      isSingle
        ? unreadMessages(ctx, unread, { only: kind, order: 'oldest', limit: maxOfSingleChannel })
        : urgentMessages(ctx, unread, kind),
    ),
  )
  const shapes = new Map(
    (await presentMessages(ctx, lists.flat())).map((presentMessage) => [
      presentMessage.id,
      presentMessage,
    ]),
  )
  return Promise.all(
    channels.map(async (unread, i) => {
      const list = lists[i] ?? []
      const beginsAtOldest = isSingle && kind === 'all'
      const [oldest] = beginsAtOldest
        ? list
        : await unreadMessages(ctx, unread, { only: 'all', order: 'oldest', limit: 1 })
      const hiddenCount = (kind === 'mentions' ? unread.mentions : unread.total) - list.length
      return omitNullish({
        channel: refs.get(unread.id) ?? { id: unread.id, title: '' },
        kind: unread.kind,
        mentions: unread.mentions,
        unread: unread.total,
        oldest_unread_at: iso(oldest?.sent_at ?? unread.last_message_at),
        messages: list.flatMap((row) => shapes.get(row.id) ?? []),
        more: hiddenCount > 0 ? hiddenCount : undefined,
        next:
          hiddenCount > 0 ? nextCall(unread, isSingle ? list.at(-1)?.id : undefined) : undefined,
      })
    }),
  )
}

/** The newest that mention the reader, then the newest others. */
async function urgentMessages(
  ctx: ReadContext,
  unread: ChannelUnread,
  kind: 'mentions' | 'all',
): Promise<Row<'messages'>[]> {
  const newest = (only: 'mentions' | 'all') =>
    unreadMessages(ctx, unread, { only, order: 'newest', limit: maxPerChannel })
  const first = unread.mentions > 0 ? await newest('mentions') : []
  const others = kind === 'all' ? await newest('all') : []
  const ids = new Set(first.map((row) => row.id))
  return [...first, ...others.filter((row) => !ids.has(row.id))].slice(0, maxPerChannel)
}

function nextCall({ id }: ChannelUnread, last: string | undefined): string {
  return last === undefined
    ? `list_unread_messages(channel_id="${id}")`
    : `list_messages(channel_id="${id}", after_message_id="${last}")`
}

export const markChannelRead = operation({
  name: 'mark_channel_read',
  searchHint: 'clear unread, mark chat as seen',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/channels/{channel_id}/mark-read',
  about: 'Mark a channel read up to a message',
  on: {
    channel: channel.see,
    upTo: message.see.of('channel', 'channel_id').named('up_to_message_id').maybe,
  },
  output: Channel,
  async handle({ channel: row, upTo }, ctx) {
    await requireMembership(ctx, row)
    const seq = upTo?.seq ?? row.last_seq
    const readPosition = await channelRead
      .of(ctx, [row.id])
      .selectAll('channel_reads')
      .where('channel_reads.person_id', '=', ctx.actor.id)
      .executeTakeFirst()
    // Never back: a late request from another tab must not mark messages unread again.
    if (!readPosition)
      await ctx.add('channel_reads', {
        channel_id: row.id,
        person_id: ctx.actor.id,
        last_read_seq: seq,
      })
    else if (seq > readPosition.last_read_seq)
      await ctx.changePart('channel_reads', readPosition, { last_read_seq: seq })
    if (seq > (readPosition?.last_read_seq ?? 0))
      ctx.event('channel.read', 'channels', row, ctx.actor.id)
    return presentOneChannel(ctx, row.id)
  },
})
