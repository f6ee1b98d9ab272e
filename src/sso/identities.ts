import type { Store } from '../db/open.ts'
import { endSessions } from '../identity/sessions.ts'
import type { Id } from '../kernel/ids.ts'
import type { Row } from '../records/resource.ts'

/** A person's accounts at providers. */
export function identitiesOf(db: Store['read'], person: Id<'users'>) {
  return db
    .selectFrom('sso_identities')
    .innerJoin('sso_providers', 'sso_providers.id', 'sso_identities.provider_id')
    .selectAll('sso_identities')
    .select('sso_providers.name')
    .where('sso_identities.person_id', '=', person)
    .orderBy('sso_identities.created_at')
    .execute()
}

/**
 * Disconnects a person from a provider and ends the sessions started with it; inside a job of the writer. Returns false if they
 * were not connected.
 */
export async function removeIdentity(
  store: Store,
  person: Pick<Row<'users'>, 'id'>,
  providerId: Id<'sso_providers'>,
): Promise<boolean> {
  const removed = await store.write
    .deleteFrom('sso_identities')
    .where('person_id', '=', person.id)
    .where('provider_id', '=', providerId)
    .returning('subject')
    .execute()
  await endSessions(store, (eb) =>
    eb.and([eb('person_id', '=', person.id), eb('provider_id', '=', providerId)]),
  )
  return removed.length > 0
}
