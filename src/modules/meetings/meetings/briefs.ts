import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import type { Id } from '../../../kernel/ids.ts'
import { anyItem, type AnyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { notFound } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { iso, localIso } from '../../../kernel/time/times.ts'
import { eventsOfMeetings, meetingSourceOf, meetingsOf } from '../../calendar/access.ts'
import { company, contactsByEmail } from '../../contacts/access.ts'
import { Deal, presentOpenDealsWith, contactRef } from '../../contacts/shapes.ts'
import { threadsWithPeople } from '../../email/shapes.ts'
import { WaitingThread } from '../../email/shapes.ts'
import { Fact, factsAboutItems } from '../../knowledge/shapes.ts'
import { page } from '../../pages/access.ts'
import { person } from '../../directory/access.ts'
import { Address, Ref, trust, trustOf, Truncated } from '../../../records/shapes.ts'
import { ListedTask, presentTasks } from '../../tasks/shapes.ts'
import { meeting } from '../access.ts'
import {
  earlierMeetings,
  lastMet,
  openActions,
  openTasksOf,
  recentDecisions,
} from './access-briefs.ts'
import { participantsOf } from './participants.ts'
import { ActionItem, Decision, idsOf, meetingRef } from '../shapes.ts'
import { presentActionItems } from '../action-items/presenter.ts'
import { presentDecisions } from './presenter.ts'

/** Sections of optional modules, with the module that fills them. */
const later = { threads: 'email', facts: 'knowledge' } as const

const MeetingBrief = shape('MeetingBrief', {
  meeting: Ref.optional().describe(
    'absent: the event has no meeting record yet; create_meeting(event_id) starts one',
  ),
  event: Ref.optional(),
  title: z.string(),
  trust,
  starts_at: datetimeString().optional(),
  starts_local: z.string().optional(),
  people: z
    .array(
      z.strictObject({
        address: Address,
        title: z.string().optional(),
        company: z.string().optional(),
        last_met: datetimeString().optional(),
      }),
    )
    .describe('the other participants'),
  previous: z
    .array(Ref.extend({ at: datetimeString() }))
    .describe('earlier meetings with these people, most in common first'),
  open_actions: z.array(ActionItem).describe('of those meetings, or for these people or you'),
  recent_decisions: z.array(Decision),
  threads: z.array(WaitingThread).describe('your latest mail with these people'),
  tasks: z
    .array(ListedTask)
    .describe('open tasks of these people, in the project of the meeting if it has one'),
  deals: z.array(Deal).describe('open ones with these people or their companies'),
  pages: z
    .array(Ref)
    .describe('naming this meeting or earlier ones, and the latest of its project'),
  facts: z.array(Fact).describe('facts about these people, their companies and the project'),
  missing_modules: z
    .array(z.string())
    .describe('modules this workspace does not have; their sections are empty'),
  truncated: Truncated.optional(),
})

type Contacts = Awaited<ReturnType<typeof contactsByEmail>>

export type MeetingBriefShape = z.infer<typeof MeetingBrief>

/** Maximum earlier meetings whose actions and decisions are included. */
const lookBack = 20

export const getMeetingBrief = operation({
  name: 'get_meeting_brief',
  searchHint: 'prepare for a meeting, prep, background on the people, briefing before a call',
  kind: 'read',
  rest: 'GET /api/meetings/{meeting_id}/brief',
  about:
    "What to know before a meeting: last time's open actions and decisions, recent mail and tasks with these people, their company and deals",
  on: {
    subject: anyItem.see
      .of('meeting', 'event')
      .named('meeting_id')
      .describe('of a meeting, or of an event with or without one'),
  },
  input: { max_items: z.int().min(1).max(50).default(10).describe('of each section') },
  output: MeetingBrief,
  async handle({ subject: item, max_items }, ctx) {
    const on = await subjectOf(ctx, item)
    const others = on.people.filter((participant) => participant.person_id !== ctx.actor.id)
    const before = on.isAhead ? Math.max(on.at, ctx.now) : on.at
    const addresses = others.map((other) => other.address)
    const people = others.flatMap((other) => other.person_id ?? [])
    const contacts = await contactsByEmail(
      ctx,
      others.flatMap((other) => other.email ?? []),
    )
    const earlier = await earlierMeetings(ctx, on.meeting, addresses, before, lookBack)
    return omitNullish({
      meeting: on.meeting ? meetingRef(on.meeting) : undefined,
      event: on.event ? on.event : undefined,
      title: on.title,
      ...trustOf(on.event?.trust === 'external'),
      ...meetingStartOf(ctx, on),
      people: await presentOthers(
        ctx,
        others,
        contacts,
        await lastMet(ctx, on.meeting, addresses, before),
      ),
      ...(await sectionsOf(ctx, { on, others, people, contacts, earlier }, max_items)),
      missing_modules: [...new Set(Object.values(later))].filter(
        (name) => !ctx.catalogue.modules.some((module) => module.name === name),
      ),
    })
  },
})

interface Around {
  on: Subject
  others: readonly Participant[]
  people: readonly Id<'users'>[]
  contacts: Contacts
  earlier: readonly Row<'meetings'>[]
}

/** The lists of a brief, each limited in size, and which have more. */
async function sectionsOf(
  ctx: ReadContext,
  { on, others, people, contacts, earlier }: Around,
  limit: number,
) {
  const cuts = new SectionCuts()
  const meetings = idsOf(earlier)
  const emails = others.flatMap((other) => other.email ?? [])
  const actions = await openActions(ctx, meetings, [...people, ctx.actor.id], limit + 1)
  const about = { meetings, projectId: on.project_id, people: [...people] }
  const decisions = await recentDecisions(ctx, about, limit + 1)
  const threads = await threadsWithPeople(ctx, await mailedAt(ctx, others), limit + 1)
  const tasks =
    people.length === 0 ? [] : await openTasksOf(ctx, [...people], on.project_id, limit + 1)
  const deals = await presentOpenDealsWith(ctx, emails, limit + 1)
  const pages = await pagesAbout(ctx, on, earlier, limit + 1)
  const facts = await factsAboutItems(ctx, knownOf(on, people, contacts), limit + 1)
  return {
    previous: cuts
      .take('previous', earlier, limit, 'list_meetings')
      .map((row) => ({ ...meetingRef(row), at: iso(row.takes_place_at) })),
    open_actions: await presentActionItems(
      ctx,
      cuts.take('open_actions', actions, limit, 'list_action_items'),
    ),
    recent_decisions: await presentDecisions(
      ctx,
      cuts.take('recent_decisions', decisions, limit, 'list_decisions'),
    ),
    threads: cuts.take('threads', threads, limit, 'list_email_threads'),
    tasks: await presentTasks(ctx, cuts.take('tasks', tasks, limit, 'list_tasks')),
    deals: cuts.take('deals', deals, limit, 'list_deals'),
    pages: cuts.take('pages', pages, limit, 'list_pages'),
    facts: cuts.take('facts', facts, limit, 'list_facts'),
    ...cuts.report('A higher max_items (at most 50) shows more.'),
  }
}

function meetingStartOf(ctx: ReadContext, { starts_at }: Subject) {
  if (starts_at === null) return {}
  return { starts_at: iso(starts_at), starts_local: localIso(starts_at, ctx.actor.timezone) }
}

/** Columns of a participant by which the parts of a brief are looked up. */
type Participant = Pick<Row<'meeting_people'>, 'address' | 'person_id' | 'email' | 'name'>

/** Subject of a brief: a meeting, or an event that has none yet. */
interface Subject {
  meeting: Row<'meetings'> | undefined
  event: Ref | undefined
  title: string
  starts_at: number | null
  /** Its time, and whether it is still to come. */
  at: number
  isAhead: boolean
  project_id: Id<'projects'> | null
  people: Participant[]
}

/** @throws Refusal not_found if its event is unreadable */
async function subjectOf(ctx: ReadContext, { resource, row }: AnyItem): Promise<Subject> {
  if (resource.definition.type === 'meeting') return meetingSubject(ctx, row as Row<'meetings'>)
  const from = await meetingSourceOf(ctx, row as Row<'events'>)
  if (!from)
    throw notFound('event', 'meeting_id', 'You cannot read it, or it has no such occurrence.')
  const met = (await meetingsOf(ctx, [{ id: from.event_id, uid: from.uid }])).get(from.event_id)
  const existing = met && (await meeting.find(ctx, met.id))
  if (existing) return meetingSubject(ctx, existing)
  const people = from.people.map((party) => ({
    ...party,
    address: party.person_id ?? party.email!,
  }))
  const { starts_at, title } = from
  return {
    meeting: undefined,
    event: { id: from.event_id, title, ...trustOf(from.isExternal) },
    title,
    starts_at,
    at: starts_at,
    isAhead: starts_at > ctx.now,
    project_id: null,
    people,
  }
}

async function meetingSubject(ctx: ReadContext, row: Row<'meetings'>): Promise<Subject> {
  const { title, starts_at, takes_place_at: at, project_id } = row
  const event = (await eventsOfMeetings(ctx, [row])).get(row.id)
  return {
    meeting: row,
    event,
    title,
    starts_at,
    at,
    isAhead: row.status === 'planned',
    project_id,
    people: await participantsOf(ctx, row.id),
  }
}

async function presentOthers(
  ctx: ReadContext,
  others: readonly Participant[],
  contacts: Contacts,
  met: Map<string, number>,
): Promise<z.infer<typeof MeetingBrief>['people']> {
  const people = await person.among(
    ctx,
    others.flatMap((other) => other.person_id ?? []),
  )
  const companies = await company.among(
    ctx,
    [...contacts.values()].flatMap((contact) => contact.company_id ?? []),
  )
  return others.map((other) => {
    const personRow = other.person_id === null ? undefined : people.get(other.person_id)
    const contact = contacts.get(other.email ?? '')
    const companyRow = companies.get(contact?.company_id ?? '')
    const title = personRow?.title ?? contact?.title
    const at = met.get(other.address)
    return omitNullish({
      address: personRow
        ? {
            name: personRow.display_name,
            email: personRow.email,
            person: { id: personRow.id, title: personRow.display_name },
          }
        : presentParticipant(other, contact),
      title,
      company: companyRow ? companyRow.name : undefined,
      last_met: at === undefined ? undefined : iso(at),
    })
  })
}

/** Items to look up in the graph: these people, their companies, the meeting's project. */
function knownOf(
  { project_id }: Pick<Subject, 'project_id'>,
  people: readonly string[],
  contacts: Contacts,
): string[] {
  return [
    ...people,
    ...[...contacts.values()].flatMap((contact) => [contact.id, contact.company_id]),
    project_id,
  ].filter((item) => item !== null)
}

/** Their mail addresses. */
async function mailedAt(ctx: ReadContext, others: readonly Participant[]): Promise<string[]> {
  const people = await person.among(
    ctx,
    others.flatMap((other) => other.person_id ?? []),
  )
  return others.flatMap((other) => other.email ?? people.get(other.person_id ?? '')?.email ?? [])
}

/** An external participant, with directory data if available. */
function presentParticipant(
  { name, email }: Participant,
  contact: Parameters<typeof contactRef>[0] | undefined,
): z.infer<typeof Address> {
  const displayName = name ?? contact?.name
  return omitNullish({
    name: displayName,
    email,
    contact: contact ? contactRef(contact) : undefined,
    ...trustOf(contact?.trust === 'external'),
  })
}

/** Pages that link to one of the meetings by id; then the latest of the project. */
async function pagesAbout(
  ctx: ReadContext,
  { meeting: row, project_id }: Pick<Subject, 'meeting' | 'project_id'>,
  earlier: readonly Row<'meetings'>[],
  limit: number,
): Promise<Ref[]> {
  const ids = [...(row ? [row] : []), ...earlier].map((item) =>
    item.id.slice(item.id.indexOf('_') + 1),
  )
  const naming =
    ids.length === 0
      ? new Map<string, Row<'pages'>>()
      : await page.among(
          ctx,
          (await itemsWithWords(ctx, ids.join(' '), { resource: page }))
            .slice(0, limit)
            .map((itemsWithWord) => itemsWithWord.id),
        )
  const latest =
    project_id === null
      ? []
      : await page
          .visibleTo(ctx)
          .selectAll('pages')
          .where('pages.project_id', '=', project_id)
          .orderBy('pages.updated_at', 'desc')
          .orderBy('pages.id')
          .limit(limit)
          .execute()
  return [
    ...new Map(
      [...naming.values(), ...latest].map((item) => [item.id, { id: item.id, title: item.title }]),
    ).values(),
  ].slice(0, limit)
}
