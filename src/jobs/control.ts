import type { Id } from '../kernel/ids.ts'
import { recordAction } from '../audit/act.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Store } from '../db/open.ts'
import { cancellation } from '../operations/jobs/job-store.ts'
import type { JobRow } from './claims.ts'

export interface JobFilter {
  state?: JobRow['state'] | undefined
  kind?: string | undefined
  owner?: string | undefined
  limit: number
}

export type ListedJob = JobRow & { email: string | null }

/** Jobs, newest first, with their owners' addresses. */
export async function listJobs(store: Store, filter: JobFilter): Promise<ListedJob[]> {
  let query = store.read
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.owner_id')
    .selectAll('jobs')
    .select('users.email')
  if (filter.state) query = query.where('jobs.state', '=', filter.state)
  if (filter.kind) query = query.where('jobs.kind', '=', filter.kind)
  if (filter.owner) query = query.where('jobs.owner_id', '=', filter.owner as Id<'users'>)
  return query.orderBy('jobs.id', 'desc').limit(filter.limit).execute()
}

/** @throws Refusal not_found */
export async function requireJob(store: Store, id: string): Promise<ListedJob> {
  const row = await store.read
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.owner_id')
    .selectAll('jobs')
    .select('users.email')
    .where('jobs.id', '=', id as Id<'jobs'>)
    .executeTakeFirst()
  if (!row)
    throw new Refusal(
      'not_found',
      `There is no job ${JSON.stringify(id)}.`,
      '`workspace jobs list` shows all jobs.',
    )
  return row
}

/** Restarts a job that is dead, cancelled or waiting for a retry, with all its attempts. */
export function retryJob(store: Store, clock: Clock, id: string): Promise<JobRow> {
  return changeJob(
    store,
    clock,
    'retry_job',
    id,
    ['dead', 'cancelled', 'waiting'],
    async (row, now) => {
      await requireNoDuplicate(store, row)
      return {
        state: 'waiting',
        run_at: now,
        queued_at: now,
        attempts: 0,
        finished_at: null,
        cancel_asked: 0,
      }
    },
  )
}

/** Makes a waiting job due at once. */
export function runJobNow(store: Store, clock: Clock, id: string): Promise<JobRow> {
  return changeJob(store, clock, 'run_job_now', id, ['waiting'], async (_, now) => ({
    run_at: now,
    queued_at: now,
  }))
}

/** Ends a waiting job, and asks a running one to stop. */
export function cancelJob(store: Store, clock: Clock, id: string): Promise<JobRow> {
  return changeJob(store, clock, 'cancel_job', id, ['waiting', 'running'], async (row, now) =>
    cancellation(row, now),
  )
}

type Change = (row: JobRow, now: number) => Promise<Partial<JobRow>>

function changeJob(
  store: Store,
  clock: Clock,
  tool: string,
  id: string,
  allowedStates: readonly JobRow['state'][],
  change: Change,
): Promise<JobRow> {
  return store.writer.run(async () => {
    const now = clock.now()
    const row = await store.write
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', id as Id<'jobs'>)
      .executeTakeFirst()
    if (!row)
      throw new Refusal(
        'not_found',
        `There is no job ${JSON.stringify(id)}.`,
        '`workspace jobs list` shows all jobs.',
      )
    if (!allowedStates.includes(row.state))
      throw new Refusal(
        'conflict',
        `The job is ${row.state}; it must be ${allowedStates.join(' or ')}.`,
      )
    const after = await store.write
      .updateTable('jobs')
      .set(await change(row, now))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const { org_id, owner_id } = row
    if (org_id !== null && owner_id !== null)
      await recordAction(store, {
        tool,
        route: 'workspace jobs',
        kind: 'write',
        via: 'cli',
        at: now,
        org_id,
        actor_id: owner_id,
        items: [{ type: 'job', id: row.id }],
      })
    return after
  })
}

async function requireNoDuplicate(
  store: Store,
  { id, org_id, kind, unique_key }: JobRow,
): Promise<void> {
  if (unique_key === null) return
  const duplicates = store.write
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('unique_key', '=', unique_key)
    .where('finished_at', 'is', null)
    .where('id', '<>', id)
  const other = await (org_id === null
    ? duplicates.where('org_id', 'is', null)
    : duplicates.where('org_id', '=', org_id)
  ).executeTakeFirst()
  if (other) throw new Refusal('conflict', `Another job already does this: ${other.id}.`)
}
