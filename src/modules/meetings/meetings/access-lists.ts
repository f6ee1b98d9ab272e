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
import { isIn } from '../action-items/access.ts'

/** Details of a meeting in lists, besides its row. */
export interface Marks {
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
export async function meetingMarks(
  viewer: Viewer,
  ids: readonly Id<'meetings'>[],
): Promise<Map<string, Marks>> {
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
    .where(isIn(viewer, ['open']))
    .groupBy('meeting_id')
    .execute()
  return new Map(
    ids.map((id) => {
      const marks = transcripts.find((transcript) => transcript.meeting_id === id)
      const open = actions.find((action) => action.meeting_id === id)
      return [
        id,
        {
          notes: notes.find((note) => note.meeting_id === id)?.count ?? 0,
          language: marks?.language ?? null,
          seconds: marks?.seconds ?? null,
          ownerless: open?.ownerless ?? 0,
          untasked: open?.untasked ?? 0,
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
 * takes part in. Undefined: too many to list.
 */
export async function meetingContainers(viewer: Viewer): Promise<string[] | undefined> {
  const projects = await project
    .visibleTo(viewer)
    .select('projects.id')
    .limit(maxContainers + 1)
    .execute()
  const closedRows = await closedMeetings(viewer)
    .limit(4 * maxContainers)
    .execute()
  const containers = new Set<string>([
    accessScopeOf(viewer).actor.org_id,
    ...projects.map((item) => item.id),
    ...closedRows.map(meetingContainer),
  ])
  return containers.size > maxContainers || closedRows.length === 4 * maxContainers
    ? undefined
    : [...containers]
}

/** Search containers in which the actor sees everything, however many there are. */
export async function searchedMeetings(reader: Viewer): Promise<string[]> {
  const closedRows = await allClosedMeetings(reader)
  return [
    accessScopeOf(reader).actor.org_id,
    ...(await visibleProjectIds(reader)),
    ...closedRows.map(meetingContainer).filter((name, i) => name === closedRows[i]!.id),
  ]
}

/** The actor's meetings in projects of which they are not a member. */
export async function meetingsElsewhere(
  viewer: Viewer,
): Promise<{ id: Id<'meetings'>; container: string }[]> {
  const projects = new Set<string>(await visibleProjectIds(viewer))
  return (await allClosedMeetings(viewer))
    .map((row) => ({ id: row.id, container: meetingContainer(row) }))
    .filter((item) => item.container !== item.id && !projects.has(item.container))
}

const allClosedMeetings = perScope((from) => ownClosedMeetings(from, {}))
const ownClosedMeetings = prepared(closedMeetings)

/** The actor's meetings that are not readable by all. */
function closedMeetings(viewer: Viewer) {
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

/** Whether a person is among a decision's makers, within a query. */
export function decidedBy(id: Id<'users'>) {
  return sql<SqlBool>`decisions.decided_by_json like ${`%"${id}"%`}`
}
