import { z } from 'zod'
import { datetime, title } from '../../../kernel/fields.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { anyItem } from '../../../records/items.ts'
import type { Row } from '../../../records/resource.ts'
import { type MeetingSource, meetingSourceOf } from '../../calendar/access.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { Meeting, meetingKinds, visibilities } from '../shapes.ts'
import { agendaFrom } from './agenda.ts'
import {
  participantInput,
  agendaLines,
  requireItemType,
  requireProject,
  presentUpdated,
  visibilityHelp,
  participantsHelp,
} from './inputs.ts'
import {
  type ParticipantInput,
  addParticipants,
  maxParticipants,
  resolveParticipants,
} from './participants.ts'
import { stateAtStart } from './states.ts'

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
    participants: participantInput().describe(
      `${participantsHelp}; you take part; default: those of the event`,
    ),
    agenda: agendaLines(),
    kind: z.enum(meetingKinds).default('meeting'),
    visibility: z.enum(visibilities).default('participants').describe(visibilityHelp),
  },
  output: Meeting,
  async handle(
    { event, project, title, starts_at, ends_at, participants, agenda = [], kind, visibility },
    ctx,
  ) {
    requireItemType(event, 'event', 'event_id', 'list_events shows yours')
    requireProject(visibility, project?.id ?? null)
    const gathering = event && (await requireMeetingSource(ctx, event.row as Row<'events'>))
    const name = title?.trim() || gathering?.title
    if (!name)
      throw invalid(
        'title',
        'a meeting needs a title.',
        gathering
          ? 'The event has none.'
          : 'Send one, or the event_id of an event that has a title.',
      )
    const { startsAt, endsAt } = resolveTimes(ctx, gathering, starts_at, ends_at)
    const participantInputs = participants ? await resolveParticipants(ctx, participants) : []
    const self = await person.demand(ctx, ctx.actor.id, 'see', 'participants')
    const fromEvent =
      gathering && !participants ? await eventParticipants(ctx, gathering) : undefined
    const organizer = fromEvent?.organizer ?? self
    const row = await ctx.add('meetings', {
      title: name,
      kind,
      ...stateAtStart(endsAt, ctx.now),
      event_id: gathering?.event_id ?? null,
      event_uid: gathering?.uid ?? null,
      cancelled_at: gathering?.isCancelled ? ctx.now : null,
      project_id: project?.id ?? null,
      organizer_id: organizer.id,
      visibility,
      starts_at: startsAt,
      ends_at: endsAt,
      takes_place_at: startsAt ?? endsAt ?? ctx.now,
      agenda_json: JSON.stringify(agendaFrom(agenda)),
    })
    await addParticipants(
      ctx,
      row,
      organizer,
      fromEvent ? [{ person: self }, ...fromEvent.people] : participantInputs,
    )
    return presentUpdated(ctx, row)
  },
})

/** Data that a meeting copies from its event. @throws Refusal conflict if the event cannot be read */
async function requireMeetingSource(
  ctx: ReadContext,
  eventRow: Row<'events'>,
): Promise<MeetingSource> {
  const gathering = await meetingSourceOf(ctx, eventRow)
  if (!gathering)
    throw new Refusal(
      'conflict',
      'event_id: you cannot read this event, or it has no such occurrence.',
      { field: 'event_id', hint: 'list_events shows yours.' },
    )
  return gathering
}

/** The times of the input, or of the event; if only the start is sent, the event's end applies if it is later. */
function resolveTimes(
  ctx: ReadContext,
  from: MeetingSource | undefined,
  starts_at: string | undefined,
  ends_at: string | undefined,
): { startsAt: number | null; endsAt: number | null } {
  const startsAt =
    starts_at === undefined
      ? (from?.starts_at ?? null)
      : parseInstant(starts_at, ctx.actor.timezone, 'start', 'starts_at')
  const endTime =
    ends_at === undefined
      ? (from?.ends_at ?? null)
      : parseInstant(ends_at, ctx.actor.timezone, 'end', 'ends_at')
  const endsBeforeStart = startsAt !== null && endTime !== null && endTime < startsAt
  if (endsBeforeStart && ends_at !== undefined)
    throw invalid('ends_at', 'the meeting would end before it starts.')
  return { startsAt, endsAt: endsBeforeStart ? null : endTime }
}

/** Participants taken from an event: its attendees, and its organizer if that is a colleague. */
async function eventParticipants(
  ctx: ReadContext,
  from: MeetingSource,
): Promise<{ organizer: Row<'users'> | undefined; people: ParticipantInput[] }> {
  const rows = await person.among(
    ctx,
    from.people.flatMap((party) => party.person_id ?? []),
  )
  const people = from.people.slice(0, maxParticipants).flatMap((party): ParticipantInput[] => {
    const personRow = party.person_id === null ? undefined : rows.get(party.person_id)
    if (personRow) return [{ person: personRow }]
    return party.email === null ? [] : [omitNullish({ email: party.email, name: party.name })]
  })
  return { organizer: rows.get(from.organizer?.person_id ?? ''), people }
}
