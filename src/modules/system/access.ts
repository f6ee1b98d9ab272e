import type { DocumentEntry, DocumentPosition } from '../../operations/documents.ts'
import { containsText } from '../../db/text-conditions.ts'
import type { WriteContext } from '../../operations/context.ts'
import { cancellation } from '../../operations/jobs/job-store.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import { applyOrder, type Order } from '../../records/paging.ts'
import { resource, type Row } from '../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'

/** Jobs: read-only, each person's own; through a key limited to some modules only those it requested. */
export const job = resource('jobs', {
  type: 'job',
  prefix: 'job',
  see: (s) => {
    const ownJobs = s.all.selectFrom('jobs').where('jobs.owner_id', '=', s.actor.id)
    return s.actor.key?.toolsets ? ownJobs.where('jobs.key_id', '=', s.actor.key.id) : ownJobs
  },
  edit: (s) => {
    const ownJobs = s.all.selectFrom('jobs').where('jobs.owner_id', '=', s.actor.id)
    return s.actor.key ? ownJobs.where('jobs.key_id', '=', s.actor.key.id) : ownJobs
  },
  rule: { edit: 'Only the key that started a job may cancel it.' },
  title: (row) => row.kind,
  path: (row) => `jobs/${row.id}`,
})

/** Ends a waiting job, and asks a running one to stop; an ended one stays unchanged. */
export async function cancelJob(
  ctx: WriteContext,
  { id }: Pick<Row<'jobs'>, 'id'>,
): Promise<Row<'jobs'>> {
  const { all, now } = accessScopeOf(ctx)
  const row = await all
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (row.finished_at !== null) return row
  return all
    .updateTable('jobs')
    .set(cancellation(row, now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes jobs that ended before a moment, up to a limit; returns their number. */
export async function deleteOldJobs(
  { all }: TickContext,
  before: number,
  limit: number,
): Promise<number> {
  const expired = await all
    .selectFrom('jobs')
    .select('id')
    .where('finished_at', '<', before)
    .orderBy('finished_at')
    .limit(limit)
    .execute()
  if (expired.length > 0)
    await all
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        expired.map((row) => row.id),
      )
      .execute()
  return expired.length
}

/** Jobs requested by the caller, newest first; those after a position, or with a kind containing a text. */
export function newestJobs(
  viewer: Viewer,
  place: DocumentPosition | undefined,
  limit: number,
  kind = '',
): Promise<DocumentEntry[]> {
  const order: Order[] = [
    { by: 'jobs.created_at', as: 'updated_at', dir: 'desc' },
    { by: 'jobs.id', as: 'id', dir: 'desc' },
  ]
  const query = applyOrder(
    job.visibleTo(viewer).where(containsText(['jobs.kind'], kind)),
    order,
    place && [place.updated_at, place.id],
  )
  return query
    .select(['jobs.id', 'jobs.id as key', 'jobs.kind as title', 'jobs.created_at as updated_at'])
    .limit(limit)
    .execute()
}
