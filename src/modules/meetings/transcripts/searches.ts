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
import { matchingLines, linePlace, refsSpokenBy, type FoundLine } from './access-search.ts'
import { linesAround, speakersOf, type SpeakerFilter } from './access.ts'
import { searchableLines } from '../searchable.ts'
import { meetingRef } from '../shapes.ts'
import { speakerPerson, presentLine, TranscriptLine } from './transcripts.ts'
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
const contextLines = 2

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
    const personRow = speaker?.trim() ? await speakerPerson(ctx, speaker.trim()) : undefined
    const speakerWanted = speaker?.trim() ? speakerFilter(speaker.trim(), personRow?.id) : undefined
    if (mode !== 'keyword') {
      const semanticResults = await similarLines(ctx, {
        query,
        mode,
        narrow: await filterFunction(ctx, meetingFilters, filter),
        speaker: speakerWanted,
      })
      const page = pageOfHits(semanticResults.lines, { limit, cursor })
      return {
        ...pageWithItems(page, await presentHits(ctx, page.items)),
        searched: searchedWith(semanticResults),
      }
    }
    const { meeting } = filter
    const narrow = await filterFunction(ctx, meetingFilters.omit('meeting'), filter)
    const { lines, note } = await matchingLines(
      ctx,
      query.terms,
      meeting ? [meetingContainer(meeting)] : await meetingContainers(ctx),
      { narrow, speaker: speakerWanted, inMeeting: meeting?.id },
    )
    const page = pageOfHits(lines, { limit, cursor })
    return {
      ...pageWithItems(page, await presentHits(ctx, page.items)),
      searched: searchedByKeyword(note),
    }
  },
})

type Narrow = (meetings: Scoped<'meetings'>) => Scoped<'meetings'>

/** Lines similar in meaning. The speaker filter is applied to the nearest lines of all speakers. */
async function similarLines(
  ctx: ReadContext,
  {
    query,
    mode,
    narrow,
    speaker,
  }: {
    query: Query
    mode: SearchMode
    narrow: Narrow | undefined
    speaker: SpeakerFilter | undefined
  },
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
    speaker &&
    (await refsSpokenBy(
      ctx,
      results.hits.map((hit) => hit.ref),
      speaker,
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
  const lines = await linesAround(ctx, places, contextLines)
  const speakers = new Map(
    (await speakersOf(ctx, [...new Set(places.map((place) => place.transcript_id))])).map(
      (speaker) => [`${speaker.transcript_id}:${speaker.n}`, speaker.label],
    ),
  )
  return matches.flatMap((foundLine, i) => {
    const { transcript_id: id, n } = places[i]!
    const meetingRow = meetings.get(foundLine.meeting_id)
    const lineAt = (offset: number) => {
      const line = lines.get(`${id}:${n + offset}`)
      return line ? [presentLine(line, speakers.get(`${id}:${line.speaker_n}`))] : []
    }
    const [matchedLine] = lineAt(0)
    if (!meetingRow || !matchedLine) return []
    const context = { before: [-2, -1].flatMap(lineAt), after: [1, 2].flatMap(lineAt) }
    return [
      {
        meeting: meetingRef(meetingRow),
        ...matchedLine,
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
