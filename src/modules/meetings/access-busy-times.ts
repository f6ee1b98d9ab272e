// Times at which meetings make people busy, with or without a calendar event.
import type { Id } from '../../kernel/ids.ts'
import type { PlannedMeeting } from '../calendar/access.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import { meeting } from './access.ts'

/** Default length of a meeting without an end. */
const defaultLengthMs = 30 * 60_000

/**
 * Planned and running meetings of people within a period, except pulses, which have no fixed time. Omits meetings
 * with an event in the person's calendar, because that event determines whether they are busy.
 */
export async function meetingTimes(
  { all, actor }: Pick<AccessScope, 'all' | 'actor'>,
  people: readonly Id<'users'>[],
  { start, end }: { start: number; end: number },
): Promise<PlannedMeeting[]> {
  if (people.length === 0) return []
  const rows = await all
    .selectFrom('meeting_people')
    .innerJoin('meetings', 'meetings.id', 'meeting_people.meeting_id')
    .selectAll('meetings')
    .select('meeting_people.person_id')
    .where('meeting_people.org_id', '=', actor.org_id)
    .where('meeting_people.address', 'in', people as readonly string[])
    .where('meetings.deleted_at', 'is', null)
    .where('meetings.cancelled_at', 'is', null)
    .where('meetings.status', '<>', 'ended')
    .where('meetings.kind', '<>', 'pulse')
    .where('meetings.starts_at', '<', end)
    .where((eb) =>
      eb.or([
        eb('meetings.ends_at', '>', start),
        eb.and([
          eb('meetings.ends_at', 'is', null),
          eb('meetings.starts_at', '>', start - defaultLengthMs),
        ]),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('events')
            .select('events.id')
            .whereRef('events.uid', '=', 'meetings.event_uid')
            .whereRef('events.owner_id', '=', 'meeting_people.person_id')
            .where('events.deleted_at', 'is', null),
        ),
      ),
    )
    .orderBy('meetings.starts_at')
    .orderBy('meetings.id')
    .execute()
  return rows.flatMap(({ person_id, ...row }) => {
    if (person_id === null || row.starts_at === null) return []
    const end = row.ends_at ?? row.starts_at + defaultLengthMs
    return {
      person_id,
      id: row.id,
      title: row.title,
      path: meeting.url(row, ''),
      start: row.starts_at,
      end,
    }
  })
}
