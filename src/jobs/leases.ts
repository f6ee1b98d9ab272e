// Leases do not depend on the wall clock. A holder increments `beats` while it runs a job; a process that sees the same
// count for a whole lease, on its own monotonic clock, knows that the holder is gone. So a clock jump of a year neither
// frees a running job nor blocks one for a year.

import type { App } from '../operations/app.ts'
import type { Id } from '../kernel/ids.ts'
import type { JobRow } from './claims.ts'

/** Increments the beats of jobs that a process runs; returns the ids of those it still holds. */
export function renewLeases(
  app: App,
  lease: string,
  ids: readonly Id<'jobs'>[],
): Promise<Set<Id<'jobs'>>> {
  return app.store.writer.run(async () => {
    const extended = await app.store.write
      .updateTable('jobs')
      .set((eb) => ({ beats: eb('beats', '+', 1) }))
      .where('id', 'in', ids)
      .where('lease', '=', lease)
      .returning('id')
      .execute()
    return new Set(extended.map((row) => row.id))
  })
}

/** Jobs of this process whose cancellation was requested. */
export async function cancelRequestedIds(app: App, lease: string): Promise<Id<'jobs'>[]> {
  const rows = await app.store.read
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'running')
    .where('lease', '=', lease)
    .where('cancel_asked', '=', 1)
    .execute()
  return rows.map((row) => row.id)
}

interface LeaseState {
  lease: string | null
  beats: number
  since: number
}

/** Watches jobs running elsewhere, and frees those of ended processes. */
export class LeaseWatch {
  readonly #app: App
  readonly #length: number
  #states = new Map<Id<'jobs'>, LeaseState>()

  /** `length`: duration of a lease in milliseconds. */
  constructor(app: App, length: number) {
    this.#app = app
    this.#length = length
  }

  /** Whether jobs were running elsewhere at the last check. */
  get isWatching(): boolean {
    return this.#states.size > 0
  }

  /** Restarts jobs of processes whose leases have expired. `ownJobIds`: jobs run by this process. */
  async freeExpired(ownJobIds: ReadonlySet<Id<'jobs'>>): Promise<void> {
    const running = await this.#app.store.read
      .selectFrom('jobs')
      .select(['id', 'lease', 'beats'])
      .where('state', '=', 'running')
      .execute()
    const now = this.#app.clock.monotonic()
    const states = new Map<Id<'jobs'>, LeaseState>()
    for (const { id, lease, beats } of running.filter((item) => !ownJobIds.has(item.id))) {
      const previous = this.#states.get(id)
      const isUnchanged = previous?.lease === lease && previous.beats === beats
      states.set(id, isUnchanged ? previous : { lease, beats, since: now })
    }
    this.#states = states
    const dead = [...states].filter(([, state]) => now - state.since >= this.#length)
    if (dead.length === 0) return
    await this.#app.store.writer.run(async () => {
      for (const [id, leaseState] of dead) await freeExpiredJob(this.#app, id, leaseState)
    })
  }
}

/** Frees a lease unless another process has changed it meanwhile. */
async function freeExpiredJob(
  app: App,
  id: Id<'jobs'>,
  { lease, beats }: LeaseState,
): Promise<void> {
  const row = await app.store.write
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('beats', '=', beats)
    .executeTakeFirst()
  if (row) await restartOrEnd(app, row)
}

/**
 * Frees jobs left running by earlier servers of this data directory; returns their number. Only for a server that
 * holds its lock: then no other one is alive.
 */
export async function freeServerJobs(app: App, prefix: string): Promise<number> {
  return app.store.writer.run(async () => {
    const rows = await app.store.write
      .selectFrom('jobs')
      .selectAll()
      .where('state', '=', 'running')
      .where('lease', 'like', `${prefix}%`)
      .execute()
    for (const row of rows) await restartOrEnd(app, row)
    return rows.length
  })
}

/**
 * Restarts a job of a process that died silently, unless it was started too often: the job itself may be what kills
 * processes.
 */
async function restartOrEnd(app: App, row: JobRow): Promise<void> {
  const now = app.clock.now()
  const last_error = 'The process running it ended unexpectedly.'
  const finished = { lease: null, finished_at: now, last_error }
  const isLast = row.attempts >= row.most_attempts
  const ended: 'cancelled' | 'dead' = row.cancel_asked ? 'cancelled' : 'dead'
  const patch =
    row.cancel_asked || isLast
      ? { ...finished, state: ended }
      : { lease: null, state: 'waiting' as const, run_at: now, queued_at: now, last_error }
  await app.store.write.updateTable('jobs').set(patch).where('id', '=', row.id).execute()
  app.log.warn('a job was left by a process that ended', {
    job: row.id,
    kind: row.kind,
    attempts: row.attempts,
    state: patch.state,
  })
}
