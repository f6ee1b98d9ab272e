import { z } from 'zod'
import { containsText } from '../../../db/text-conditions.ts'
import { pageOf, paging, shortText } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { ReadContext } from '../../../operations/context.ts'
import {
  equals,
  applyFilters,
  filters,
  oneOf,
  resolvedInput,
  since,
  until,
} from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { contact } from '../../contacts/access.ts'
import { person } from '../../directory/access.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { project } from '../../portfolio/access.ts'
import {
  actionItem,
  decision,
  meeting,
  meetingNote,
  meetingParticipant,
  transcript,
} from '../access.ts'
import { ListedMeeting, Meeting, meetingKinds, presentMeetings } from '../shapes.ts'
import { presentMeeting } from './presenter.ts'
import { requireEveryWord } from '../transcripts/words.ts'
import { meetingContainers } from './access-lists.ts'

/** Ids of meetings with one of these participants: people by id, external ones by email address. */
function meetingIdsWith(ctx: ReadContext, addresses: readonly string[]) {
  return meetingParticipant
    .of(ctx, addresses as Id<'users'>[], 'address') // the column holds ids and email addresses
    .where('meeting_people.org_id', '=', ctx.actor.org_id)
    .select('meeting_people.meeting_id')
}

export const meetingFilters = filters('meetings', {
  person: {
    input: person.see.maybe.describe('who takes part'),
    where: (query, id, ctx) => query.where('meetings.id', 'in', meetingIdsWith(ctx, [id])),
  },
  contact: {
    input: resolvedInput(
      contact.see.maybe.describe('who takes part with any of their email addresses'),
      (row) => JSON.parse(row.emails_json) as string[],
    ),
    where: (query, emails, ctx) => query.where('meetings.id', 'in', meetingIdsWith(ctx, emails)),
  },
  project: equals('meetings.project_id', project.see.maybe),
  after: since('meetings.takes_place_at'),
  before: until('meetings.takes_place_at'),
  kind: oneOf('meetings.kind', z.array(z.enum(meetingKinds)).max(5).optional()),
  has_transcript: {
    input: z.boolean().optional(),
    where: (query, wanted, ctx) =>
      query.where(
        'meetings.id',
        wanted ? 'in' : 'not in',
        transcript.visibleTo(ctx).select('transcripts.meeting_id'),
      ),
  },
})

export const listMeetings = operation({
  name: 'list_meetings',
  searchHint: 'past meetings, calls we had, meetings without notes, meetings without transcript',
  kind: 'read',
  rest: 'GET /api/meetings',
  about:
    'Meetings the key owner took part in or may read, past and planned, with what each still lacks',
  on: meetingFilters.on,
  input: {
    ...meetingFilters.input,
    query: shortText(500).optional().describe('words of the title, agenda or notes'),
    ...paging,
  },
  output: pageOf(ListedMeeting),
  async handle({ query, limit, cursor, ...filter }, ctx) {
    const filtered = await applyFilters(ctx, meeting.visibleTo(ctx), meetingFilters, filter)
    let meetingQuery = filtered.selectAll('meetings')
    if (query?.trim()) {
      const ids = await idsMatching(ctx, query)
      meetingQuery = meetingQuery.where((eb) =>
        eb.or([containsText(['meetings.title'], query.trim()), eb('meetings.id', 'in', ids)]),
      )
    }
    const page = await paged(
      meetingQuery,
      [
        { by: 'meetings.takes_place_at', as: 'takes_place_at', dir: 'desc' },
        { by: 'meetings.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentMeetings(ctx, page.items))
  },
})

async function idsMatching(ctx: ReadContext, query: string): Promise<Id<'meetings'>[]> {
  const words = requireEveryWord(query)
  if (words === undefined) return []
  return (
    await itemsWithWords(ctx, words, {
      resource: meeting,
      containers: await meetingContainers(ctx),
    })
  ).map((match) => match.id as Id<'meetings'>)
}

export const getMeeting = operation({
  name: 'get_meeting',
  searchHint: 'minutes, notes of a meeting, what happened in the meeting',
  kind: 'read',
  rest: 'GET /api/meetings/{meeting_id}',
  about: 'One meeting with agenda, notes, decisions and action items',
  on: { meeting: meeting.see },
  output: Meeting,
  async handle({ meeting: row }, ctx) {
    return presentMeeting(ctx, row)
  },
})

export const deleteMeeting = operation({
  name: 'delete_meeting',
  searchHint: 'remove meeting notes, erase a recording',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/meetings/{meeting_id}',
  about: 'Move a meeting with transcript and notes to the trash, or erase only the transcript',
  on: { meeting: meeting.own },
  input: {
    transcript_only: z
      .boolean()
      .optional()
      .describe('permanently erase the transcript; this cannot be undone'),
  },
  dryRun: true,
  output: DeletedRef,
  async handle({ meeting: row, transcript_only }, ctx) {
    const [transcriptRow] = await transcript.of(ctx, [row.id]).selectAll('transcripts').execute()
    const transcriptCounts = transcriptRow ? [{ type: 'transcript', count: 1 }] : []
    if (transcript_only) {
      if (transcriptRow) await ctx.remove('transcripts', transcriptRow)
      const { undo_call_id: _, ...ref } = await deletedRef(
        ctx,
        meeting.ref(row, ctx.baseUrl),
        transcriptRow
          ? [...transcriptCounts, { type: 'transcript_line', count: transcriptRow.line_count }]
          : [],
        { erased: true },
      )
      return ref
    }
    const alsoDeleted = [...transcriptCounts, ...(await partCounts(ctx, row))]
    await ctx.trash('meetings', row)
    return deletedRef(ctx, meeting.ref(row, ctx.baseUrl), alsoDeleted)
  },
})

/** Counts the parts of a meeting that are hidden and restored together with it. */
async function partCounts(
  ctx: ReadContext,
  row: Row<'meetings'>,
): Promise<{ type: string; count: number }[]> {
  const notes = await meetingNote
    .of(ctx, [row.id])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const actions = await actionItem
    .of(ctx, [row.id])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const decisions = await decision
    .visibleTo(ctx)
    .where('decisions.meeting_id', '=', row.id)
    .where('decisions.scope', '=', 'meeting')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const counts = [
    ['meeting_note', notes.count],
    ['action_item', actions.count],
    ['decision', decisions.count],
  ] as const
  return counts.flatMap(([type, count]) => (count > 0 ? [{ type, count }] : []))
}
