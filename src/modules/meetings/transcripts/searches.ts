import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { shortText } from '../../../kernel/fields.ts'
import { equals, filters, filterFunction, since, until } from '../../../operations/filters.ts'
import { searchItems } from '../../../operations/search/search-items.ts'
import { requireQuery, pageOfHits } from '../../../operations/search/hits.ts'
import {
  searchedByKeyword,
  searchedWith,
  searchInput,
  searchOutput,
  type SearchMode,
} from '../../../operations/search/search-operation.ts'
import type { Scoped } from '../../../records/resource.ts'
import { operation } from '../../../operations/operation.ts'
import { pageWithItems } from '../../../records/paging.ts'
import type { Query } from '../../../search/query.ts'
import { Ref } from '../../../records/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { meetingContainer, meeting } from '../access.ts'
import { meetingContainers } from '../meetings/access-lists.ts'
import { linesMatching, linePlace, saidBy, type FoundLine } from './access-search.ts'
import { linesAround, speakersOf, type SpeakerFilter } from './access.ts'
import { searchableLines } from '../searchable.ts'
import { meetingRef } from '../shapes.ts'
import { personMeant, shownLine, TranscriptLine } from './transcripts.ts'
import type { Id } from '../../../kernel/ids.ts'

const TranscriptHit = shape('TranscriptHit', {
  meeting: Ref,
  ...TranscriptLine.shape,
  context: z.strictObject({ before: z.array(TranscriptLine), after: z.array(TranscriptLine) }),
  score: z.number(),
  trust: z.literal('external'),
})

const meetingFilters = filters('meetings', {
  meeting: equals('meetings.id', meeting.see.maybe),
  project: equals('meetings.project_id', project.see.maybe),
  after: since('meetings.takes_place_at', 'meetings since'),
  before: until('meetings.takes_place_at'),
})

/** Lines shown on either side of a hit. */
const around = 2

export const searchTranscripts = operation({
  name: 'search_transcripts',
  searchHint: 'who said that, what was said in the call, quote, find in recordings',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/transcripts/search',
  about:
    'Search what was said by words, with speaker, minute and surrounding lines; mode=hybrid also by meaning',
  on: meetingFilters.on,
  input: searchInput({
    speaker: shortText(320)
      .optional()
      .describe('id, email or me of a person, or words of the name in the transcript'),
    ...meetingFilters.input,
  }),
  output: searchOutput(TranscriptHit),
  async handle({ query: text, mode, speaker, limit, cursor, ...filter }, ctx) {
    const query = requireQuery(text)
    const personRow = speaker?.trim() ? await personMeant(ctx, speaker.trim()) : undefined
    const by = speaker?.trim() ? speakerFilter(speaker.trim(), personRow?.id) : undefined
    if (mode !== 'keyword') {
      const like = await linesLike(ctx, {
        query,
        mode,
        narrow: await filterFunction(ctx, meetingFilters, filter),
        by,
      })
      const page = pageOfHits(like.lines, { limit, cursor })
      return {
        ...pageWithItems(page, await presentHits(ctx, page.items)),
        searched: searchedWith(like),
      }
    }
    const { meeting } = filter
    const narrow = await filterFunction(ctx, meetingFilters.omit('meeting'), filter)
    const { lines, note } = await linesMatching(
      ctx,
      query.terms,
      meeting ? [meetingContainer(meeting)] : await meetingContainers(ctx),
      { narrow, speaker: by, inMeeting: meeting?.id },
    )
    const page = pageOfHits(lines, { limit, cursor })
    return {
      ...pageWithItems(page, await presentHits(ctx, page.items)),
      searched: searchedByKeyword(note),
    }
  },
})

type Narrow = (meetings: Scoped<'meetings'>) => Scoped<'meetings'>

/** Lines by meaning. A speaker filter applies to the overall nearest. */
async function linesLike(
  ctx: ReadContext,
  {
    query,
    mode,
    narrow,
    by,
  }: { query: Query; mode: SearchMode; narrow: Narrow | undefined; by: SpeakerFilter | undefined },
) {
  const only = narrow && new Map([[searchableLines.kind, narrow]])
  const results = await searchItems(
    ctx,
    omitNullish({
      query,
      mode,
      kinds: [searchableLines],
      each: true,
      only,
    }),
  )
  const speakerLines =
    by &&
    (await saidBy(
      ctx,
      results.hits.map((hit) => hit.ref),
      by,
    ))
  const lines = results.hits
    .filter((hit) => !speakerLines || speakerLines.has(hit.ref))
    .map(
      ({ id, row, score }): FoundLine => ({
        id,
        meeting_id: row.id as FoundLine['meeting_id'],
        score,
      }),
    )
  return { ...results, lines }
}

async function presentHits(
  ctx: ReadContext,
  matches: readonly FoundLine[],
): Promise<z.infer<typeof TranscriptHit>[]> {
  const places = matches.map(linePlace)
  const meetings = await meeting.among(
    ctx,
    matches.map((foundLine) => foundLine.meeting_id),
  )
  const lines = await linesAround(ctx, places, around)
  const speakers = new Map(
    (await speakersOf(ctx, [...new Set(places.map((place) => place.transcript_id))])).map(
      (speaker) => [`${speaker.transcript_id}:${speaker.n}`, speaker.label],
    ),
  )
  return matches.flatMap((foundLine, i) => {
    const { transcript_id: id, n } = places[i]!
    const met = meetings.get(foundLine.meeting_id)
    const at = (offset: number) => {
      const line = lines.get(`${id}:${n + offset}`)
      return line ? [shownLine(line, speakers.get(`${id}:${line.speaker_n}`))] : []
    }
    const [said] = at(0)
    if (!met || !said) return []
    const context = { before: [-2, -1].flatMap(at), after: [1, 2].flatMap(at) }
    return [
      {
        meeting: meetingRef(met),
        ...said,
        context,
        score: foundLine.score,
        trust: 'external' as const,
      },
    ]
  })
}

function speakerFilter(name: string, personId: Id<'users'> | undefined): SpeakerFilter {
  return personId ? { personId } : { name }
}
