// Search in transcripts: lines in the shared word index, restricted to visible meetings before ranking.
import { sql, type SqlBool } from 'kysely'
import { textMatches } from '../../../operations/search/hits.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Terms } from '../../../search/query.ts'
import { meeting } from '../access.ts'
import { isSpokenBy, type LinePlace, type SpeakerFilter } from './access.ts'
import { byScore } from '../../../kernel/text/order.ts'

/** A matching line; `id` is `<transcript id>:<line number>`. */
export interface FoundLine {
  id: string
  meeting_id: Id<'meetings'>
  score: number
}

/** Lines that match, best first. */
export async function matchingLines(
  viewer: Viewer,
  terms: Terms,
  containers: readonly string[] | undefined,
  {
    narrow,
    speaker,
    inMeeting,
  }: {
    narrow?: ((meetings: Scoped<'meetings'>) => Scoped<'meetings'>) | undefined
    speaker?: SpeakerFilter | undefined
    inMeeting?: Id<'meetings'> | undefined
  },
): Promise<{ lines: FoundLine[]; note: string | undefined }> {
  const s = accessScopeOf(viewer)
  const { matches, note } = await textMatches(viewer, terms, { containers, types: ['transcript'] })
  const visible = meeting.visibleTo(viewer)
  const allowed = (narrow?.(visible) ?? visible)
    .where(sql<SqlBool>`meetings.id = d.item_id`)
    .select(sql`1`.as('one'))
  let query = matches.where(sql<SqlBool>`exists ${allowed}`)
  if (inMeeting !== undefined) query = query.where(sql<SqlBool>`d.item_id || '' = ${inMeeting}`) // '' keeps the query on the word index
  if (speaker) query = query.where(isSpokenBy(s, 'd.ref', speaker))
  const rows = await query.select(['d.ref', 'd.item_id']).execute()
  const best = rows[0]?.score ?? 1
  const score = (value: number) => (best > 0 ? Math.round((value / best) * 10_000) / 10_000 : 1)
  const lines = rows
    .map((row) => ({
      id: row.ref,
      meeting_id: row.item_id as Id<'meetings'>,
      score: score(row.score),
    }))
    .sort(byScore)
  return { lines, note }
}

/**
 * Filters the refs of transcript lines to those of a speaker. The reader must be able to see their
 * meetings.
 */
export async function refsSpokenBy(
  reader: Viewer,
  refs: readonly string[],
  speaker: SpeakerFilter,
): Promise<ReadonlySet<string>> {
  const s = accessScopeOf(reader)
  const rows = await s.all
    .selectFrom('search_docs as d')
    .select('d.ref')
    .where('d.ref', 'in', refs)
    .where(isSpokenBy(s, 'd.ref', speaker))
    .execute()
  return new Set(rows.map((row) => row.ref))
}

/** The position of a found line. */
export function linePlace({ id }: Pick<FoundLine, 'id'>): LinePlace {
  const [transcript, n] = id.split(':') as [Id<'transcripts'>, string]
  return { transcript_id: transcript, n: Number(n) }
}
