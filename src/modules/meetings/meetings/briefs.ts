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
  lastMeetingTimes,
  openActions,
  openTasksOf,
  recentDecisions,
} from './access-briefs.ts'
import { participantsOf } from './participants.ts'
import { ActionItem, Decision, idsOf, meetingRef } from '../shapes.ts'
import { presentActionItems } from '../action-items/presenter.ts'
import { presentDecisions } from './presenter.ts'

/** Sections of optional modules, with the module that fills them. */
const optionalSections = { threads: 'email', facts: 'knowledge' } as const

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
  deals: z.array(Deal).describe('open deals with these people or their companies'),
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
const maxEarlierMeetings = 20

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
      .describe('a meeting, or an event with or without a meeting record'),
  },
  input: { max_items: z.int().min(1).max(50).default(10).describe('of each section') },
  output: MeetingBrief,
  async handle({ subject: item, max_items }, ctx) {
    const subject = await subjectOf(ctx, item)
    const others = subject.people.filter((participant) => participant.person_id !== ctx.actor.id)
    const before = subject.isAhead ? Math.max(subject.at, ctx.now) : subject.at
    const addresses = others.map((other) => other.address)
    const people = others.flatMap((other) => other.person_id ?? [])
    const contacts = await contactsByEmail(
      ctx,
      others.flatMap((other) => other.email ?? []),
    )
    const earlier = await earlierMeetings(
      ctx,
      subject.meeting,
      addresses,
      before,
      maxEarlierMeetings,
    )
    return omitNullish({
      meeting: subject.meeting ? meetingRef(subject.meeting) : undefined,
      event: subject.event ? subject.event : undefined,
      title: subject.title,
      ...trustOf(subject.event?.trust === 'external'),
      ...meetingStartOf(ctx, subject),
      people: await presentOthers(
        ctx,
        others,
        contacts,
        await lastMeetingTimes(ctx, subject.meeting, addresses, before),
      ),
      ...(await sectionsOf(ctx, { subject, others, people, contacts, earlier }, max_items)),
      missing_modules: [...new Set(Object.values(optionalSections))].filter(
        (name) => !ctx.catalogue.modules.some((module) => module.name === name),
      ),
    })
  },
})

interface BriefScope {
  subject: Subject
  others: readonly Participant[]
  people: readonly Id<'users'>[]
  contacts: Contacts
  earlier: readonly Row<'meetings'>[]
}

/** The lists of a brief, each with at most `limit` entries, and which of them have more. */
async function sectionsOf(
  ctx: ReadContext,
  { subject, others, people, contacts, earlier }: BriefScope,
  limit: number,
) {
  const cuts = new SectionCuts()
  const meetings = idsOf(earlier)
  const emails = others.flatMap((other) => other.email ?? [])
  const actions = await openActions(ctx, meetings, [...people, ctx.actor.id], limit + 1)
  const decisionScope = { meetings, projectId: subject.project_id, people: [...people] }
  const decisions = await recentDecisions(ctx, decisionScope, limit + 1)
  const threads = await threadsWithPeople(ctx, await emailsOf(ctx, others), limit + 1)
  const tasks =
    people.length === 0 ? [] : await openTasksOf(ctx, [...people], subject.project_id, limit + 1)
  const deals = await presentOpenDealsWith(ctx, emails, limit + 1)
  const pages = await pagesAbout(ctx, subject, earlier, limit + 1)
  const facts = await factsAboutItems(ctx, itemsWithFacts(subject, people, contacts), limit + 1)
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

/** Columns of a participant that the queries of a brief use. */
type Participant = Pick<Row<'meeting_people'>, 'address' | 'person_id' | 'email' | 'name'>

/** Subject of a brief: a meeting, or an event that has none yet. */
interface Subject {
  meeting: Row<'meetings'> | undefined
  event: Ref | undefined
  title: string
  starts_at: number | null
  /** The time of the meeting or event, and whether it is still planned. */
  at: number
  isAhead: boolean
  project_id: Id<'projects'> | null
  people: Participant[]
}

/** @throws Refusal not_found if its event is unreadable */
async function subjectOf(ctx: ReadContext, { resource, row }: AnyItem): Promise<Subject> {
  if (resource.definition.type === 'meeting') return meetingSubject(ctx, row as Row<'meetings'>)
  const gathering = await meetingSourceOf(ctx, row as Row<'events'>)
  if (!gathering)
    throw notFound('event', 'meeting_id', 'You cannot read it, or it has no such occurrence.')
  const meetingOfEvent = (
    await meetingsOf(ctx, [{ id: gathering.event_id, uid: gathering.uid }])
  ).get(gathering.event_id)
  const existing = meetingOfEvent && (await meeting.find(ctx, meetingOfEvent.id))
  if (existing) return meetingSubject(ctx, existing)
  const people = gathering.people.map((party) => ({
    ...party,
    address: party.person_id ?? party.email!,
  }))
  const { starts_at, title } = gathering
  return {
    meeting: undefined,
    event: { id: gathering.event_id, title, ...trustOf(gathering.isExternal) },
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
  lastMetTimes: Map<string, number>,
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
    const lastMetAt = lastMetTimes.get(other.address)
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
      last_met: lastMetAt === undefined ? undefined : iso(lastMetAt),
    })
  })
}

/** Items whose facts to look up in the knowledge graph: these people, their companies, the meeting's project. */
function itemsWithFacts(
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

/** The participants' email addresses. */
async function emailsOf(ctx: ReadContext, others: readonly Participant[]): Promise<string[]> {
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
  const linkingPages =
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
      [...linkingPages.values(), ...latest].map((item) => [
        item.id,
        { id: item.id, title: item.title },
      ]),
    ).values(),
  ].slice(0, limit)
}
