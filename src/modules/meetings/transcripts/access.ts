// Transcript text is read and written only here. Its rows have no change records and no activity, so erasing them leaves
// nothing behind.
import { CompiledQuery, sql, type SqlBool } from 'kysely'
import { chunks } from '../../../kernel/chunks.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { containsText } from '../../../db/text-conditions.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { SearchLine } from '../../../records/search-text.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { SearchIndex } from '../../../search/index.ts'

type Transcript = Row<'transcripts'>

/** A stored line; its speaker is a number. */
export interface StoredLine {
  n: number
  at_second: number | null
  speaker_n: number
  text: string
}

export interface StoredSpeaker {
  label: string
  person_id: Id<'users'> | null
}

/** Speaker filter for transcript lines: a person, or words in the speaker's name. */
export interface SpeakerFilter {
  personId?: Id<'users'> | undefined
  name?: string | undefined
}

const rowsPerInsert = 400

/** Stores a new transcript's lines and adds them to the search index. */
export async function storeLines(
  ctx: WriteContext,
  transcript: Transcript,
  container: string,
  speakers: readonly StoredSpeaker[],
  lines: readonly StoredLine[],
): Promise<void> {
  const s = accessScopeOf(ctx)
  await insert(
    s,
    'transcript_speakers (transcript_id, n, org_id, label, person_id)',
    speakers.map((speaker, n) => [
      transcript.id,
      n,
      transcript.org_id,
      speaker.label,
      speaker.person_id,
    ]),
  )
  await insert(
    s,
    'transcript_lines (transcript_id, n, org_id, at_second, speaker_n, text)',
    lines.map((line) => [
      transcript.id,
      line.n,
      transcript.org_id,
      line.at_second,
      line.speaker_n,
      line.text,
    ]),
  )
  await new SearchIndex().addAll(
    s.all,
    transcript.org_id,
    searchLines(transcript, container, lines),
  )
}

async function insert(
  { all }: AccessScope,
  into: string,
  rows: readonly unknown[][],
): Promise<void> {
  for (const batch of chunks(rows, rowsPerInsert)) {
    const placeholders = batch.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ')
    await all.executeQuery(
      CompiledQuery.raw(`insert into ${into} values ${placeholders}`, batch.flat()),
    )
  }
}

function searchLines(
  transcript: Transcript,
  container: string,
  lines: readonly StoredLine[],
): SearchLine[] {
  return lines.map(({ n, text }) => ({
    ref: `${transcript.id}:${n}`,
    title: '',
    body: text,
    container,
    part: 'item',
    item_id: transcript.meeting_id,
    item_type: 'transcript',
    at: transcript.created_at,
  }))
}

/** A transcript's lines as search index texts. */
export async function textsOfTranscript(
  scope: AccessScope,
  transcriptRow: Transcript,
  container: string,
): Promise<SearchLine[]> {
  return searchLines(
    transcriptRow,
    container,
    await scope.all
      .selectFrom('transcript_lines')
      .select(['n', 'at_second', 'speaker_n', 'text'])
      .where('transcript_id', '=', transcriptRow.id)
      .orderBy('n')
      .execute(),
  )
}

export async function speakersOf(
  viewer: Viewer,
  ids: readonly Id<'transcripts'>[],
): Promise<Row<'transcript_speakers'>[]> {
  if (ids.length === 0) return []
  return accessScopeOf(viewer)
    .all.selectFrom('transcript_speakers')
    .selectAll()
    .where('transcript_id', 'in', ids)
    .orderBy('transcript_id')
    .orderBy('n')
    .execute()
}

/** Lines of a visible transcript after a line. */
export async function transcriptLines(
  reader: Viewer,
  transcript: Transcript,
  {
    after,
    fromSecond,
    toSecond,
    speakers,
    limit,
  }: {
    after: number
    fromSecond?: number | undefined
    toSecond?: number | undefined
    speakers?: readonly number[] | undefined
    limit: number
  },
): Promise<StoredLine[]> {
  let query = accessScopeOf(reader)
    .all.selectFrom('transcript_lines')
    .select(['n', 'at_second', 'speaker_n', 'text'])
    .where('transcript_id', '=', transcript.id)
    .where('n', '>', after)
  if (fromSecond !== undefined) query = query.where('at_second', '>=', fromSecond)
  if (toSecond !== undefined) query = query.where('at_second', '<=', toSecond)
  if (speakers) query = query.where('speaker_n', 'in', speakers)
  return query.orderBy('n').limit(limit).execute()
}

/** A position in a transcript. */
export interface LinePlace {
  transcript_id: Id<'transcripts'>
  n: number
}

/** Lines at some positions with their neighbours, by transcript and number. The transcripts are already visible. */
export async function linesAround(
  viewer: Viewer,
  places: readonly LinePlace[],
  neighbours: number,
): Promise<Map<string, StoredLine>> {
  if (places.length === 0) return new Map()
  const wanted = places.flatMap(({ transcript_id, n }) =>
    Array.from(
      { length: 2 * neighbours + 1 },
      (_, i) => [transcript_id, n - neighbours + i] as const,
    ),
  )
  const values = sql.join(wanted.map(([id, n]) => sql`(${id}, cast(${n} as bigint))`))
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('transcript_lines')
    .select(['transcript_id', 'n', 'at_second', 'speaker_n', 'text'])
    .where(sql<SqlBool>`(transcript_id, n) in (values ${values})`)
    .execute()
  return new Map(rows.map((row) => [`${row.transcript_id}:${row.n}`, row]))
}

/** Whether an indexed line is by a matching speaker. `ref`: the column that identifies the line. */
export function isSpokenBy(scope: AccessScope, ref: string, { personId, name }: SpeakerFilter) {
  let query = scope.all
    .selectFrom('transcript_lines as l')
    .innerJoin('transcript_speakers as sp', (join) =>
      join.onRef('sp.transcript_id', '=', 'l.transcript_id').onRef('sp.n', '=', 'l.speaker_n'),
    )
    .where(
      sql<SqlBool>`l.transcript_id = substr(${sql.ref(ref)}, 1, 30) and l.n = cast(substr(${sql.ref(ref)}, 32) as integer)`,
    )
    .select('l.n')
  if (personId !== undefined) query = query.where('sp.person_id', '=', personId)
  if (name !== undefined) query = query.where(containsText(['sp.label'], name))
  return sql<SqlBool>`exists ${query}`
}
