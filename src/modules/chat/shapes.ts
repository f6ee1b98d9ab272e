import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString, unresolvedMentionsField } from '../../kernel/fields.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { common, ItemRef, Ref, trust, trustOf } from '../../records/shapes.ts'
import { channel, isExternalMessage } from './access.ts'
import { conversationNames } from './channels/conversation-names.ts'

export {
  restrictChannel,
  makePublic,
  removeFromChannel,
  channelById,
  setArchived,
} from './channels/access-rooms.ts'
export { addMembers } from './channels/memberships.ts'

export const channelKinds = ['public', 'private', 'direct', 'group'] as const

const imported = () =>
  z
    .strictObject({ from: z.string(), author: z.string() })
    .optional()
    .describe('written elsewhere by this author; the `author` of the message imported it')

export const Message = shape('Message', {
  ...common,
  channel: Ref,
  seq: z.int().describe('order in the channel'),
  author: Ref,
  content: z
    .strictObject({ text: z.string(), trust: z.enum(['internal', 'external']) })
    .describe('empty if the message was deleted (deleted_at)'),
  sent_at: datetimeString(),
  imported: imported(),
  edited_at: datetimeString().optional(),
  thread_root_id: z.string().optional(),
  also_to_channel: z.boolean().optional().describe('replies: also shown in the channel'),
  reply_count: z.int(),
  last_reply_at: datetimeString().optional(),
  reactions: z.array(
    z.strictObject({ emoji: z.string(), name: z.string().optional(), people: z.array(Ref) }),
  ),
  files: z.array(Ref),
  pinned: z.boolean(),
  mentions: z.array(Ref),
  unresolved_mentions: unresolvedMentionsField(),
  mentions_channel: z.boolean().optional().describe('@channel or @here: everyone in it'),
  via_assistant: z.boolean(),
  linked_items: z.array(ItemRef),
})

export const Channel = shape('Channel', {
  ...common,
  key: z.string().optional(),
  name: z.string().describe('conversations: the other people'),
  kind: z.enum(channelKinds),
  joined: z.boolean(),
  topic: z.string().optional(),
  purpose: z.string().optional(),
  members: z.array(Ref).optional().describe('members only; in lists, only for conversations'),
  member_count: z.int(),
  project: Ref.optional(),
  incident: Ref.optional().describe('the incident it was opened for'),
  archived: z.boolean(),
  last_message_at: datetimeString().optional(),
  unread: z.strictObject({
    total: z.int(),
    mentions: z.int(),
    read_seq: z.int().optional().describe('messages with a higher seq are new'),
  }),
  pinned: z.array(Message).optional().describe('members only; most recently pinned first'),
})

/** A message next to a search hit. */
const MessageExcerpt = shape('MessageExcerpt', {
  id: z.string(),
  author: Ref,
  imported: imported(),
  text: z.string(),
  trust,
  sent_at: datetimeString(),
})

export const MessageHit = shape('MessageHit', {
  message: Message,
  score: z.number(),
  trust,
  snippet: z.string(),
  context: z
    .strictObject({ before: z.array(MessageExcerpt), after: z.array(MessageExcerpt) })
    .describe('surrounding messages, in order'),
})

export const MessageThread = shape('MessageThread', {
  root: Message,
  replies: z.array(Message),
  participants: z.array(Ref),
  next_cursor: z.string().optional(),
  has_more: z.boolean(),
})

export const UnreadChannel = shape('UnreadChannel', {
  channel: Ref,
  kind: z.enum(channelKinds),
  mentions: z.int(),
  unread: z.int(),
  oldest_unread_at: datetimeString(),
  messages: z
    .array(Message)
    .describe('those that mention you first, then the newest; with channel_id the oldest first'),
  more: z.int().optional().describe('unread messages that are not shown here'),
  next: z.string().optional().describe('the call that shows more of them'),
})

export type MessageShape = z.infer<typeof Message>

/** References to the caller's channels, by id; conversations are named after the other people. */
export async function channelRefs(
  ctx: ReadContext,
  rows: readonly Row<'channels'>[],
): Promise<Map<string, Ref>> {
  const names = await conversationNames(ctx, rows)
  return new Map(rows.map((row) => [row.id, refOf(ctx, row, names)]))
}

function refOf(ctx: ReadContext, row: Row<'channels'>, names: Map<string, string>): Ref {
  const { id, key, title, url } = channel.ref(row, ctx.baseUrl)
  return omitNullish({ id, key, title: names.get(id) ?? title, url })
}

/** Origin and author of an imported message; empty for a message that was written here. */
export function messageImport({ imported_from: from, imported_author: author }: Row<'messages'>): {
  imported?: { from: string; author: string }
} {
  return from === null ? {} : { imported: { from, author: author ?? '' } }
}

/** Presents a message next to a search hit as an excerpt. */
export function presentExcerpt(
  row: Row<'messages'>,
  people: Map<string, Ref>,
): z.infer<typeof MessageExcerpt> {
  return omitNullish({
    id: row.id,
    author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
    ...messageImport(row),
    text: row.body_markdown,
    ...trustOf(isExternalMessage(row)),
    sent_at: iso(row.sent_at),
  })
}
