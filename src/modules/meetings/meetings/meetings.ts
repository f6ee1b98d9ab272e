import { defined, present } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import type { Id } from '../../../kernel/ids.ts'
import { anyItem, type AnyItem } from '../../../records/items.ts'
import { newMentions, unresolvedMentions } from '../../../kernel/text/mentions.ts'
import {
  equals,
  filtered,
  filters,
  oneOf,
  reading,
  since,
  until,
} from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, shown } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { instant } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { gatheringOf, type Gathering } from '../../calendar/access.ts'
import { contact } from '../../contacts/access.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { actionItem, decision, meeting, meetingNote, meetingPerson, transcript } from '../access.ts'
import { meetingContainers } from './access-lists.ts'
import { agendaFrom, agendaOf } from './agenda.ts'
import {
  addParticipants,
  mostParticipants,
  participantsNamed,
  type ParticipantInput,
  meetingReaders,
  setParticipants,
  tellSight,
} from './participants.ts'
import {
  ListedMeeting,
  Meeting,
  meetingKinds,
  meetingStates,
  showMeeting,
  showMeetings,
  visibilities,
} from '../shapes.ts'
import { entering, stateAtStart } from './states.ts'
import { everyWordOf } from '../transcripts/words.ts'

const agendaLines = () =>
  z
    .array(shortText(1000))
    .max(100)
    .optional()
    .describe(
      'one point per line; "[x] " marks it as done, "[ ] " as open; unmarked, it stays unchanged',
    )
const addresses = () => z.array(z.string().min(1).max(400)).max(mostParticipants).optional()
const whoTakesPart =
  'ids, me, names or email addresses of people; "Name <address>" for external people'
const whoReads =
  'who can read it besides the participants: no one, the members of its project, or the whole organization'

/** Meetings in which one of these takes part: people by their ids, others by their addresses. */
function attendedBy(ctx: ReadContext, addresses: readonly string[]) {
  return meetingPerson
    .of(ctx, addresses as never[], 'address')
    .where('meeting_people.org_id', '=', ctx.actor.org_id)
    .select('meeting_people.meeting_id')
}

const meetingFilters = filters('meetings', {
  person: {
    input: person.see.maybe.describe('who takes part'),
    where: (found, id, ctx) => found.where('meetings.id', 'in', attendedBy(ctx, [id])),
  },
  contact: {
    input: reading(
      contact.see.maybe.describe('who takes part with any of their email addresses'),
      (row) => JSON.parse(row.emails_json) as string[],
    ),
    where: (found, emails, ctx) => found.where('meetings.id', 'in', attendedBy(ctx, emails)),
  },
  project: equals('meetings.project_id', project.see.maybe),
  after: since('meetings.takes_place_at'),
  before: until('meetings.takes_place_at'),
  kind: oneOf('meetings.kind', z.array(z.enum(meetingKinds)).max(5).optional()),
  has_transcript: {
    input: z.boolean().optional(),
    where: (found, wanted, ctx) =>
      found.where(
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
    const seen = await filtered(ctx, meeting.visibleTo(ctx), meetingFilters, filter)
    let found = seen.selectAll('meetings')
    if (query?.trim()) {
      const ids = await idsMatching(ctx, query)
      found = found.where((eb) =>
        eb.or([containsText(['meetings.title'], query.trim()), eb('meetings.id', 'in', ids)]),
      )
    }
    const page = await paged(
      found,
      [
        { by: 'meetings.takes_place_at', as: 'takes_place_at', dir: 'desc' },
        { by: 'meetings.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return shown(page, await showMeetings(ctx, page.items))
  },
})

async function idsMatching(ctx: ReadContext, query: string): Promise<Id<'meetings'>[]> {
  const words = everyWordOf(query)
  if (words === undefined) return []
  return (
    await itemsWithWords(ctx, words, {
      resource: meeting,
      containers: await meetingContainers(ctx),
    })
  ).map((itemsWithWord) => itemsWithWord.id as Id<'meetings'>)
}

/** An item of a kind that another module brings along. */
function demandKind(item: AnyItem | undefined, type: string, field: string, why: string): void {
  if (item && item.resource.definition.type !== type)
    throw new Refusal('not_found', `${field}: there is no such ${type}; ${why}.`, { field })
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
    return showMeeting(ctx, row)
  },
})

export const createMeeting = operation({
  name: 'create_meeting',
  searchHint: 'minutes, record of a meeting, start taking notes, set an agenda',
  kind: 'write',
  rest: 'POST /api/meetings',
  about:
    'Start a meeting record with an agenda; for a calendar event, it takes its title, time and people and follows it; use create_event for a time in the calendar',
  on: { event: anyItem.see.maybe.named('event_id'), project: project.edit.maybe },
  input: {
    title: title().optional().describe('required without event_id'),
    starts_at: datetime().optional(),
    ends_at: datetime()
      .optional()
      .describe('a past time makes it the record of a meeting that is over'),
    participants: addresses().describe(
      `${whoTakesPart}; you take part; default: those of the event`,
    ),
    agenda: agendaLines(),
    kind: z.enum(meetingKinds).default('meeting'),
    visibility: z.enum(visibilities).default('participants').describe(whoReads),
  },
  output: Meeting,
  async handle(
    { event, project: of, title, starts_at, ends_at, participants, agenda = [], kind, visibility },
    ctx,
  ) {
    demandKind(event, 'event', 'event_id', 'list_events shows yours')
    demandProject(visibility, of?.id ?? null)
    const from = event && (await demandGathering(ctx, event.row as Row<'events'>))
    const name = title?.trim() || from?.title
    if (!name)
      throw invalid(
        'title',
        'a meeting needs a title.',
        from ? 'The event has none.' : 'Send one, or the event_id of an event that has a title.',
      )
    const { starts, ends } = timesFor(ctx, from, starts_at, ends_at)
    const named = participants ? await participantsNamed(ctx, participants) : []
    const self = await person.demand(ctx, ctx.actor.id, 'see', 'participants')
    const gathered = from && !participants ? await peopleOf(ctx, from) : undefined
    const organizer = gathered?.organizer ?? self
    const row = await ctx.add('meetings', {
      title: name,
      kind,
      ...stateAtStart(ends, ctx.now),
      event_id: from?.event_id ?? null,
      event_uid: from?.uid ?? null,
      cancelled_at: from?.isCancelled ? ctx.now : null,
      project_id: of?.id ?? null,
      organizer_id: organizer.id,
      visibility,
      starts_at: starts,
      ends_at: ends,
      takes_place_at: starts ?? ends ?? ctx.now,
      agenda_json: JSON.stringify(agendaFrom(agenda)),
    })
    await addParticipants(
      ctx,
      row,
      organizer,
      gathered ? [{ person: self }, ...gathered.people] : named,
    )
    return fresh(ctx, row)
  },
})

/** What a meeting of an event takes over from it. @throws Refusal conflict where the event cannot be read */
async function demandGathering(ctx: ReadContext, given: Row<'events'>): Promise<Gathering> {
  const from = await gatheringOf(ctx, given)
  if (!from)
    throw new Refusal(
      'conflict',
      'event_id: you cannot read this event, or it has no such occurrence.',
      { field: 'event_id', hint: 'list_events shows yours.' },
    )
  return from
}

/** The times sent, else those of the event; an end that was not sent keeps to a start that was, as far as it lies after it. */
function timesFor(
  ctx: ReadContext,
  from: Gathering | undefined,
  starts_at: string | undefined,
  ends_at: string | undefined,
): { starts: number | null; ends: number | null } {
  const starts =
    starts_at === undefined
      ? (from?.starts_at ?? null)
      : instant(starts_at, ctx.actor.timezone, 'start', 'starts_at')
  const given =
    ends_at === undefined
      ? (from?.ends_at ?? null)
      : instant(ends_at, ctx.actor.timezone, 'end', 'ends_at')
  const isUnfit = starts !== null && given !== null && given < starts
  if (isUnfit && ends_at !== undefined)
    throw invalid('ends_at', 'the meeting would end before it starts.')
  return { starts, ends: isUnfit ? null : given }
}

/** Those whom an event names, as participants; its organizer where that is a colleague. */
async function peopleOf(
  ctx: ReadContext,
  from: Gathering,
): Promise<{ organizer: Row<'users'> | undefined; people: ParticipantInput[] }> {
  const rows = await person.among(
    ctx,
    from.people.flatMap((party) => party.person_id ?? []),
  )
  const people = from.people.slice(0, mostParticipants).flatMap((party): ParticipantInput[] => {
    const known = party.person_id === null ? undefined : rows.get(party.person_id)
    if (known) return [{ person: known }]
    return party.email === null ? [] : [present({ email: party.email, name: party.name })]
  })
  return { organizer: rows.get(from.organizer?.person_id ?? ''), people }
}

function demandProject(visibility: Row<'meetings'>['visibility'], projectId: string | null): void {
  if (visibility === 'project' && projectId === null)
    throw invalid(
      'visibility',
      'this meeting does not belong to a project.',
      'Use participants or organization.',
    )
}

export const updateMeeting = operation({
  name: 'update_meeting',
  searchHint: 'edit the agenda, change participants, rename a meeting',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/meetings/{meeting_id}',
  about: 'Change title, agenda, notes, participants, visibility or state of a meeting',
  on: { meeting: meeting.edit },
  input: {
    title: title().optional(),
    agenda: agendaLines(),
    notes_markdown: markdown().nullable().optional(),
    participants: addresses().describe(`all of them: ${whoTakesPart}; the organizer stays`),
    status: z
      .enum(meetingStates)
      .optional()
      .describe('planned, then live, then ended; an ended one may resume within a day'),
    visibility: z.enum(visibilities).optional().describe(whoReads),
  },
  argumentHints: {
    starts_at: 'create_meeting',
    note: 'add_meeting_note',
    action_items: 'add_action_items',
    decisions: 'record_decision',
  },
  revision: 'meeting',
  output: Meeting,
  async handle(
    { meeting: row, title, agenda, notes_markdown, participants, status, visibility },
    ctx,
  ) {
    if (visibility !== undefined) demandProject(visibility, row.project_id)
    const named = participants && (await participantsNamed(ctx, participants))
    const sighted =
      named !== undefined || (visibility !== undefined && visibility !== row.visibility)
    const before = sighted ? await meetingReaders(ctx, row) : undefined
    const now = await ctx.change(
      'meetings',
      row,
      defined({
        title: title === undefined ? undefined : title.trim(),
        agenda_json:
          agenda === undefined ? undefined : JSON.stringify(agendaFrom(agenda, agendaOf(row))),
        notes_markdown,
        visibility,
        ...(status === undefined
          ? {}
          : defined({
              ...entering(row, status, ctx.now),
              cancelled_at: status === 'planned' ? undefined : null,
            })),
      }),
    )
    if (status === 'ended' && row.status !== 'ended') ctx.event('meeting.ended', 'meetings', now)
    if (named) await setParticipants(ctx, now, named)
    if (before) await tellSight(ctx, now, before)
    if (notes_markdown) await tellMentioned(ctx, now, notes_markdown, row.notes_markdown ?? '')
    return fresh(ctx, now)
  },
})

/** Tells those who are mentioned in a text, and were not in the one before. */
export async function tellMentioned(
  ctx: WriteContext,
  row: Row<'meetings'>,
  text: string,
  before = '',
): Promise<void> {
  if (!text.includes('@')) return
  const people = [
    ...(await person.among(ctx, [...(await meetingReaders(ctx, row))])).values(),
  ].filter((item) => item.status === 'active')
  ctx.notify(
    'mention',
    newMentions(ctx, text, people, before),
    'meetings',
    row,
    `${ctx.actor.display_name} mentioned you in the notes of a meeting`,
  )
}

/** The answer to whoever changed it, also where they do not take part any more. */
async function fresh(ctx: WriteContext, row: Row<'meetings'>) {
  return {
    ...(await showMeeting(ctx, (await meeting.find(ctx, row.id)) ?? row)),
    ...unresolvedMentions(ctx),
  }
}

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
    const [kept] = await transcript.of(ctx, [row.id]).selectAll('transcripts').execute()
    const said = kept ? [{ type: 'transcript', count: 1 }] : []
    if (transcript_only) {
      if (kept) await ctx.remove('transcripts', kept)
      const { undo_call_id: _, ...ref } = await deletedRef(
        ctx,
        meeting.ref(row, ctx.baseUrl),
        kept ? [...said, { type: 'transcript_line', count: kept.line_count }] : [],
        { erased: true },
      )
      return ref
    }
    const along = [...said, ...(await partCounts(ctx, row))]
    await ctx.trash('meetings', row)
    return deletedRef(ctx, meeting.ref(row, ctx.baseUrl), along)
  },
})

/** What is out of sight with a meeting, and comes back with it. */
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
