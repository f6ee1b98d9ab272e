import type { Kysely } from 'kysely'
import type { Id } from '../kernel/ids.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { Tables } from '../db/tables.ts'

/** Maximum recorded programs per key. Beyond it, names are probably made up: they cause no notifications. */
const maxClients = 50

/**
 * Records a program that uses a key, and notifies the owner of a new one; another version counts as the same program.
 * Inside a writer job.
 */
export async function recordClient(
  db: Kysely<Tables>,
  now: number,
  keyId: Id<'api_keys'>,
  userAgent: string,
): Promise<void> {
  const client = userAgent.split('/')[0]!.trim().slice(0, 100)
  if (client === '') return
  const clients = await db
    .selectFrom('key_clients')
    .select('client')
    .where('key_id', '=', keyId)
    .limit(maxClients)
    .execute()
  if (clients.length >= maxClients || clients.some((item) => item.client === client)) return
  const key = await db
    .selectFrom('api_keys')
    .select(['org_id', 'owner_id', 'name'])
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!key) return
  await db
    .insertInto('key_clients')
    .values({ key_id: keyId, client, org_id: key.org_id, first_at: now })
    .execute()
  await notifyPeople(db, now, key.org_id, [key.owner_id], {
    kind: 'security',
    item: { type: 'api_key', id: keyId },
    actor: null,
    text: `Your key "${key.name}" was used by ${client} for the first time`,
  })
}
