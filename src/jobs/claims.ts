import type { App } from '../operations/app.ts'
import type { Id } from '../kernel/ids.ts'
import type { JobKind } from '../operations/jobs/job.ts'
import type { Row } from '../records/resource.ts'
import { skipWithoutRights } from './rights.ts'

export type JobRow = Row<'jobs'>

const priorities = [0, 1, 2] as const

export interface WorkerCapacity {
  free: number
  /** Jobs it runs, including those still running after it lost them. */
  claimedIds: ReadonlySet<Id<'jobs'>>
}

type Candidate = Pick<JobRow, 'id' | 'kind'>

/**
 * Claims due jobs with a lease, in one writer job, so that no two processes claim the same one and the limit per kind
 * holds across processes. If nothing is due, nothing is written. Jobs whose person may no longer act are ended
 * instead.
 */
export async function claim(app: App, lease: string, capacity: WorkerCapacity): Promise<JobRow[]> {
  if (capacity.free <= 0 || !(await isAnyDue(app))) return []
  if ((await candidates(app, 'read', capacity)).length === 0) return []
  const now = app.clock.now()
  return app.store.writer.run(async () => {
    const claimed: JobRow[] = []
    for (const { id } of await candidates(app, 'write', capacity)) {
      const row = await app.store.write
        .updateTable('jobs')
        .set((eb) => ({
          state: 'running',
          lease,
          beats: 0,
          cancel_asked: 0,
          asked_again: 0,
          attempts: eb('attempts', '+', 1),
          started_at: now,
        }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (!(await skipWithoutRights(app, row))) claimed.push(row)
    }
    return claimed
  })
}

/** Whether any job is due: the only query of an idle queue. */
async function isAnyDue(app: App): Promise<boolean> {
  const row = await app.store.read
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where('run_at', '<=', app.clock.now())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Jobs that may start now, in order: by priority, then by due time. */
async function candidates(
  app: App,
  connection: 'read' | 'write',
  { free, claimedIds }: WorkerCapacity,
): Promise<Candidate[]> {
  const running = await runningByKind(app, connection)
  const startable: Candidate[] = []
  for (const priority of priorities) {
    if (startable.length >= free) break
    const due: (Candidate & { run_at: number })[] = []
    for (const kind of app.jobs.kinds.values()) {
      const room =
        maxConcurrent(kind) -
        (running.get(kind.name) ?? 0) -
        startable.filter((candidate) => candidate.kind === kind.name).length
      if (room > 0)
        due.push(
          ...(await dueOf(app, connection, kind.name, priority, Math.min(room, free), claimedIds)),
        )
    }
    startable.push(...due.sort((a, b) => a.run_at - b.run_at || (a.id < b.id ? -1 : 1)))
  }
  return startable.slice(0, free)
}

const maxConcurrent = (kind: JobKind) => kind.concurrency ?? 2

async function dueOf(
  app: App,
  by: 'read' | 'write',
  kind: string,
  priority: 0 | 1 | 2,
  limit: number,
  ownJobIds: ReadonlySet<Id<'jobs'>>,
) {
  const rows = await app.store[by]
    .selectFrom('jobs')
    .select(['id', 'kind', 'run_at'])
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('priority', '=', priority)
    .where('run_at', '<=', app.clock.now())
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit + ownJobIds.size)
    .execute()
  return rows.filter((row) => !ownJobIds.has(row.id)).slice(0, limit)
}

async function runningByKind(app: App, by: 'read' | 'write'): Promise<Map<string, number>> {
  const rows = await app.store[by]
    .selectFrom('jobs')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('n')])
    .where('state', '=', 'running')
    .groupBy('kind')
    .execute()
  return new Map(rows.map((row) => [row.kind, row.n]))
}

/** When the next waiting job is due; undefined if none waits. Jobs that are already due do not count: they wait for capacity. */
export async function nextDueAt(app: App): Promise<number | undefined> {
  const row = await app.store.read
    .selectFrom('jobs')
    .select('run_at')
    .where('state', '=', 'waiting')
    .where('run_at', '>', app.clock.now())
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return row?.run_at
}
