import { sql, type Expression, type SqlBool } from 'kysely'
import type { Row } from '../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import {
  contactAddresses,
  isContactAddress,
  occurredAt,
  type InteractionFilter,
  type FoundInteraction,
} from '../contacts/shapes.ts'
import { meeting } from './access.ts'

/** Meetings that have begun, with contacts among the participants. */
export function meetingsWithContacts(
  viewer: Viewer,
  filter: InteractionFilter,
): Expression<FoundInteraction> {
  const { all, actor, now } = accessScopeOf(viewer)
  const addresses = contactAddresses(viewer, filter)
  let query = meeting
    .visibleTo(viewer)
    .where('meetings.status', '<>', 'planned')
    .where(sql<SqlBool>`meetings.takes_place_at + 0 <= ${now}`)
  // For a few contacts, look up their meetings; otherwise test each meeting for contacts.
  const participants = all
    .selectFrom('meeting_people')
    .where('meeting_people.org_id', '=', actor.org_id)
  if (addresses)
    query = query.where(
      'meetings.id',
      'in',
      participants
        .where('meeting_people.address', 'in', addresses)
        .select('meeting_people.meeting_id'),
    )
  else
    query = query.where((eb) =>
      eb.exists(
        participants
          .where('meeting_people.meeting_id', '=', sql.ref<never>('meetings.id'))
          .where(isContactAddress(viewer, 'meeting_people.address'))
          .select('meeting_people.address'),
      ),
    )
  if (filter.after !== undefined) query = query.where('meetings.takes_place_at', '>=', filter.after)
  if (filter.before !== undefined)
    query = query.where('meetings.takes_place_at', '<', filter.before)
  return query
    .select([
      'meetings.id',
      occurredAt('meetings.takes_place_at', addresses !== undefined),
      sql.lit('meetings').as('source'),
    ])
    .$castTo<FoundInteraction>()
}

/** Meetings with one of these addresses among the participants, newest first. */
export async function meetingsWith(
  reader: Viewer,
  emails: readonly string[],
  limit: number,
): Promise<Row<'meetings'>[]> {
  if (emails.length === 0) return []
  const { all, actor } = accessScopeOf(reader)
  const meetingIds = all
    .selectFrom('meeting_people')
    .select('meeting_id')
    .where('org_id', '=', actor.org_id)
    .where('address', 'in', [...emails])
  return meeting
    .visibleTo(reader)
    .selectAll('meetings')
    .where('meetings.id', 'in', meetingIds)
    .orderBy('meetings.takes_place_at', 'desc')
    .orderBy('meetings.id', 'desc')
    .limit(limit)
    .execute()
}
