// Queries over whole tables for lists of meetings and for briefs.
import { prepared } from '../../../records/prepared.ts'
import { sql, type SqlBool } from 'kysely'
import { maxContainers } from '../../../search/full-text.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { perScope } from '../../../records/per-scope.ts'
import { project, visibleProjectIds } from '../../portfolio/access.ts'
import { meetingContainer, meeting } from '../access.ts'
import { hasStatus } from '../action-items/access.ts'

/** Counts and transcript details shown with a meeting in lists. */
export interface MeetingCounts {
  notes: number
  /** Language of the transcript; null without one. */
  language: string | null
  seconds: number | null
  /** Open action items without an owner. */
  ownerless: number
  /** Open action items without a task. */
  untasked: number
}

/** Counts for visible meetings. */
export async function meetingCounts(
  viewer: Viewer,
  ids: readonly Id<'meetings'>[],
): Promise<Map<string, MeetingCounts>> {
  const { all } = accessScopeOf(viewer)
  const notes = await all
    .selectFrom('meeting_notes')
    .select((eb) => ['meeting_id', eb.fn.countAll<number>().as('count')])
    .where('meeting_id', 'in', ids)
    .groupBy('meeting_id')
    .execute()
  const transcripts = await all
    .selectFrom('transcripts')
    .select(['meeting_id', 'language', 'seconds'])
    .where('meeting_id', 'in', ids)
    .execute()
  const actions = await all
    .selectFrom('action_items')
    .select([
      'meeting_id',
      sql<number>`count(*)`.as('untasked'),
      sql<number>`sum(case when owner_id is null and owner_email is null and owner_name is null then 1 else 0 end)`.as(
        'ownerless',
      ),
    ])
    .where('meeting_id', 'in', ids)
    .where(hasStatus(viewer, ['open']))
    .groupBy('meeting_id')
    .execute()
  return new Map(
    ids.map((id) => {
      const marks = transcripts.find((transcript) => transcript.meeting_id === id)
      const openActions = actions.find((action) => action.meeting_id === id)
      return [
        id,
        {
          notes: notes.find((note) => note.meeting_id === id)?.count ?? 0,
          language: marks?.language ?? null,
          seconds: marks?.seconds ?? null,
          ownerless: openActions?.ownerless ?? 0,
          untasked: openActions?.untasked ?? 0,
        },
      ]
    }),
  )
}

/** The actor's unfinished meetings in a period, next first. */
export async function ownMeetings(
  reader: Viewer,
  start: number,
  end: number,
  limit: number,
): Promise<Row<'meetings'>[]> {
  const attendedIds = accessScopeOf(reader)
    .all.selectFrom('meeting_people')
    .select('meeting_people.meeting_id')
    .where('meeting_people.org_id', '=', accessScopeOf(reader).actor.org_id)
    .where('meeting_people.address', '=', accessScopeOf(reader).actor.id)
  return meeting
    .visibleTo(reader)
    .selectAll('meetings')
    .where('meetings.id', 'in', attendedIds)
    .where('meetings.status', '<>', 'ended')
    .where('meetings.cancelled_at', 'is', null)
    .where('meetings.starts_at', '>=', start)
    .where('meetings.starts_at', '<', end)
    .orderBy('meetings.takes_place_at')
    .orderBy('meetings.id')
    .limit(limit)
    .execute()
}

/**
 * Search containers of the actor's meetings: the organization, the actor's projects, and the meetings that the actor
 * takes part in; undefined if there are too many.
 */
export async function meetingContainers(viewer: Viewer): Promise<string[] | undefined> {
  const projects = await project
    .visibleTo(viewer)
    .select('projects.id')
    .limit(maxContainers + 1)
    .execute()
  const restrictedRows = await restrictedMeetings(viewer)
    .limit(4 * maxContainers)
    .execute()
  const containers = new Set<string>([
    accessScopeOf(viewer).actor.org_id,
    ...projects.map((item) => item.id),
    ...restrictedRows.map(meetingContainer),
  ])
  return containers.size > maxContainers || restrictedRows.length === 4 * maxContainers
    ? undefined
    : [...containers]
}

/** Search containers in which the actor sees everything, however many there are. */
export async function searchedContainers(reader: Viewer): Promise<string[]> {
  const restrictedRows = await allRestrictedMeetings(reader)
  return [
    accessScopeOf(reader).actor.org_id,
    ...(await visibleProjectIds(reader)),
    ...restrictedRows.map(meetingContainer).filter((name, i) => name === restrictedRows[i]!.id),
  ]
}

/** The actor's meetings in projects of which they are not a member. */
export async function meetingsInOtherProjects(
  viewer: Viewer,
): Promise<{ id: Id<'meetings'>; container: string }[]> {
  const projects = new Set<string>(await visibleProjectIds(viewer))
  return (await allRestrictedMeetings(viewer))
    .map((row) => ({ id: row.id, container: meetingContainer(row) }))
    .filter((item) => item.container !== item.id && !projects.has(item.container))
}

const allRestrictedMeetings = perScope((from) => ownRestrictedMeetings(from, {}))
const ownRestrictedMeetings = prepared(restrictedMeetings)

/** The actor's meetings that are not visible to the whole organization. */
function restrictedMeetings(viewer: Viewer) {
  const { all, actor } = accessScopeOf(viewer)
  return all
    .selectFrom('meeting_people')
    .innerJoin('meetings', 'meetings.id', 'meeting_people.meeting_id')
    .select(['meetings.id', 'meetings.org_id', 'meetings.visibility', 'meetings.project_id'])
    .where('meeting_people.org_id', '=', actor.org_id)
    .where('meeting_people.address', '=', actor.id)
    .where('meetings.visibility', '<>', 'organization')
    .where('meetings.deleted_at', 'is', null)
}

/** Whether a person is among those who made a decision, as a condition. */
export function decidedBy(id: Id<'users'>) {
  return sql<SqlBool>`decisions.decided_by_json like ${`%"${id}"%`}`
}
