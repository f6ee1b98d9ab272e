import { sql } from 'kysely'
import type { FoundText } from '../../core/hits.ts'
import { searchDepth } from '../../core/hits.ts'
import type { Id } from '../../core/ids.ts'
import type { Scoped } from '../../core/resource.ts'
import { sightOf, type Seer } from '../../core/sight.ts'
import { matchFor, type Terms } from '../../search/text.ts'

/** Of a word that more messages have than this, the newest are ranked. */
const mostRanked = 4000
const fewest = 500

export type Narrow = (items: Scoped<'messages'>) => Scoped<'messages'>

/**
 * The best texts of messages for a query of words, in the channels that the actor is in, or in one of them that was seen. A word that half of
 * all messages have would take long to rank and tell little, so that words are looked up one by one, each among the newest that have it, and
 * all together for those that have them all: a rare word is found however old.
 */
export async function matchingMessages(from: Seer, terms: Terms, channelId: Id<'channels'> | undefined, narrow: Narrow | undefined): Promise<FoundText[]> {
  const scores = new Map<number, FoundText>()
  const words = terms.any.length > 1 ? terms.any : []
  for (const word of words) {
    for (const one of await ranked(from, matchFor({ ...terms, any: [word] }), channelId, narrow, Math.max(fewest, Math.ceil(mostRanked / words.length)))) {
      scores.set(one.rowid_, { ...one, score: one.score + (scores.get(one.rowid_)?.score ?? 0) })
    }
  }
  for (const one of await ranked(from, allOf(terms), channelId, narrow, mostRanked)) {
    if (one.score > (scores.get(one.rowid_)?.score ?? 0)) scores.set(one.rowid_, one)
  }
  return [...scores.values()].sort((a, b) => b.score - a.score || b.rowid_ - a.rowid_).slice(0, searchDepth)
}

function allOf({ any, phrases }: Terms): string {
  return any.map((word, i) => `(${matchFor({ any: [word], phrases: i === 0 ? phrases : [] })})`).join(' AND ')
}

/** The newest texts that match, with their scores. Which channels count is held against each text: naming many in the match would rank by them. */
async function ranked(from: Seer, match: string, channelId: Id<'channels'> | undefined, narrow: Narrow | undefined, most: number): Promise<FoundText[]> {
  const { all, actor } = sightOf(from)
  const own = all.selectFrom('channel_members').select('channel_members.channel_id').where('channel_members.person_id', '=', actor.id)
  let found = all
    .selectFrom(sql<{ rowid: number }>`search_fts`.as('search_fts'))
    .crossJoin('search_docs as d')
    .where(sql<boolean>`search_fts match ${match} and d.rowid_ = search_fts.rowid and d.item_type = 'message'`)
    .where('d.container', 'in', channelId === undefined ? own : [channelId])
  if (narrow) {
    const messages = found.crossJoin('messages').where(sql<boolean>`messages.id = d.item_id`)
    found = narrow(messages as unknown as Scoped<'messages'>) as unknown as typeof found
  }
  return found
    .select(['d.item_id', 'd.rowid_', sql<number>`-bm25(search_fts, 2.0, 1.0, 0.0)`.as('score')])
    .orderBy(sql`search_fts.rowid`, 'desc')
    .limit(most)
    .execute()
}
