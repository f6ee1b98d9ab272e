import { sql, type Expression, type SqlBool } from 'kysely'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { ExtensionPoint } from '../../records/extension-point.ts'
import type { Id } from '../../kernel/ids.ts'
import { part } from '../../records/part.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type ItemRef, type Row, resource } from '../../records/resource.ts'
import type { Ref } from '../../records/shapes.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { fileHolders } from '../drive/access.ts'
import { dropGaps, eraseMessage } from './messages/access-erasure.ts'

export { unreadCounts } from './messages/access-unread.ts'

/** Whether a column names a channel of which the actor is a member: others only know that it exists. */
function isMemberOf(scope: AccessScope, column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from channel_members as own where own.channel_id = ${sql.ref(column)} and own.person_id = ${scope.actor.id})`
}

/** Items for which channels are opened: registered by their module. */
interface ChannelOpener {
  /** Items that opened these channels, by channel id; only those that the caller may see. */
  openersOf: (ctx: ReadContext, channels: readonly Id<'channels'>[]) => Promise<Map<string, Ref>>
  /** Resolves items by the keys that texts mention. */
  findByKeys: (ctx: ReadContext, keys: readonly string[]) => Promise<[string, ItemRef][]>
}

export const channelOpeners = new ExtensionPoint<ChannelOpener>()

const rule =
  'Only members of a channel who are not guests may change it; use join_channel to join a public channel.'

/**
 * Channels and conversations: the caller's own, and public ones, which all members can find in order to join.
 * Their contents (messages, members, pins) require membership: see `requireMembership`.
 */
export const channel = resource('channels', {
  type: 'channel',
  approval: { ignore: true },
  prefix: 'chn',
  see: (s) => {
    const all = s.all.selectFrom('channels').where('channels.org_id', '=', s.actor.org_id)
    return s.actor.role === 'guest'
      ? all.where(isMemberOf(s, 'channels.id'))
      : all.where((eb) => eb.or([eb('channels.kind', '=', 'public'), isMemberOf(s, 'channels.id')]))
  },
  edit: (s) => editableChannels(s),
  own: (s) => editableChannels(s),
  rule: { edit: rule, own: rule },
  alias: (query, text) =>
    text.startsWith('#') ? query.where('channels.name', '=', channelName(text)) : undefined,
  names: {
    columns: ['name'],
    by: async (rows, text) => rows.where('channels.name', '=', channelName(text)),
    details: (row) => ({ kind: row.kind, archived: row.archived_at === null ? undefined : true }),
  },
  takes: 'id or #name',
  list: { tool: 'list_channels' },
  title: (row) =>
    row.name ?? (row.kind === 'direct' ? 'Direct conversation' : 'Group conversation'),
  key: (row) => (row.name === null ? undefined : `#${row.name}`),
  path: (row) => `channels/${row.id}`,
  unaudited: ['people_key', 'last_seq', 'last_message_at', 'imported_ref'],
})

extend(channel, 'undo', {
  undoCreate: async (row, ctx) => {
    if (row.people_key !== null) return // a conversation is never removed: it is defined by its people
    await dropGaps(ctx, row)
    await ctx.remove('channels', row)
  },
})

/** A stored channel name, given with or without #. */
function channelName(text: string): string {
  return text.replace(/^#/, '').trim().normalize('NFC').toLowerCase()
}

function editableChannels(scope: AccessScope) {
  const ownChannels = scope.all.selectFrom('channels').where(isMemberOf(scope, 'channels.id'))
  return scope.actor.role === 'guest'
    ? ownChannels.where('channels.people_key', 'is not', null)
    : ownChannels
}

/**
 * Recorded without values: only members know who is in a public channel, but its changes are reported to others, too.
 */
export const channelMember = part('channel_members', {
  table: 'channels',
  by: 'channel_id',
  unique: ['channel_id', 'person_id'],
  field: 'members',
  value: () => null,
  touch: 'time',
  level: 'see',
})

export const channelRead = part('channel_reads', {
  table: 'channels',
  by: 'channel_id',
  unique: ['channel_id', 'person_id'],
  field: 'unread',
  value: () => null,
  touch: 'time',
  personal: (row) => row.person_id,
})

/** True if people outside wrote a message, or an automation wrote it that was triggered from outside. */
export function isExternalMessage(row: Pick<Row<'messages'>, 'imported_from' | 'trust'>): boolean {
  return row.imported_from !== null || row.trust === 'external'
}

/** Messages: visible to current members, including earlier ones; editable by their author until deleted. */
export const message = resource('messages', {
  type: 'message',
  prefix: 'msg',
  see: (s) => s.all.selectFrom('messages').where(isMemberOf(s, 'messages.channel_id')),
  edit: (s) =>
    s.all
      .selectFrom('messages')
      .where(isMemberOf(s, 'messages.channel_id'))
      .where('messages.created_by', '=', s.actor.id)
      .where('messages.erased_at', 'is', null),
  own: (s) =>
    s.all
      .selectFrom('messages')
      .where(isMemberOf(s, 'messages.channel_id'))
      .where('messages.created_by', '=', s.actor.id)
      .where('messages.erased_at', 'is', null),
  rule: {
    edit: 'Only the author may edit a message, and deleted messages cannot be edited.',
    own: 'Only the author may delete a message.',
  },
  title: (row) =>
    row.erased_at === null
      ? row.body_markdown.slice(0, 80).toWellFormed().replaceAll(/\s+/g, ' ').trim()
      : 'Deleted message',
  isExternal: isExternalMessage,
  externalText: ['body_markdown'],
  path: (row) => `channels/${row.channel_id}/${row.id}`,
  unaudited: [
    'body_markdown',
    'seq',
    'in_channel',
    'mentions_channel',
    'via_assistant',
    'erased_at',
    'sent_at',
    'imported_from',
    'imported_author',
  ],
  search: async (row) => {
    if (row.erased_at !== null) return undefined
    return {
      title: '',
      body: row.body_markdown,
      container: row.channel_id,
      part: 'item',
      item_id: row.id,
      item_type: 'message',
      at: row.sent_at,
    }
  },
})

extend(message, 'undo', {
  undoCreate: async (row, ctx) => void (await eraseMessage(ctx, row)),
})

extend(message, 'taskSource', {
  asTask: (row) => ({
    title: row.body_markdown.slice(0, 500),
    body_markdown: row.body_markdown,
    trust: isExternalMessage(row) ? 'external' : 'internal',
  }),
})

export const messageMention = part('message_mentions', {
  table: 'messages',
  by: 'message_id',
  unique: ['message_id', 'person_id'],
  field: 'mentions',
  value: (row) => row.person_id,
  touch: 'revision',
})

export const messageReaction = part('message_reactions', {
  table: 'messages',
  by: 'message_id',
  unique: ['message_id', 'emoji', 'person_id'],
  field: 'reactions',
  value: (row) => ({ emoji: row.emoji, person: row.person_id }),
  touch: 'time',
})

export const messageFile = part('message_files', {
  table: 'messages',
  by: 'message_id',
  unique: ['message_id', 'file_id'],
  field: 'files',
  value: (row) => row.file_id,
  touch: 'revision',
})

export const messagePin = part('message_pins', {
  table: 'messages',
  by: 'message_id',
  unique: ['message_id'],
  field: 'pinned',
  value: (row) => row.person_id,
  touch: 'time',
})

/** Files of readable messages, if the author may share them. */
fileHolders.register({
  shows: (s, file, isGivenBy) =>
    sql<SqlBool>`exists (select 1 from message_files join messages on messages.id = message_files.message_id where message_files.file_id = ${sql.ref(file)} and ${isMemberOf(s, 'messages.channel_id')} and ${isGivenBy('messages.created_by')})`,
})

/** Whether the actor is a member of a visible channel. */
export async function isMember(viewer: Viewer, id: Id<'channels'>): Promise<boolean> {
  const { all, actor } = accessScopeOf(viewer)
  const row = await all
    .selectFrom('channel_members')
    .select('person_id')
    .where('channel_id', '=', id)
    .where('person_id', '=', actor.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Membership condition for lists of channels. */
export function isChannelMember(reader: Viewer): Expression<SqlBool> {
  return isMemberOf(accessScopeOf(reader), 'channels.id')
}

/** Whether a name is used in the organization, including by channels invisible to the caller. */
export async function isNameTaken(viewer: Viewer, name: string): Promise<boolean> {
  const { all, actor } = accessScopeOf(viewer)
  return (
    (await all
      .selectFrom('channels')
      .select('id')
      .where('org_id', '=', actor.org_id)
      .where('name', '=', name)
      .executeTakeFirst()) !== undefined
  )
}

/** The next message number of a channel; each is used once, inside the write that needs it. */
export async function takeSeq(ctx: WriteContext, id: Id<'channels'>): Promise<number> {
  const row = await accessScopeOf(ctx)
    .all.updateTable('channels')
    .set((eb) => ({ last_seq: eb('last_seq', '+', 1), last_message_at: ctx.now }))
    .where('id', '=', id)
    .returning('last_seq')
    .executeTakeFirstOrThrow()
  return row.last_seq
}

/** Sets people's read position to the end of a channel: earlier messages are not new to them. */
export async function setReadToEnd(
  ctx: WriteContext,
  row: Row<'channels'>,
  people: readonly Id<'users'>[],
): Promise<void> {
  const { all, actor, now } = accessScopeOf(ctx)
  const { last_seq } = await all
    .selectFrom('channels')
    .select('last_seq')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  for (const person_id of people) {
    await all
      .insertInto('channel_reads')
      .values({
        channel_id: row.id,
        person_id,
        org_id: actor.org_id,
        last_read_seq: last_seq,
        added_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'person_id']).doUpdateSet({ last_read_seq: last_seq }),
      )
      .execute()
  }
}
