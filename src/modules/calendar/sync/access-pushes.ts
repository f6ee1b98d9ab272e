import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/**
 * Records that an object must be deleted from its server: it is deleted, or moved to another calendar. Inside a
 * writer job.
 */
export async function queueRemoteDeletion(
  viewer: Viewer,
  row: Pick<
    Row<'events'>,
    'calendar_id' | 'org_id' | 'owner_id' | 'uid' | 'remote_href' | 'etag' | 'synced_ics'
  >,
): Promise<void> {
  if (row.remote_href === null) return
  const { all, now } = accessScopeOf(viewer)
  const { calendar_id, org_id, owner_id, uid, etag } = row
  await all
    .insertInto('calendar_deletions')
    .values({
      calendar_id,
      href: row.remote_href,
      org_id,
      owner_id,
      uid,
      etag,
      base_ics: row.synced_ics,
      problem: null,
      added_at: now,
    })
    .onConflict((on) =>
      on
        .columns(['calendar_id', 'href'])
        .doUpdateSet({ etag, base_ics: row.synced_ics, problem: null, added_at: now }),
    )
    .execute()
}
