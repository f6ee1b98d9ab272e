import { z } from 'zod'
import { datetimeString, day, unresolvedMentionsField } from '../../kernel/fields.ts'
import { type Id, prefixOf } from '../../kernel/ids.ts'
import { omitNullish } from '../../kernel/present.ts'
import { shape } from '../../kernel/shape.ts'
import { iso, localIso } from '../../kernel/time/times.ts'
import type { ReadContext } from '../../operations/context.ts'
import { type Row, resourceByPrefix } from '../../records/resource.ts'
import { Address, Ref, common, commonOf, trust, trustOf } from '../../records/shapes.ts'
import { eventsOfMeetings } from '../calendar/access.ts'
import { contactsByEmail } from '../contacts/access.ts'
import { contactRef } from '../contacts/shapes.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { meeting, meetingParticipant } from './access.ts'
import { meetingCounts, ownMeetings } from './meetings/access-lists.ts'
import { agendaOf } from './meetings/agenda.ts'

export const meetingKinds = ['meeting', 'one_on_one', 'standup', 'pulse', 'customer'] as const
export const meetingStates = ['planned', 'live', 'ended'] as const
export const visibilities = ['participants', 'project', 'organization'] as const
export const actionStates = ['open', 'task_created', 'done', 'dropped'] as const

export const MeetingNote = shape('MeetingNote', {
  ...common,
  meeting: Ref,
  body_markdown: z.string(),
  at_second: z.int().optional(),
  author: Ref,
  unresolved_mentions: unresolvedMentionsField(),
})

export const Decision = shape('Decision', {
  ...common,
  title: z.string(),
  decision_markdown: z.string(),
  alternatives: z.array(z.string()),
  decided_by: z.array(Ref),
  decided_at: datetimeString(),
  meeting: Ref.optional(),
  project: Ref.optional(),
  status: z.enum(['accepted', 'superseded']),
  supersedes: Ref.optional(),
  superseded_by: Ref.optional(),
})

export const ActionItem = shape('ActionItem', {
  ...common,
  meeting: Ref,
  text: z.string(),
  owner: Address.optional(),
  due_on: day().optional(),
  quote: z.string().optional(),
  at_second: z.int().optional(),
  status: z.enum(actionStates).describe('follows the task made from it'),
  task: Ref.optional(),
})

/** A meeting in lists. */
export const ListedMeeting = shape('ListedMeeting', {
  ...common,
  title: z.string(),
  trust,
  kind: z.enum(meetingKinds),
  status: z.enum(meetingStates),
  event: Ref.optional(),
  cancelled: z.boolean().optional().describe('its event is cancelled or gone'),
  starts_at: datetimeString().optional(),
  ends_at: datetimeString().optional(),
  starts_local: z.string().optional(),
  ends_local: z.string().optional(),
  timezone: z.string().describe('your time zone, in which the local times are'),
  participants: z.array(Address).describe('including the organizer'),
  organizer: Ref,
  agenda: z.array(z.strictObject({ text: z.string(), done: z.boolean() })),
  transcript: z.strictObject({
    exists: z.boolean(),
    minutes: z.int().optional(),
    language: z.string().optional(),
  }),
  project: Ref.optional(),
  pulse: Ref.optional(),
  visibility: z.enum(visibilities),
  missing: z
    .array(z.enum(['notes', 'transcript', 'owners', 'tasks']))
    .describe('notes and transcript: of a past meeting; owners, tasks: of open action items'),
})

export const Meeting = ListedMeeting.extend({
  notes_markdown: z.string().optional(),
  unresolved_mentions: unresolvedMentionsField(),
  notes: z.array(MeetingNote),
  decisions: z.array(Decision),
  action_items: z.array(ActionItem),
})

export type ListedMeetingShape = z.infer<typeof ListedMeeting>
export type ActionItemShape = z.infer<typeof ActionItem>
export type DecisionShape = z.infer<typeof Decision>

export function meetingRef(row: Pick<Row<'meetings'>, 'id' | 'title'>): Ref {
  return { id: row.id, title: row.title }
}

/** Meetings for lists, with a fixed number of queries. The rows are already visible. */
export async function presentMeetings(
  ctx: ReadContext,
  rows: readonly Row<'meetings'>[],
): Promise<ListedMeetingShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const participants = await participantRows(ctx, ids)
  const people = await person.among(ctx, [
    ...rows.flatMap((row) => [row.created_by, row.organizer_id]),
    ...participants.flatMap((item) => item.person_id ?? []),
  ])
  const refs = new Map(
    [...people].map(([id, row]): [string, Ref] => [id, { id, title: row.display_name }]),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  const pulseRefs = await linkedRefs(
    ctx,
    rows.map((row) => row.pulse_id),
  )
  const events = await eventsOfMeetings(ctx, rows)
  const countsByMeeting = await meetingCounts(ctx, ids)
  const contacts = await contactsByEmail(
    ctx,
    participants.flatMap((item) => item.email ?? []),
  )
  const byMeeting = Map.groupBy(participants, (item) => item.meeting_id)
  return rows.map((row) => {
    const counts = countsByMeeting.get(row.id)
    const projectRow = row.project_id === null ? undefined : projects.get(row.project_id)
    return omitNullish({
      ...commonOf(row, meeting.url(row, ctx.baseUrl), refs),
      title: row.title,
      ...trustOf(events.get(row.id)?.trust === 'external'),
      kind: row.kind,
      status: row.status,
      ...refIn('event', events, row.event_id === null ? null : row.id),
      cancelled: row.cancelled_at === null ? undefined : true,
      ...meetingTimesOf(row, ctx.actor.timezone),
      participants: (byMeeting.get(row.id) ?? []).map((item) =>
        meetingAddressOf(item, people, contacts),
      ),
      organizer: refs.get(row.organizer_id) ?? { id: row.organizer_id, title: '' },
      agenda: agendaOf(row),
      transcript: transcriptState(counts),
      project: projectRow
        ? { id: projectRow.id, title: projectRow.name, key: projectRow.key }
        : undefined,
      ...refIn('pulse', pulseRefs, row.pulse_id),
      visibility: row.visibility,
      missing: missingOf(row, counts),
    })
  })
}

function participantRows(ctx: ReadContext, ids: readonly Row<'meetings'>['id'][]) {
  return meetingParticipant
    .of(ctx, ids)
    .selectAll('meeting_people')
    .orderBy('meeting_people.position')
    .orderBy('meeting_people.address')
    .execute()
}

function transcriptState(
  counts: { language: string | null; seconds: number | null } | undefined,
): ListedMeetingShape['transcript'] {
  if (counts?.language == null) return { exists: false }
  return { exists: true, minutes: Math.ceil((counts.seconds ?? 0) / 60), language: counts.language }
}

/** References to items of other modules, by id, as far as visible. */
async function linkedRefs(
  ctx: ReadContext,
  ids: readonly (string | null)[],
): Promise<Map<string, Ref>> {
  const refsById = new Map<string, Ref>()
  for (const [prefix, idsOfType] of Map.groupBy(
    ids.filter((id) => id !== null),
    (id) => prefixOf(id.slice(0, 30)),
  )) {
    const resource = resourceByPrefix(prefix)
    for (const [id, row] of (await resource?.among(ctx, idsOfType)) ?? [])
      refsById.set(id, { id, title: resource!.definition.title(row) })
  }
  return refsById
}

function refIn<N extends string>(
  name: N,
  refs: Map<string, Ref>,
  id: string | null,
): { [K in N]?: Ref } {
  const ref = id === null ? undefined : refs.get(id)
  return (ref ? { [name]: ref } : {}) as { [K in N]?: Ref }
}

function meetingTimesOf({ starts_at, ends_at }: Row<'meetings'>, zone: string) {
  return {
    ...(starts_at === null
      ? {}
      : { starts_at: iso(starts_at), starts_local: localIso(starts_at, zone) }),
    ...(ends_at === null ? {} : { ends_at: iso(ends_at), ends_local: localIso(ends_at, zone) }),
    timezone: zone,
  }
}

type Person = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

export function meetingAddressOf(
  item: Pick<Row<'meeting_people'>, 'person_id' | 'email' | 'name'>,
  people: Map<string, Person>,
  contacts: ReadonlyMap<string, Pick<Row<'contacts'>, 'id' | 'name' | 'trust'>>,
): Address {
  const personRow = item.person_id === null ? undefined : people.get(item.person_id)
  if (personRow)
    return {
      name: personRow.display_name,
      email: personRow.email,
      person: { id: personRow.id, title: personRow.display_name },
    }
  const contact = contacts.get(item.email ?? '')
  const name = item.name ?? contact?.name
  return omitNullish({
    name,
    email: item.email,
    contact: contact ? contactRef(contact) : undefined,
    ...trustOf(contact?.trust === 'external'),
  })
}

function missingOf(
  row: Row<'meetings'>,
  counts:
    | { notes: number; language: string | null; ownerless: number; untasked: number }
    | undefined,
): ListedMeetingShape['missing'] {
  const hasEnded = row.status === 'ended'
  return [
    ...(hasEnded && !row.notes_markdown?.trim() && !counts?.notes ? (['notes'] as const) : []),
    ...(hasEnded && counts?.language == null ? (['transcript'] as const) : []),
    ...(counts?.ownerless ? (['owners'] as const) : []),
    ...(counts?.untasked ? (['tasks'] as const) : []),
  ]
}

/** The caller's planned or running meetings in a period, next first. */
export async function meetingsToPrepare(
  ctx: ReadContext,
  from: number,
  to: number,
  limit = 100,
): Promise<ListedMeetingShape[]> {
  return presentMeetings(ctx, await ownMeetings(ctx, from, to, limit))
}

/** Ids of rows, with their type. */
export function idsOf<T extends 'meetings' | 'decisions' | 'action_items'>(
  rows: readonly { id: Id<T> }[],
): Id<T>[] {
  return rows.map((row) => row.id)
}
