import { sql, type Expression, type SqlBool } from 'kysely'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/** Number of replies to visible messages, without deleted ones, and the time of the last. */
export async function replyCounts(
  viewer: Viewer,
  roots: readonly Id<'messages'>[],
): Promise<Map<string, { count: number; last: number }>> {
  if (roots.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('messages')
    .select((eb) => [
      'thread_root_id',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('sent_at').as('last'),
    ])
    .where('thread_root_id', 'in', roots)
    .where('erased_at', 'is', null)
    .groupBy('thread_root_id')
    .execute()
  return new Map(
    rows.map((row) => [row.thread_root_id!, { count: row.count, last: Number(row.last) }]),
  )
}

/** All participants of a visible thread, its starter first. */
export async function participantsOf(
  reader: Viewer,
  root: Row<'messages'>,
): Promise<Id<'users'>[]> {
  const rows = await accessScopeOf(reader)
    .all.selectFrom('messages')
    .select((eb) => ['created_by', eb.fn.min('seq').as('first')])
    .where('thread_root_id', '=', root.id)
    .where('erased_at', 'is', null)
    .groupBy('created_by')
    .orderBy('first')
    .execute()
  return [...new Set([root.created_by, ...rows.map((row) => row.created_by)])] as Id<'users'>[]
}

/** Number of messages shown on each side of a match. */
const neighbourCount = 2

/** Neighbours of visible messages: in the thread for a reply, otherwise in the channel. Ids by message id, in order. */
export async function neighbours(
  ctx: ReadContext,
  ids: readonly Id<'messages'>[],
): Promise<Map<string, { before: string[]; after: string[] }>> {
  if (ids.length === 0) return new Map()
  const neighbourIds = (direction: 'before' | 'after') => {
    const [operator, order] = direction === 'before' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
    const pick = (where: ReturnType<typeof sql<SqlBool>>) =>
      sql`(select string_agg(id, ' ') from (select b.id from messages as b where ${where} and b.erased_at is null and b.seq ${operator} m.seq order by b.seq ${order} limit ${sql.lit(neighbourCount)}) as near)`
    return sql<
      string | null
    >`case when m.in_channel = 1 then ${pick(sql<SqlBool>`b.channel_id = m.channel_id and b.in_channel = 1`)} else ${pick(sql<SqlBool>`b.thread_root_id = m.thread_root_id`)} end`
  }
  const rows = await accessScopeOf(ctx)
    .all.selectFrom('messages as m')
    .select(['m.id', neighbourIds('before').as('before'), neighbourIds('after').as('after')])
    .where('m.id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { before: splitIds(row.before).reverse(), after: splitIds(row.after) },
    ]),
  )
}

function splitIds(ids: string | null): string[] {
  return ids === null ? [] : ids.split(' ')
}

/** Counts the pinned messages of a channel. The reader must be able to see the channel. */
export async function countPins(viewer: Viewer, id: Id<'channels'>): Promise<number> {
  const row = await accessScopeOf(viewer)
    .all.selectFrom('message_pins')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('channel_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Pinned messages of a visible channel, last pinned first. */
export function pinnedMessages(reader: Viewer, id: Id<'channels'>): Promise<Row<'messages'>[]> {
  return accessScopeOf(reader)
    .all.selectFrom('messages')
    .innerJoin('message_pins', 'message_pins.message_id', 'messages.id')
    .selectAll('messages')
    .where('message_pins.channel_id', '=', id)
    .orderBy('message_pins.added_at', 'desc')
    .orderBy('messages.id', 'desc')
    .execute()
}

/** Counts the members of channels. The reader must be able to see the channels. */
export async function memberCounts(
  viewer: Viewer,
  ids: readonly Id<'channels'>[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('channel_members')
    .select((eb) => ['channel_id', eb.fn.countAll<number>().as('count')])
    .where('channel_id', 'in', ids)
    .groupBy('channel_id')
    .execute()
  return new Map(rows.map((row) => [row.channel_id, row.count]))
}

/** Filters channels to those that the actor is a member of. */
export async function memberChannelIds(
  reader: Viewer,
  ids: readonly Id<'channels'>[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { all, actor } = accessScopeOf(reader)
  const rows = await all
    .selectFrom('channel_members')
    .select('channel_id')
    .where('person_id', '=', actor.id)
    .where('channel_id', 'in', ids)
    .execute()
  return new Set(rows.map((row) => row.channel_id))
}

/** The conversation of a set of people that includes the actor. */
export function conversationOf(viewer: Viewer, key: string): Promise<Row<'channels'> | undefined> {
  const { all, actor } = accessScopeOf(viewer)
  return all
    .selectFrom('channels')
    .selectAll()
    .where('org_id', '=', actor.org_id)
    .where('people_key', '=', key)
    .executeTakeFirst()
}

// Conditions on visible messages.

export function isPinnedTo(channelId: Id<'channels'>, column: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select pin.message_id from message_pins as pin where pin.channel_id = ${channelId})`
}

export function hasFile(column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from message_files as f where f.message_id = ${sql.ref(column)})`
}

/** Whether it mentions a person by name; @channel does not count. */
export function mentionsPerson(column: string, personId: Id<'users'>): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from message_mentions as n where n.message_id = ${sql.ref(column)} and n.person_id = ${personId})`
}
