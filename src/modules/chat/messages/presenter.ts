import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { unresolvedMentions } from '../../../kernel/text/mentions.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf, type Ref } from '../../../records/shapes.ts'
import { file } from '../../drive/access.ts'
import {
  channel,
  message,
  messageFile,
  messageMention,
  messagePin,
  messageReaction,
  isExternalMessage,
} from '../access.ts'
import { replyCounts } from './access.ts'
import { emojiNames, type EmojiNames } from './emoji.ts'
import { linkedItems } from './linked-items.ts'
import { channelRefs, messageImport, type MessageShape } from '../shapes.ts'

/** Everything referenced by the messages of a list, by message id. */
interface MessageData {
  channels: Map<string, Ref>
  people: Map<string, Ref>
  files: Map<string, Ref[]>
  mentions: Map<string, string[]>
  reactions: Map<string, Row<'message_reactions'>[]>
  /** Emoji names; loaded only if there are reactions. */
  emoji: EmojiNames | undefined
  pinned: Set<string>
  replies: Map<string, { count: number; last: number }>
}

/** Presents messages with a fixed number of queries; the caller has checked that they are visible. */
export async function presentMessages(
  ctx: ReadContext,
  rows: readonly Row<'messages'>[],
): Promise<MessageShape[]> {
  if (rows.length === 0) return []
  const data = await loadMessageData(ctx, rows)
  const linked = await linkedItems(
    ctx,
    rows.map((row) => row.body_markdown),
  )
  return rows.map((row, i) => ({ ...presentMessage(ctx, row, data), linked_items: linked[i]! }))
}

export async function presentOneMessage(
  ctx: ReadContext,
  row: Row<'messages'>,
): Promise<MessageShape> {
  return { ...(await presentMessages(ctx, [row]))[0]!, ...unresolvedMentions(ctx) }
}

async function loadMessageData(
  ctx: ReadContext,
  rows: readonly Row<'messages'>[],
): Promise<MessageData> {
  const ids = rows.map((row) => row.id)
  const mentions = await messageMention
    .of(ctx, ids)
    .select(['message_mentions.message_id', 'message_mentions.person_id'])
    .orderBy('message_mentions.person_id')
    .execute()
  const reactions = await messageReaction
    .of(ctx, ids)
    .selectAll('message_reactions')
    .orderBy('message_reactions.added_at')
    .orderBy('message_reactions.person_id')
    .execute()
  const pins = await messagePin.of(ctx, ids).select('message_pins.message_id').execute()
  const channels = await channel.among(
    ctx,
    rows.map((row) => row.channel_id),
  )
  const roots = rows.filter((row) => row.thread_root_id === null).map((row) => row.id)
  return {
    channels: await channelRefs(ctx, [...channels.values()]),
    people: await peopleRefs(
      ctx,
      [
        ...rows,
        ...reactions.map((reaction) => ({ created_by: reaction.person_id })),
        ...mentions.map((mention) => ({ created_by: mention.person_id })),
      ].map((row) => row.created_by),
    ),
    files: await filesOf(ctx, ids),
    mentions: groupValues(
      mentions,
      (mention) => mention.message_id,
      (item) => item.person_id,
    ),
    reactions: groupValues(
      reactions,
      (reaction) => reaction.message_id,
      (item) => item,
    ),
    emoji: reactions.length === 0 ? undefined : await emojiNames(),
    pinned: new Set(pins.map((pin) => pin.message_id)),
    replies: await replyCounts(ctx, roots),
  }
}

/** Files of messages; visible to all readers of the message. */
async function filesOf(
  ctx: ReadContext,
  ids: readonly Id<'messages'>[],
): Promise<Map<string, Ref[]>> {
  const attached = await messageFile
    .of(ctx, ids)
    .select(['message_files.message_id', 'message_files.file_id'])
    .orderBy('message_files.position')
    .execute()
  const rows = await file.among(
    ctx,
    attached.map((item) => item.file_id),
  )
  const visibleFiles = attached.filter((item) => rows.has(item.file_id))
  return groupValues(
    visibleFiles,
    (item) => item.message_id,
    (item) => {
      const row = rows.get(item.file_id)!
      return { id: row.id, title: row.name, url: file.url(row, ctx.baseUrl) }
    },
  )
}

function presentMessage(
  ctx: ReadContext,
  row: Row<'messages'>,
  { channels, people, files, mentions, reactions, emoji, pinned, replies }: MessageData,
): Omit<MessageShape, 'linked_items'> {
  const person = (id: string) => people.get(id) ?? { id, title: '' }
  const replyCount = replies.get(row.id)
  return omitNullish({
    ...commonOf({ ...row, deleted_at: row.erased_at }, message.url(row, ctx.baseUrl), people),
    channel: channels.get(row.channel_id)!,
    seq: row.seq,
    author: person(row.created_by),
    content: {
      text: row.body_markdown,
      trust: isExternalMessage(row) ? 'external' : 'internal',
    },
    sent_at: iso(row.sent_at),
    ...messageImport(row),
    edited_at: row.edited_at === null ? undefined : iso(row.edited_at),
    ...(row.thread_root_id === null
      ? {}
      : { thread_root_id: row.thread_root_id, also_to_channel: row.in_channel === 1 }),
    reply_count: replyCount?.count ?? 0,
    last_reply_at: replyCount ? iso(replyCount.last) : undefined,
    reactions: presentReactions(reactions.get(row.id) ?? [], person, emoji),
    files: files.get(row.id) ?? [],
    pinned: pinned.has(row.id),
    mentions: (mentions.get(row.id) ?? []).map(person),
    mentions_channel: row.mentions_channel === 1 ? true : undefined,
    via_assistant: row.via_assistant === 1,
  })
}

/** By emoji, in order of the first use. */
function presentReactions(
  rows: readonly Row<'message_reactions'>[],
  person: (id: string) => Ref,
  names: EmojiNames | undefined,
): MessageShape['reactions'] {
  return [...Map.groupBy(rows, (row) => row.emoji)].map(([emoji, group]) => {
    const name = names?.nameOf(emoji)
    return omitNullish({
      emoji,
      name,
      people: group.map((row) => person(row.person_id)),
    })
  })
}

function groupValues<R, V>(
  rows: readonly R[],
  keyOf: (row: R) => string,
  toValue: (row: R) => V,
): Map<string, V[]> {
  return new Map([...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, group.map(toValue)]))
}
