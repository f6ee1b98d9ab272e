import { chunks } from '../../../kernel/chunks.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { ownAddressesOf } from '../access.ts'
import { plannedMeetings } from '../events/access-meetings.ts'
import { occurrencesIn } from '../events/access-occurrences.ts'
import type { TimeSpan } from './spans.ts'

/** A busy time without details. */
export interface BusyTime extends TimeSpan {
  isFocus: boolean
}

/**
 * Busy times of colleagues, from their planned meetings and their own calendars. Read-only calendars, declined events
 * and events marked as free do not count.
 * `people`: rows that the caller may see; only the fact that they are busy is returned.
 */
export async function takenTimes(
  viewer: Viewer,
  people: readonly Pick<Row<'users'>, 'id' | 'email'>[],
  { start, end }: TimeSpan,
): Promise<Map<string, BusyTime[]>> {
  const { all } = accessScopeOf(viewer)
  const busyByPerson = new Map<string, BusyTime[]>()
  const meetings = await plannedMeetings(
    viewer,
    people.map((person) => person.id),
    { start, end },
  )
  for (const person of people) {
    const calendars = await all
      .selectFrom('calendars')
      .leftJoin('accounts', 'accounts.id', 'calendars.account_id')
      .select('calendars.id')
      .where('calendars.owner_id', '=', person.id)
      .where('calendars.access', 'in', ['owner', 'writer'])
      .where('accounts.removed_at', 'is', null)
      .execute()
    const times = await occurrencesIn(
      all,
      { owner: person.id, calendars: calendars.map((each) => each.id) },
      start,
      end,
      await ownAddressesOf(all, person.id, person.email),
    )
    const busy = times.filter((each) => each.busy === 1 && each.ends_at > each.starts_at)
    const focus = await focusEventIds(
      all,
      busy.map((each) => each.event_id),
    )
    const planned = meetings.filter((each) => each.person_id === person.id && each.end > each.start)
    busyByPerson.set(person.id, [
      ...busy.map((each) => ({
        start: each.starts_at,
        end: each.ends_at,
        isFocus: focus.has(each.event_id),
      })),
      ...planned.map((each) => ({ start: each.start, end: each.end, isFocus: false })),
    ])
  }
  return busyByPerson
}

async function focusEventIds(
  all: ReturnType<typeof accessScopeOf>['all'],
  ids: readonly Row<'events'>['id'][],
): Promise<Set<string>> {
  const focusIds = new Set<string>()
  const uniqueIds = [...new Set(ids)]
  for (const batch of chunks(uniqueIds, 500)) {
    const rows = await all
      .selectFrom('events')
      .select('id')
      .where('id', 'in', batch)
      .where('kind', '=', 'focus')
      .execute()
    for (const row of rows) focusIds.add(row.id)
  }
  return focusIds
}
