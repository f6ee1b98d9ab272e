import { sql, type Expression, type SqlBool } from 'kysely'
import { prepared } from '../../../records/prepared.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { Viewer, AccessScope } from '../../../records/access-scope.ts'

// Defines unread messages, in one place: messages by others after the reader's position that are shown in the channel
// itself; and replies in threads that mention the reader or whose thread the reader takes part in.

/** The query must repeat the flags of a partial index literally. */
const inChannel = sql<SqlBool>`m.in_channel = 1 and m.erased_at is null`
const inThreads = sql<SqlBool>`m.in_channel = 0 and m.erased_at is null`
const mentionsChannel = sql<SqlBool>`m.mentions_channel = 1 and m.erased_at is null`

function isMentioned(scope: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from message_mentions as n where n.message_id = m.id and n.person_id = ${scope.actor.id})`
}

/** Whether the actor started a reply's thread or has replied in it. */
function participates(accessScope: AccessScope): Expression<SqlBool> {
  const began = sql`select 1 from messages as p where p.id = m.thread_root_id and p.created_by = ${accessScope.actor.id}`
  const replied = sql`select 1 from messages as p where p.thread_root_id = m.thread_root_id and p.created_by = ${accessScope.actor.id}`
  return sql<SqlBool>`(exists (${began}) or exists (${replied}))`
}

const concernsActor = (scope: AccessScope) =>
  sql<SqlBool>`(m.mentions_channel = 1 or ${isMentioned(scope)} or ${participates(scope)})`

/** A channel with unread messages for the actor. */
export interface ChannelUnread {
  id: Id<'channels'>
  kind: Row<'channels'>['kind']
  last_message_at: number
  /** Read position. */
  seq: number
  total: number
  mentions: number
}

/** The actor's channels with messages after the read position, with counts, which may all be 0. */
const unreadRows = prepared<
  { among: readonly string[] | null },
  Omit<ChannelUnread, 'total' | 'mentions'> & {
    top: number
    replies: number
    named: number
    everybody: number
  }
>((s, { among }) => {
  const seq = sql<number>`coalesce(r.last_read_seq, 0)`
  const isUnread = sql<SqlBool>`m.channel_id = c.id and m.seq > ${seq} and m.created_by <> ${s.actor.id}`
  const count = (rows: Expression<SqlBool>) =>
    sql<number>`(select count(*) from messages as m where ${isUnread} and ${rows})`
  return s.all
    .selectFrom('channel_members as own')
    .crossJoin('channels as c')
    .leftJoin('channel_reads as r', (join) =>
      join.onRef('r.channel_id', '=', 'own.channel_id').onRef('r.person_id', '=', 'own.person_id'),
    )
    .where('own.person_id', '=', s.actor.id)
    .whereRef('c.id', '=', 'own.channel_id')
    .where(sql<SqlBool>`c.last_seq > ${seq}`)
    .$if(among !== null, (query) => query.where('own.channel_id', 'in', among as Id<'channels'>[]))
    .select(['c.id', 'c.kind', sql<number>`c.last_message_at`.as('last_message_at'), seq.as('seq')])
    .select([
      count(inChannel).as('top'),
      count(sql<SqlBool>`${inThreads} and ${concernsActor(s)}`).as('replies'),
      sql<number>`(select count(*) from message_mentions as n where n.person_id = ${s.actor.id} and n.channel_id = c.id and n.seq > ${seq})`.as(
        'named',
      ),
      count(sql<SqlBool>`${mentionsChannel} and not ${isMentioned(s)}`).as('everybody'),
    ])
})

/**
 * Unread counts by channel, for all channels that the actor is in, or for some. Channels without unread messages are
 * absent.
 */
export async function unreadIn(
  viewer: Viewer,
  among?: readonly Id<'channels'>[],
): Promise<Map<string, ChannelUnread>> {
  if (among?.length === 0) return new Map()
  const rows = await unreadRows(viewer, { among: among ?? null })
  const counted = rows.map(({ top, replies, named, everybody, ...row }) => ({
    ...row,
    total: top + replies,
    mentions: named + everybody,
  }))
  return new Map(counted.filter((item) => item.total > 0).map((item) => [item.id, item]))
}

/** Counts the unread messages in all channels of the actor, and how many of them mention the actor. */
export async function unreadCounts(reader: Viewer): Promise<{ unread: number; mentions: number }> {
  const all = [...(await unreadIn(reader)).values()]
  return {
    unread: all.reduce((sum, unread) => sum + unread.total, 0),
    mentions: all.reduce((sum, unread) => sum + unread.mentions, 0),
  }
}

type Order = 'oldest' | 'newest'
type ReadPosition = { channel: string; seq: number; limit: number }

const newMessages = (order: Order) =>
  prepared<ReadPosition, Row<'messages'>>((s, { channel, seq, limit }) =>
    s.all
      .selectFrom('messages as m')
      .selectAll('m')
      .where(
        sql<SqlBool>`m.channel_id = ${channel} and m.seq > ${seq} and m.created_by <> ${s.actor.id} and m.erased_at is null`,
      )
      .where(sql<SqlBool>`(m.in_channel = 1 or ${concernsActor(s)})`)
      .orderBy('m.seq', order === 'oldest' ? 'asc' : 'desc')
      .limit(limit),
  )

const newMentions = (order: Order) =>
  prepared<ReadPosition, Row<'messages'>>((s, { channel, seq, limit }) => {
    const byName = sql`select n.message_id from message_mentions as n where n.person_id = ${s.actor.id} and n.channel_id = ${channel} and n.seq > ${seq}`
    const byChannel = sql`select m.id from messages as m where m.channel_id = ${channel} and m.seq > ${seq} and m.created_by <> ${s.actor.id} and ${mentionsChannel}`
    return s.all
      .selectFrom('messages')
      .selectAll('messages')
      .where(sql<SqlBool>`messages.id in (${byName} union ${byChannel})`)
      .orderBy('messages.seq', order === 'oldest' ? 'asc' : 'desc')
      .limit(limit)
  })

const queries = {
  all: { oldest: newMessages('oldest'), newest: newMessages('newest') },
  mentions: { oldest: newMentions('oldest'), newest: newMentions('newest') },
}

/** Unread messages of a channel, oldest or newest first; optionally only those that mention the actor. */
export function unreadMessages(
  viewer: Viewer,
  unread: Pick<ChannelUnread, 'id' | 'seq'>,
  { only, order, limit }: { only: 'mentions' | 'all'; order: Order; limit: number },
): Promise<Row<'messages'>[]> {
  return queries[only][order](viewer, { channel: unread.id, seq: unread.seq, limit })
}
