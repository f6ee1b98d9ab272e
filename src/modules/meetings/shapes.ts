import { shape } from '../../kernel/shape.ts'
import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString, unresolvedMentionsField } from '../../kernel/fields.ts'
import { prefixOf, type Id } from '../../kernel/ids.ts'
import { resourceByPrefix, type Row } from '../../records/resource.ts'
import { iso, localIso } from '../../kernel/time/times.ts'
import { eventsOfMeetings } from '../calendar/access.ts'
import { contactsByEmail } from '../contacts/access.ts'
import { person } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { Address, common, commonOf, Ref } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { taskRefs } from '../tasks/shapes.ts'
import { actionItem, decision, meeting, meetingNote, meetingPerson } from './access.ts'
import { statesOf, type ActionStatus } from './action-items/access.ts'
import { meetingMarks, ownMeetings } from './meetings/access-lists.ts'
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

/** A meeting as lists show it. */
export const ListedMeeting = shape('ListedMeeting', {
  ...common,
  title: z.string(),
  kind: z.enum(meetingKinds),
  status: z.enum(meetingStates),
  event: Ref.optional(),
  cancelled: z.boolean().optional().describe('its event is cancelled or gone'),
  starts_at: datetimeString().optional(),
  ends_at: datetimeString().optional(),
  starts_local: z.string().optional(),
  ends_local: z.string().optional(),
  timezone: z.string().describe('yours; of the local times'),
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

/** Meetings as lists show them: a fixed number of queries. The rows were seen. */
export async function showMeetings(
  ctx: ReadContext,
  rows: readonly Row<'meetings'>[],
): Promise<ListedMeetingShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const taking = await participantRows(ctx, ids)
  const people = await person.among(ctx, [
    ...rows.flatMap((row) => [row.created_by, row.organizer_id]),
    ...taking.flatMap((item) => item.person_id ?? []),
  ])
  const refs = new Map(
    [...people].map(([id, row]): [string, Ref] => [id, { id, title: row.display_name }]),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  const others = await linkedRefs(
    ctx,
    rows.map((row) => row.pulse_id),
  )
  const events = await eventsOfMeetings(ctx, rows)
  const marks = await meetingMarks(ctx, ids)
  const contacts = await contactsByEmail(
    ctx,
    taking.flatMap((item) => item.email ?? []),
  )
  const byMeeting = Map.groupBy(taking, (item) => item.meeting_id)
  return rows.map((row) => {
    const mark = marks.get(row.id)
    const of = row.project_id === null ? undefined : projects.get(row.project_id)
    return present({
      ...commonOf(row, meeting.url(row, ctx.baseUrl), refs),
      title: row.title,
      kind: row.kind,
      status: row.status,
      ...refIn('event', events, row.event_id === null ? null : row.id),
      cancelled: row.cancelled_at === null ? undefined : true,
      ...timesOf(row, ctx.actor.timezone),
      participants: (byMeeting.get(row.id) ?? []).map((item) => addressOf(item, people, contacts)),
      organizer: refs.get(row.organizer_id) ?? { id: row.organizer_id, title: '' },
      agenda: agendaOf(row),
      transcript: transcriptState(mark),
      project: of ? { id: of.id, title: of.name, key: of.key } : undefined,
      ...refIn('pulse', others, row.pulse_id),
      visibility: row.visibility,
      missing: missingOf(row, mark),
    })
  })
}

function participantRows(ctx: ReadContext, ids: readonly Row<'meetings'>['id'][]) {
  return meetingPerson
    .of(ctx, ids)
    .selectAll('meeting_people')
    .orderBy('meeting_people.position')
    .orderBy('meeting_people.address')
    .execute()
}

function transcriptState(
  mark: { language: string | null; seconds: number | null } | undefined,
): ListedMeetingShape['transcript'] {
  if (mark?.language == null) return { exists: false }
  return { exists: true, minutes: Math.ceil((mark.seconds ?? 0) / 60), language: mark.language }
}

/** Refs of kinds that other modules have, if they are there. */
async function linkedRefs(
  ctx: ReadContext,
  ids: readonly (string | null)[],
): Promise<Map<string, Ref>> {
  const found = new Map<string, Ref>()
  for (const [prefix, some] of Map.groupBy(
    ids.filter((id) => id !== null),
    (id) => prefixOf(id.slice(0, 30)),
  )) {
    const of = resourceByPrefix(prefix)
    for (const [id, row] of (await of?.among(ctx, some)) ?? [])
      found.set(id, { id, title: of!.definition.title(row) })
  }
  return found
}

function refIn<N extends string>(
  name: N,
  refs: Map<string, Ref>,
  id: string | null,
): { [K in N]?: Ref } {
  const ref = id === null ? undefined : refs.get(id)
  return (ref ? { [name]: ref } : {}) as { [K in N]?: Ref }
}

function timesOf({ starts_at, ends_at }: Row<'meetings'>, zone: string) {
  return {
    ...(starts_at === null
      ? {}
      : { starts_at: iso(starts_at), starts_local: localIso(starts_at, zone) }),
    ...(ends_at === null ? {} : { ends_at: iso(ends_at), ends_local: localIso(ends_at, zone) }),
    timezone: zone,
  }
}

type Person = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

function addressOf(
  item: Pick<Row<'meeting_people'>, 'person_id' | 'email' | 'name'>,
  people: Map<string, Person>,
  contacts: ReadonlyMap<string, Pick<Row<'contacts'>, 'id' | 'name'>>,
): Address {
  const known = item.person_id === null ? undefined : people.get(item.person_id)
  if (known)
    return {
      name: known.display_name,
      email: known.email,
      person: { id: known.id, title: known.display_name },
    }
  const contact = contacts.get(item.email ?? '')
  const name = item.name ?? contact?.name
  return present({
    name,
    email: item.email,
    contact: contact ? { id: contact.id, title: contact.name } : undefined,
  })
}

function missingOf(
  row: Row<'meetings'>,
  mark: { notes: number; language: string | null; ownerless: number; untasked: number } | undefined,
): ListedMeetingShape['missing'] {
  const isOver = row.status === 'ended'
  return [
    ...(isOver && !row.notes_markdown?.trim() && !mark?.notes ? (['notes'] as const) : []),
    ...(isOver && mark?.language == null ? (['transcript'] as const) : []),
    ...(mark?.ownerless ? (['owners'] as const) : []),
    ...(mark?.untasked ? (['tasks'] as const) : []),
  ]
}

/** One meeting with its notes, decisions and action items, as it is now. */
export async function showMeeting(
  ctx: ReadContext,
  row: Row<'meetings'>,
): Promise<z.infer<typeof Meeting>> {
  const [listed] = await showMeetings(ctx, [row])
  const notes = await meetingNote
    .of(ctx, [row.id])
    .selectAll('meeting_notes')
    .orderBy('meeting_notes.id')
    .execute()
  const decisions = await decision
    .visibleTo(ctx)
    .selectAll('decisions')
    .where('decisions.meeting_id', '=', row.id)
    .orderBy('decisions.decided_at')
    .orderBy('decisions.id')
    .execute()
  const actions = await actionItem
    .of(ctx, [row.id])
    .selectAll('action_items')
    .orderBy('action_items.id')
    .execute()
  return present({
    ...listed!,
    notes_markdown: row.notes_markdown,
    notes: await showNotes(ctx, row, notes),
    decisions: await showDecisions(ctx, decisions),
    action_items: await showActionItems(ctx, actions),
  })
}

export async function showNotes(
  ctx: ReadContext,
  on: Row<'meetings'>,
  rows: readonly Row<'meeting_notes'>[],
): Promise<z.infer<typeof MeetingNote>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    present({
      ...commonOf(row, `${meeting.url(on, ctx.baseUrl)}#${row.id}`, people),
      meeting: meetingRef(on),
      body_markdown: row.body_markdown,
      at_second: row.at_second,
      author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
    }),
  )
}

/** Decisions as answers show them; what they refer to only as far as the reader sees it. */
export async function showDecisions(
  ctx: ReadContext,
  rows: readonly Row<'decisions'>[],
): Promise<DecisionShape[]> {
  if (rows.length === 0) return []
  const deciders = new Map(rows.map((row) => [row.id, JSON.parse(row.decided_by_json) as string[]]))
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...[...deciders.values()].flat(),
  ])
  const meetings = await meeting.among(
    ctx,
    rows.flatMap((row) => row.meeting_id ?? []),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  const successors = await decision.among(
    ctx,
    rows.flatMap((row) => row.superseded_by_id ?? []),
  )
  const earlier = await decision
    .visibleTo(ctx)
    .selectAll('decisions')
    .where(
      'decisions.superseded_by_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  const ref = (row: Row<'decisions'> | undefined): Ref | undefined =>
    row && { id: row.id, title: row.title }
  return rows.map((row) => {
    const met = row.meeting_id === null ? undefined : meetings.get(row.meeting_id)
    const of = row.project_id === null ? undefined : projects.get(row.project_id)
    const supersedes = ref(earlier.find((item) => item.superseded_by_id === row.id))
    const superseded_by =
      row.superseded_by_id === null ? undefined : ref(successors.get(row.superseded_by_id))
    return present({
      ...commonOf(row, decision.url(row, ctx.baseUrl), people),
      title: row.title,
      decision_markdown: row.decision_markdown,
      alternatives: JSON.parse(row.alternatives_json) as string[],
      decided_by: deciders.get(row.id)!.flatMap((id) => people.get(id) ?? []),
      decided_at: iso(row.decided_at),
      meeting: met ? meetingRef(met) : undefined,
      project: of ? { id: of.id, title: of.name, key: of.key } : undefined,
      status: row.superseded_by_id === null ? 'accepted' : 'superseded',
      supersedes,
      superseded_by,
    })
  })
}

/** Action items as answers show them: their state is that of their task, which is named to those who see it. */
export async function showActionItems(
  ctx: ReadContext,
  rows: readonly Row<'action_items'>[],
): Promise<ActionItemShape[]> {
  if (rows.length === 0) return []
  const states = await statesOf(
    ctx,
    rows.map((row) => row.id),
  )
  const tasks = await taskRefs(
    ctx,
    [...states.values()].map((state) => state.task_id),
  )
  const people = await person.among(
    ctx,
    rows.flatMap((row) => [row.created_by, ...(row.owner_id === null ? [] : [row.owner_id])]),
  )
  const refs = new Map(
    [...people].map(([id, row]): [string, Ref] => [id, { id, title: row.display_name }]),
  )
  const contacts = await contactsByEmail(
    ctx,
    rows.flatMap((row) => row.owner_email ?? []),
  )
  const meetings = await meeting.among(
    ctx,
    rows.map((row) => row.meeting_id),
  )
  return rows.map((row) => {
    const state = states.get(row.id)
    const of = state && tasks.get(state.task_id)
    const owner = addressOf(
      { person_id: row.owner_id, email: row.owner_email, name: row.owner_name },
      people,
      contacts,
    )
    return present({
      ...commonOf(row, actionItem.url(row, ctx.baseUrl), refs),
      meeting: meetingRef(meetings.get(row.meeting_id)!),
      text: row.text,
      owner: Object.keys(owner).length > 0 ? owner : undefined,
      due_on: row.due_on,
      quote: row.quote,
      at_second: row.at_second,
      status: (state?.status ?? 'open') satisfies ActionStatus,
      task: of,
    })
  })
}

/** Meetings that the caller takes part in and that are still to come or running, in a time, the next first: what to prepare. */
export async function meetingsToPrepare(
  ctx: ReadContext,
  from: number,
  to: number,
  limit = 100,
): Promise<ListedMeetingShape[]> {
  return showMeetings(ctx, await ownMeetings(ctx, from, to, limit))
}

/** The ids of rows. */
export function idsOf<T extends 'meetings' | 'decisions' | 'action_items'>(
  rows: readonly { id: Id<T> }[],
): Id<T>[] {
  return rows.map((row) => row.id)
}
