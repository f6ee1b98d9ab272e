import { z } from 'zod'
import { markdown, title } from '../../../kernel/fields.ts'
import { defined } from '../../../kernel/present.ts'
import { newMentions } from '../../../kernel/text/mentions.ts'
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
  demandProject,
  fresh,
  whoReads,
  whoTakesPart,
} from './inputs.ts'
import {
  meetingReaders,
  participantsNamed,
  setParticipants,
  notifyVisibilityChange,
} from './participants.ts'
import { entering } from './states.ts'

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
    participants: participantInput().describe(`all of them: ${whoTakesPart}; the organizer stays`),
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
    const readersMayChange =
      named !== undefined || (visibility !== undefined && visibility !== row.visibility)
    const before = readersMayChange ? await meetingReaders(ctx, row) : undefined
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
    if (before) await notifyVisibilityChange(ctx, now, before)
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
