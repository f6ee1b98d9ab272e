import type { App } from '../operations/app.ts'
import { nextRun } from '../kernel/time/cron.ts'
import { newId } from '../kernel/ids.ts'
import type { Schedule } from '../kernel/job-options.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'

const batchSize = 50

/** Writes the modules' current schedules into the database. */
export function defineSchedules(app: App): Promise<void> {
  const { write, writer } = app.store
  return writer.run(async () => {
    const names = app.jobs.schedules.map((schedule) => schedule.name)
    const removal = write.deleteFrom('job_schedules').where('defined', '=', 1)
    await (names.length > 0 ? removal.where('name', 'not in', names) : removal).execute()
    for (const schedule of app.jobs.schedules) await upsertSchedule(app, schedule)
  })
}

/** An unchanged schedule keeps its next run time, so that a run missed while the server was down is caught up. */
async function upsertSchedule(
  app: App,
  { name, kind, cron, timezone = 'UTC', args = {} }: Schedule,
): Promise<void> {
  const { write } = app.store
  const now = app.clock.now()
  const arguments_json = JSON.stringify(args)
  const existing = await write
    .selectFrom('job_schedules')
    .selectAll()
    .where('name', '=', name)
    .where('org_id', 'is', null)
    .executeTakeFirst()
  const next_at =
    existing?.cron === cron && existing.timezone === timezone
      ? existing.next_at
      : nextRun(cron, timezone, now)
  if (existing)
    await write
      .updateTable('job_schedules')
      .set({ kind, cron, timezone, arguments_json, next_at })
      .where('id', '=', existing.id)
      .execute()
  else
    await write
      .insertInto('job_schedules')
      .values({
        id: newId('jsc', now),
        org_id: null,
        owner_id: null,
        name,
        defined: 1,
        kind,
        arguments_json,
        cron,
        timezone,
        next_at,
        last_at: null,
        created_at: now,
      })
      .execute()
}

/** When the next schedule is due. */
export async function nextScheduleAt(app: App): Promise<number | undefined> {
  const row = await app.store.read
    .selectFrom('job_schedules')
    .select('next_at')
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_at ?? undefined
}

/** Turns due schedules into jobs: one each, however often it was due; none if the last one still runs or waits. */
export async function fireSchedules(app: App): Promise<void> {
  for (;;) {
    const due = await dueSchedules(app, 'read')
    if (due.length === 0) return
    await app.store.writer.run(async () => {
      for (const row of await dueSchedules(app, 'write')) await fire(app, row)
    })
    if (due.length < batchSize) return
  }
}

function dueSchedules(app: App, connection: 'read' | 'write'): Promise<Row<'job_schedules'>[]> {
  return app.store[connection]
    .selectFrom('job_schedules')
    .selectAll()
    .where('next_at', '<=', app.clock.now())
    .orderBy('next_at')
    .limit(batchSize)
    .execute()
}

async function fire(app: App, row: Row<'job_schedules'>): Promise<void> {
  const { write } = app.store
  const now = app.clock.now()
  const requester =
    row.org_id !== null && row.owner_id !== null
      ? { org_id: row.org_id, owner_id: row.owner_id, key_id: null }
      : undefined
  await write
    .updateTable('job_schedules')
    .set({ last_at: now, next_at: nextScheduledRun(app, row, now) })
    .where('id', '=', row.id)
    .execute()
  if (!app.jobs.kinds.has(row.kind))
    return app.log.warn('a schedule requests an unknown kind of job', {
      schedule: row.name,
      kind: row.kind,
    })
  try {
    await app.jobs.add(
      write,
      now,
      row.kind,
      JSON.parse(row.arguments_json) as Record<string, unknown>,
      requester,
      { uniqueKey: `schedule:${row.id}` },
    )
  } catch (error) {
    app.log.error('a schedule could not request its job', {
      schedule: row.name,
      kind: row.kind,
      error: (error as Error).message,
    }) // its arguments are from another version; the other schedules continue
  }
}

function nextScheduledRun(
  app: App,
  { cron, timezone, name }: Row<'job_schedules'>,
  after: number,
): number | null {
  try {
    return nextRun(cron, timezone, after)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    app.log.error('a schedule is invalid and is not run', { schedule: name, error: error.message }) // a time zone that this machine does not know
    return null
  }
}

/** After the clock was set back: schedules are recomputed, instead of waiting until the old time is reached again. */
export async function recomputeSchedules(app: App): Promise<void> {
  const now = app.clock.now()
  const rows = await app.store.read
    .selectFrom('job_schedules')
    .selectAll()
    .where('next_at', '>', now)
    .execute()
  const postponed = rows.flatMap((row) => {
    const next = nextScheduledRun(app, row, now)
    return next !== null && next < row.next_at! ? [{ id: row.id, next }] : []
  })
  if (postponed.length === 0) return
  await app.store.writer.run(async () => {
    for (const { id, next } of postponed)
      await app.store.write
        .updateTable('job_schedules')
        .set({ next_at: next })
        .where('id', '=', id)
        .execute()
  })
}
