import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'

/** Id of a single occurrence: the id of the series, followed by an instant, or by a day for all-day events. */
export const occurrenceIdPattern = /^(evt_[0-9a-hjkmnp-tv-z]{26})_(\d{8}(?:T\d{6}Z)?)$/

/** Splits an argument into the stored row and the occurrence that it names. */
export function occurrencePlace(eventRow: Row<'events'>): {
  row: Row<'events'>
  place: string | undefined
} {
  const { place, ...row } = eventRow as Row<'events'> & { place?: string }
  return { row, place }
}

/** The id of an occurrence; for a single event, its own. */
export function occurrenceIdOf(row: { id: string }, place: string): string {
  return place === '' ? row.id : `${row.id}_${place}`
}

/** The length of an event's id; an occurrence's place follows it. */
export const eventIdLength = 30

/** A person's own addresses in lists of attendees, lower case: the sign-in address and those of their accounts. */
export async function ownAddressesOf(
  all: AccessScope['all'],
  ownerId: Row<'users'>['id'],
  email: string,
): Promise<Set<string>> {
  const rows = await all
    .selectFrom('accounts')
    .select('accounts.address')
    .where('accounts.owner_id', '=', ownerId)
    .execute()
  return new Set([email, ...rows.map((row) => row.address)].map((name) => name.toLowerCase()))
}
