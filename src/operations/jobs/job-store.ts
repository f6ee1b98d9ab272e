import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { nextRun } from '../../kernel/time/cron.ts'
import { newId, type Id } from '../../kernel/ids.ts'
import type { JobKind } from './job.ts'
import type { JobOptions, Schedule } from '../../kernel/job-options.ts'
import type { Module } from '../module.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/row.ts'

const priorities = { high: 0, normal: 1, low: 2 } as const
const maxBytes = 64 * 1024

/** The person who requests a job, with or without a key; undefined for jobs of the system. */
export interface JobRequester {
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  key_id: Id<'api_keys'> | null
}

/** Number of jobs of a kind in a state. */
export interface JobCount {
  kind: string
  state: Tables['jobs']['state']
  count: number
}

/** The modules' kinds of jobs, and the only way to add jobs to the database. */
export class Jobs {
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly schedules: readonly Schedule[]
  readonly #wakeListeners = new Set<() => void>()

  /** @throws Error if two kinds or schedules share a name, or a schedule is invalid */
  constructor(modules: readonly Module[]) {
    const kinds = modules.flatMap((module) => module.jobs ?? [])
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.schedules = modules.flatMap((module) => module.schedules ?? [])
    if (this.kinds.size < kinds.length) throw new Error('Two kinds of jobs share a name.')
    if (new Set(this.schedules.map((schedule) => schedule.name)).size < this.schedules.length)
      throw new Error('Two schedules share a name.')
    for (const schedule of this.schedules) this.#check(schedule)
  }

  /**
   * Adds a job, inside a job of the writer; if an unfinished job has the same unique key, returns the id of that. The
   * caller calls wake() after the commit.
   */
  async add(
    db: Kysely<Tables>,
    now: number,
    name: string,
    args: Record<string, unknown>,
    requester: JobRequester | undefined,
    options: JobOptions = {},
  ): Promise<Id<'jobs'>> {
    const kind = this.#requireKind(name)
    const text = jobArgumentsText(kind, args)
    const existing =
      options.uniqueKey === undefined
        ? undefined
        : await findUnfinishedJob(db, name, options.uniqueKey, requester)
    if (existing) return mergeIntoJob(db, existing, now, options)
    const id = newId<'jobs'>('job', now)
    await db
      .insertInto('jobs')
      .values({
        ...(requester ?? { org_id: null, owner_id: null, key_id: null }),
        id,
        kind: name,
        arguments_json: text,
        state: 'waiting',
        priority: priorities[options.priority ?? 'normal'],
        run_at: options.runAt ?? now,
        queued_at: now,
        attempts: 0,
        most_attempts: options.maxAttempts ?? kind.maxAttempts ?? 8,
        lease: null,
        beats: 0,
        cancel_asked: 0,
        asked_again: 0,
        unique_key: options.uniqueKey ?? null,
        progress_json: null,
        result_json: null,
        last_error: null,
        created_at: now,
        started_at: null,
        finished_at: null,
      })
      .execute()
    return id
  }

  /** A job of one of these kinds that a key requested. */
  async findRequestedBy(
    db: Kysely<Tables>,
    id: string,
    key: Id<'api_keys'>,
    kinds: ReadonlySet<string>,
  ): Promise<Row<'jobs'> | undefined> {
    const job = await db
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', id as Id<'jobs'>)
      .where('key_id', '=', key)
      .executeTakeFirst()
    return job && kinds.has(job.kind) ? job : undefined
  }

  /** Writes a schedule of a person, replacing one of the same name; inside a job of the writer. @throws Refusal if it is invalid */
  async setSchedule(
    db: Kysely<Tables>,
    now: number,
    schedule: Schedule,
    requester: JobRequester,
  ): Promise<void> {
    this.#check(schedule)
    const { name, kind, cron, timezone = 'UTC', args = {} } = schedule
    await this.dropSchedule(db, name, requester)
    const row = {
      id: newId<'job_schedules'>('jsc', now),
      org_id: requester.org_id,
      owner_id: requester.owner_id,
      name,
      defined: 0,
      kind,
      arguments_json: JSON.stringify(args),
      cron,
      timezone,
    } as const
    await db
      .insertInto('job_schedules')
      .values({ ...row, next_at: nextRun(cron, timezone, now), last_at: null, created_at: now })
      .execute()
  }

  async dropSchedule(
    db: Kysely<Tables>,
    name: string,
    requester: Pick<JobRequester, 'org_id'>,
  ): Promise<void> {
    await db
      .deleteFrom('job_schedules')
      .where('org_id', '=', requester.org_id)
      .where('name', '=', name)
      .execute()
  }

  /** Unfinished and dead jobs by kind and state, for metrics. */
  countUnfinished(db: Kysely<Tables>): Promise<JobCount[]> {
    const counts = db
      .selectFrom('jobs')
      .select((eb) => ['kind', 'state', eb.fn.countAll<number>().as('count')])
      .where('state', 'in', ['waiting', 'running', 'dead'])
    return counts.groupBy(['state', 'kind']).orderBy('kind').orderBy('state').execute()
  }

  /** Notifies the job runner that there are new jobs. */
  wake(): void {
    for (const listener of this.#wakeListeners) listener()
  }

  /** @returns a function that removes the listener */
  onWake(listener: () => void): () => void {
    this.#wakeListeners.add(listener)
    return () => void this.#wakeListeners.delete(listener)
  }

  #check({ name, kind, cron, timezone = 'UTC', args = {} }: Schedule): void {
    nextRun(cron, timezone, 0)
    if (name === '' || name.length > 200)
      throw new Error('A schedule needs a name of 1 to 200 characters.')
    jobArgumentsText(this.#requireKind(kind), args)
  }

  #requireKind(name: string): JobKind {
    const kind = this.kinds.get(name)
    if (!kind) throw new Error(`Unknown kind of job: ${name}.`)
    return kind
  }
}

/** Changes that cancel an unfinished job: a waiting one ends, a running one is asked to stop. */
export function cancellation(
  { state }: Pick<Row<'jobs'>, 'state'>,
  now: number,
): Partial<Row<'jobs'>> {
  return state === 'running' ? { cancel_asked: 1 } : { state: 'cancelled', finished_at: now }
}

/** The stored arguments, unparsed: the program that runs the job parses them again. */
function jobArgumentsText(kind: JobKind, args: Record<string, unknown>): string {
  const parsed = kind.args.safeParse(args)
  if (!parsed.success)
    throw new Error(`Wrong arguments for a job ${kind.name}: ${parsed.error.message}`)
  const text = JSON.stringify(args)
  if (Buffer.byteLength(text) > maxBytes)
    throw new Refusal(
      'too_large',
      'This is too much for one job.',
      'Split it into smaller requests.',
    )
  return text
}

type UnfinishedJob = { id: Id<'jobs'>; state: string; run_at: number }

function findUnfinishedJob(
  db: Kysely<Tables>,
  kind: string,
  key: string,
  requester: JobRequester | undefined,
): Promise<UnfinishedJob | undefined> {
  const query = db
    .selectFrom('jobs')
    .select(['id', 'state', 'run_at'])
    .where('kind', '=', kind)
    .where('unique_key', '=', key)
    .where('finished_at', 'is', null)
  return (
    requester ? query.where('org_id', '=', requester.org_id) : query.where('org_id', 'is', null)
  ).executeTakeFirst()
}

/** Merges a request into an unfinished job: a waiting one runs at the earlier time, a running one possibly again. */
async function mergeIntoJob(
  db: Kysely<Tables>,
  { id, state, run_at }: UnfinishedJob,
  now: number,
  options: JobOptions,
): Promise<Id<'jobs'>> {
  const runAt = options.runAt ?? now
  if (state === 'waiting' && runAt < run_at)
    await db
      .updateTable('jobs')
      .set({ run_at: runAt, queued_at: now })
      .where('id', '=', id)
      .execute()
  if (state === 'running' && options.whileRunning === 'again')
    await db.updateTable('jobs').set({ asked_again: 1 }).where('id', '=', id).execute()
  return id
}
