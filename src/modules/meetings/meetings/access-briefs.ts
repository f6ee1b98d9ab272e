// Queries for meeting briefs: earlier meetings, and open work of the participants, as far as the reader can see them.
import { sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { prepared } from '../../../records/prepared.ts'
import { applyOrder } from '../../../records/paging.ts'
import { project } from '../../portfolio/access.ts'
import { task } from '../../tasks/access.ts'
import { actionItem, decision, meeting } from '../access.ts'
import { hasStatus } from '../action-items/access.ts'
import { decidedBy } from './access-lists.ts'

type EarlierMeetings = { addresses: readonly string[]; exceptId: string | null; before: number }

/** Meetings that have taken place before a point in time, as far as known; `exceptId` excludes one. */
function meetingsHeldBefore(
  viewer: Viewer,
  { exceptId, before }: Omit<EarlierMeetings, 'addresses'>,
) {
  return meeting
    .visibleTo(viewer)
    .$if(exceptId !== null, (query) => query.where('meetings.id', '<>', exceptId as Id<'meetings'>))
    .where('meetings.takes_place_at', '<', before)
    .where('meetings.status', '<>', 'planned')
}

const meetingsWith = prepared<EarlierMeetings & { limit: number }, Row<'meetings'>>(
  (s, { addresses, limit, ...held }) => {
    const shared = s.all
      .selectFrom('meeting_people')
      .where('meeting_people.org_id', '=', s.actor.org_id)
      .where('meeting_people.address', 'in', addresses)
      .groupBy('meeting_people.meeting_id')
      .select((eb) => ['meeting_people.meeting_id', eb.fn.countAll<number>().as('count')])
    return meetingsHeldBefore(s, held)
      .innerJoin(shared.as('shared'), 'shared.meeting_id', 'meetings.id')
      .selectAll('meetings')
      .orderBy('shared.count', 'desc')
      .orderBy('meetings.takes_place_at', 'desc')
      .orderBy('meetings.id')
      .limit(limit)
  },
)

/** Meetings before a point in time with any of these participants; those with most of them first, then the latest. */
export async function earlierMeetings(
  viewer: Viewer,
  meetingRow: Pick<Row<'meetings'>, 'id'> | undefined,
  addresses: readonly string[],
  before: number,
  limit: number,
): Promise<Row<'meetings'>[]> {
  if (addresses.length === 0) return []
  return meetingsWith(viewer, { addresses, exceptId: meetingRow?.id ?? null, before, limit })
}

const meetingsOfBoth = prepared<EarlierMeetings, { address: string; at: number | null }>(
  (s, { addresses, ...held }) => {
    const ownAttendance = s.all
      .selectFrom('meeting_people as own')
      .where('own.org_id', '=', s.actor.org_id)
      .where('own.address', '=', s.actor.id)
      .where('own.meeting_id', '=', sql.ref<never>('meetings.id'))
      .select('own.address')
    return meetingsHeldBefore(s, held)
      .innerJoin('meeting_people as mp', 'mp.meeting_id', 'meetings.id')
      .where('mp.org_id', '=', s.actor.org_id)
      .where('mp.address', 'in', addresses)
      .where((eb) => eb.exists(ownAttendance))
      .groupBy('mp.address')
      .select((eb) => ['mp.address', eb.fn.max('meetings.takes_place_at').as('at')])
  },
)

/** When the reader last met each of these people before a point in time; both were participants. */
export async function lastMeetingTimes(
  viewer: Viewer,
  meetingRow: Pick<Row<'meetings'>, 'id'> | undefined,
  addresses: readonly string[],
  before: number,
): Promise<Map<string, number>> {
  if (addresses.length === 0) return new Map()
  const rows = await meetingsOfBoth(viewer, { addresses, exceptId: meetingRow?.id ?? null, before })
  return new Map(rows.map((row) => [row.address, Number(row.at)]))
}

/** A union, because actions by meeting and by owner each use an index; `or` would scan the whole organization. */
const actionsOf = prepared<
  { meetings: readonly string[] | null; people: readonly string[] | null; limit: number },
  Row<'action_items'>
>((s, { meetings, people, limit }) => {
  const items = s.all.selectFrom('action_items').select('action_items.id')
  const lists = [
    ...(meetings ? [items.where('meeting_id', 'in', meetings as Id<'meetings'>[])] : []),
    ...(people ? [items.where('owner_id', 'in', people as Id<'users'>[])] : []),
  ]
  return actionItem
    .visibleTo(s)
    .selectAll('action_items')
    .where(
      'action_items.id',
      'in',
      lists.reduce((union, more) => union.union(more)),
    )
    .where(hasStatus(s, ['open', 'task_created']))
    .orderBy(sql`action_items.due_on is null`)
    .orderBy('action_items.due_on')
    .orderBy('action_items.id')
    .limit(limit)
})

/** Unfinished actions of these meetings or people, nearest due first. */
export async function openActions(
  viewer: Viewer,
  meetings: readonly Id<'meetings'>[],
  people: readonly Id<'users'>[],
  limit: number,
): Promise<Row<'action_items'>[]> {
  if (meetings.length + people.length === 0) return []
  return actionsOf(viewer, {
    meetings: meetings.length > 0 ? meetings : null,
    people: people.length > 0 ? people : null,
    limit,
  })
}

/** Maximum people whose decisions a brief looks up; each is a separate condition. */
const maxDeciders = 20

/** Decisions in force: of these meetings, of a project, or made by these people, latest first. */
export async function recentDecisions(
  viewer: Viewer,
  scope: {
    meetings: readonly Id<'meetings'>[]
    projectId: Id<'projects'> | null
    people: readonly Id<'users'>[]
  },
  limit: number,
): Promise<Row<'decisions'>[]> {
  const { meetings, projectId, people } = scope
  const madeByPeople = people.slice(0, maxDeciders).map(decidedBy)
  if (meetings.length + madeByPeople.length === 0 && projectId === null) return []
  return decision
    .visibleTo(viewer)
    .selectAll('decisions')
    .where('decisions.superseded_by_id', 'is', null)
    .where((eb) =>
      eb.or([
        ...(meetings.length > 0 ? [eb('decisions.meeting_id', 'in', meetings)] : []),
        ...(projectId === null ? [] : [eb('decisions.project_id', '=', projectId)]),
        ...madeByPeople,
      ]),
    )
    .orderBy('decisions.decided_at', 'desc')
    .orderBy('decisions.id', 'desc')
    .limit(limit)
    .execute()
}

const nearestTasks = prepared<
  { people: readonly string[]; projectId: string | null; limit: number },
  Row<'tasks'>
>((s, { people, projectId, limit }) => {
  const assigned = s.all
    .selectFrom('open_assignments')
    .where('open_assignments.person_id', 'in', people as Id<'users'>[])
    .where(project.lists(s, 'open_assignments.project_id'))
    .$if(projectId !== null, (query) => query.where('project_id', '=', projectId as Id<'projects'>))
  const nearest = assigned
    .groupBy(['open_assignments.task_id', 'open_assignments.due_at'])
    .select('open_assignments.task_id')
    .orderBy(sql`open_assignments.due_at is null`)
    .orderBy('open_assignments.due_at')
    .orderBy('open_assignments.task_id')
    .limit(limit)
  return applyOrder(task.visibleTo(s).selectAll('tasks').where('tasks.id', 'in', nearest), [
    { by: 'tasks.due_at', as: 'due_at', dir: 'asc', nullable: true },
    { by: 'tasks.id', as: 'id', dir: 'asc' },
  ])
})

/** Open tasks of these people, optionally in one project, nearest due first. */
export function openTasksOf(
  viewer: Viewer,
  people: readonly Id<'users'>[],
  projectId: Id<'projects'> | null,
  limit: number,
): Promise<Row<'tasks'>[]> {
  return nearestTasks(viewer, { people, projectId, limit })
}
