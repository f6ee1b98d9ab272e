import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { meeting, meetingParticipant, transcript } from './access.ts'
import { meetingsInOtherProjects, searchedContainers } from './meetings/access-lists.ts'

/** Meetings, searched by agenda, notes and transcript, and filtered by participants. */
export const searchableMeetings = searchable({
  kind: 'meeting',
  source: 'meetings and their transcripts',
  resource: meeting,
  containers: searchedContainers,
  sharedItems: meetingsInOtherProjects,
  narrow(ctx, meetings, { project, person: personRow }) {
    const inProject = project ? meetings.where('meetings.project_id', '=', project.id) : meetings
    return personRow
      ? inProject.where(
          'meetings.id',
          'in',
          meetingParticipant
            .of(ctx, [personRow.id], 'person_id')
            .select('meeting_people.meeting_id'),
        )
      : inProject
  },
  isForeign: (ref) => ref.startsWith(`${transcript.definition.prefix}_`), // transcribed speech may come from anyone
  async work(ctx, rows) {
    const participants = await meetingParticipant
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .select(['meeting_people.meeting_id', 'meeting_people.person_id'])
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        participants.flatMap((item) =>
          item.meeting_id === row.id && item.person_id !== null
            ? [{ person: item.person_id, did: 'took part in this meeting', weight: 0.3 }]
            : [],
        ),
      ]),
    )
  },
  async facts(ctx, rows) {
    const participants = await meetingParticipant
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .select([
        'meeting_people.meeting_id',
        'meeting_people.person_id',
        'meeting_people.name',
        'meeting_people.email',
      ])
      .orderBy('meeting_people.position')
      .execute()
    const people = await person.among(
      ctx,
      participants.flatMap((item) => item.person_id ?? []),
    )
    return hitFacts(
      ctx,
      { project },
      rows.map((row) => {
        const names = participants
          .filter((item) => item.meeting_id === row.id)
          .flatMap(
            (item) =>
              people.get(item.person_id ?? '')?.display_name ?? item.name ?? item.email ?? [],
          )
        return {
          id: row.id,
          names: names.slice(0, 20),
          project: row.project_id,
          at: row.takes_place_at,
        }
      }),
    )
  },
})

/** Individual transcript lines. */
export const searchableLines = searchable({
  kind: 'transcript',
  source: 'transcripts',
  resource: meeting,
  containers: searchedContainers,
  sharedItems: meetingsInOtherProjects,
})
