import { z } from 'zod'
import { datetime, markdown, title } from '../../../kernel/fields.ts'
import { omitUndefined } from '../../../kernel/present.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import { newMentions } from '../../../kernel/text/mentions.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { meeting } from '../access.ts'
import { Meeting, meetingStates, visibilities } from '../shapes.ts'
import { agendaFrom, agendaOf } from './agenda.ts'
import {
  participantInput,
  agendaLines,
  requireProject,
  presentUpdated,
  visibilityHelp,
  participantsHelp,
} from './inputs.ts'
import {
  meetingReaders,
  resolveParticipants,
  setParticipants,
  notifyVisibilityChange,
} from './participants.ts'
import { stateTransition } from './states.ts'

export const updateMeeting = operation({
  name: 'update_meeting',
  searchHint: 'edit the agenda, change participants, rename, move or reschedule a meeting',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/meetings/{meeting_id}',
  about: 'Change time, title, agenda, notes, participants, visibility or state of a meeting',
  on: { meeting: meeting.edit },
  input: {
    title: title().optional(),
    starts_at: datetime().optional().describe('without ends_at it keeps its length'),
    ends_at: datetime().optional(),
    agenda: agendaLines(),
    notes_markdown: markdown().nullable().optional(),
    participants: participantInput().describe(
      `all of them: ${participantsHelp}; the organizer stays`,
    ),
    status: z
      .enum(meetingStates)
      .optional()
      .describe('planned, then live, then ended; an ended one may resume within a day'),
    visibility: z.enum(visibilities).optional().describe(visibilityHelp),
  },
  argumentHints: {
    note: 'add_meeting_note',
    action_items: 'add_action_items',
    decisions: 'record_decision',
  },
  revision: 'meeting',
  output: Meeting,
  async handle(
    {
      meeting: row,
      title,
      starts_at,
      ends_at,
      agenda,
      notes_markdown,
      participants,
      status,
      visibility,
    },
    ctx,
  ) {
    const times = rescheduledTimes(ctx, row, starts_at, ends_at)
    if (visibility !== undefined) requireProject(visibility, row.project_id)
    const participantInputs = participants && (await resolveParticipants(ctx, participants))
    const readersMayChange =
      participantInputs !== undefined || (visibility !== undefined && visibility !== row.visibility)
    const before = readersMayChange ? await meetingReaders(ctx, row) : undefined
    const now = await ctx.change(
      'meetings',
      row,
      omitUndefined({
        title: title === undefined ? undefined : title.trim(),
        ...times,
        agenda_json:
          agenda === undefined ? undefined : JSON.stringify(agendaFrom(agenda, agendaOf(row))),
        notes_markdown,
        visibility,
        ...stateAfter({ ...row, ...times }, status, ctx.now),
      }),
    )
    if (status === 'ended' && row.status !== 'ended') ctx.event('meeting.ended', 'meetings', now)
    if (participantInputs) await setParticipants(ctx, now, participantInputs)
    if (before) await notifyVisibilityChange(ctx, now, before)
    if (notes_markdown) await notifyMentioned(ctx, now, notes_markdown, row.notes_markdown ?? '')
    return presentUpdated(ctx, now)
  },
})

function stateAfter(
  row: Row<'meetings'>,
  status: Row<'meetings'>['status'] | undefined,
  now: number,
): Partial<Row<'meetings'>> {
  if (status === undefined) return {}
  return {
    ...stateTransition(row, status, now),
    ...(status === 'planned' ? {} : { cancelled_at: null }),
  }
}

/**
 * New times of a rescheduled meeting; without a new end, it keeps its length.
 * @throws Refusal conflict for a meeting that has begun or that follows an event
 */
function rescheduledTimes(
  ctx: WriteContext,
  row: Row<'meetings'>,
  starts_at: string | undefined,
  ends_at: string | undefined,
): Partial<Pick<Row<'meetings'>, 'starts_at' | 'ends_at' | 'takes_place_at'>> {
  if (starts_at === undefined && ends_at === undefined) return {}
  const field = starts_at === undefined ? 'ends_at' : 'starts_at'
  if (row.event_id !== null && row.cancelled_at === null)
    throw new Refusal('conflict', `${field}: this meeting follows its event.`, {
      field,
      hint: 'Move the event with update_event; the meeting follows it.',
      context: { event_id: row.event_id },
    })
  if (row.status !== 'planned')
    throw new Refusal('conflict', `${field}: only a planned meeting can be moved.`, {
      field,
      context: { status: row.status },
    })
  const timezone = ctx.actor.timezone
  const startsAt =
    starts_at === undefined
      ? row.starts_at
      : parseInstant(starts_at, timezone, 'start', 'starts_at')
  const length =
    row.starts_at === null || row.ends_at === null ? undefined : row.ends_at - row.starts_at
  const moved = startsAt === null || length === undefined ? row.ends_at : startsAt + length
  const endsAt = ends_at === undefined ? moved : parseInstant(ends_at, timezone, 'end', 'ends_at')
  if (startsAt !== null && endsAt !== null && endsAt < startsAt)
    throw invalid('ends_at', 'the meeting would end before it starts.')
  return {
    starts_at: startsAt,
    ends_at: endsAt,
    takes_place_at: startsAt ?? endsAt ?? row.takes_place_at,
  }
}

/** Notifies people newly mentioned in a text. */
export async function notifyMentioned(
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
