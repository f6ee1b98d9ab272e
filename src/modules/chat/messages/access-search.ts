import { sql, type SqlBool } from 'kysely'
import { wordHits, type FoundText } from '../../../search/hits.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Scoped } from '../../../records/resource.ts'
import { sightOf, type Viewer } from '../../../records/access-scope.ts'
import type { Terms } from '../../../search/text.ts'

export type Narrow = (items: Scoped<'messages'>) => Scoped<'messages'>

/** The best texts of messages for a query of words, in the channels that the actor is in, or in one of them that was seen. */
export async function matchingMessages(
  from: Viewer,
  terms: Terms,
  channelId: Id<'channels'> | undefined,
  narrow: Narrow | undefined,
): Promise<{ texts: FoundText[]; bound: string | undefined }> {
  const { all, actor } = sightOf(from)
  const own = all
    .selectFrom('channel_members')
    .select('channel_members.channel_id')
    .where('channel_members.person_id', '=', actor.id)
  const { hits, bound } = await wordHits(
    from,
    terms,
    'message',
    channelId === undefined ? undefined : [channelId],
  )
  let found = hits.where('d.container', 'in', channelId === undefined ? own : [channelId])
  if (narrow) {
    const messages = found.crossJoin('messages').where(sql<SqlBool>`messages.id = d.item_id`)
    found = narrow(messages as unknown as Scoped<'messages'>) as unknown as typeof found
  }
  return { texts: await found.select(['d.item_id', 'd.rowid_']).execute(), bound }
}
