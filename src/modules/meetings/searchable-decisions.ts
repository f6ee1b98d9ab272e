import { searchable } from '../../operations/search/searchable.ts'
import { prepared } from '../../records/prepared.ts'
import type { Row } from '../../records/resource.ts'
import { person } from '../directory/access.ts'
import { project, visibleProjectIds } from '../portfolio/access.ts'
import { decision, meeting } from './access.ts'
import { decidedBy } from './meetings/access-lists.ts'

const meetingsWithDecisions = prepared((from) =>
  decision
    .visibleTo(from)
    .where('decisions.scope', '=', 'meeting')
    .select('decisions.meeting_id')
    .distinct(),
)

/** Decisions of the organization, of projects and of meetings, for their readers. */
export const searchableDecisions = searchable({
  kind: 'decision',
  source: 'decisions',
  resource: decision,
  async containers(ctx) {
    const meetingIds = await meetingsWithDecisions(ctx, {})
    return [
      ctx.actor.org_id,
      ctx.actor.id,
      ...(await visibleProjectIds(ctx)),
      ...meetingIds.flatMap((row) => row.meeting_id ?? []),
    ]
  },
  narrow(_, decisions, { project, person: personRow }) {
    const inProject = project ? decisions.where('decisions.project_id', '=', project.id) : decisions
    return personRow
      ? inProject.where((eb) =>
          eb.or([eb('decisions.created_by', '=', personRow.id), decidedBy(personRow.id)]),
        )
      : inProject
  },
  work: async (_, rows) =>
    new Map(
      rows.map((row) => [
        row.id,
        [
          ...(JSON.parse(row.decided_by_json) as string[]).map((name) => ({
            person: name,
            did: 'took this decision',
            weight: 0.8,
          })),
          { person: row.created_by, did: 'recorded this decision', weight: 0.3 },
        ],
      ]),
    ),
  async facts(ctx, rows) {
    const deciders = new Map(
      rows.map((row) => [row.id, JSON.parse(row.decided_by_json) as string[]]),
    )
    const people = await person.among(ctx, [...deciders.values()].flat())
    const projects = await project.among(
      ctx,
      rows.flatMap((row) => row.project_id ?? []),
    )
    const meetings = await meeting.among(
      ctx,
      rows.flatMap((row) => row.meeting_id ?? []),
    )
    const placeOf = (row: Row<'decisions'>) => {
      const meetingRow = row.meeting_id === null ? undefined : meetings.get(row.meeting_id)
      return meetingRow && meeting.ref(meetingRow, ctx.baseUrl)
    }
    return new Map(
      rows.map((row) => [
        row.id,
        {
          place: placeOf(row),
          people: deciders
            .get(row.id)!
            .flatMap((id) => people.get(id as typeof row.created_by)?.display_name ?? []),
          project: row.project_id === null ? undefined : projects.get(row.project_id),
          trust: 'internal' as const,
          at: row.decided_at,
        },
      ]),
    )
  },
})
