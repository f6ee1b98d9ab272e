import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { z } from 'zod'
import { jobKind } from '../operations/jobs/job.ts'
import type { Schedule } from '../kernel/job-options.ts'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { requirePerson, setStatus } from '../identity/people.ts'
import { modules } from '../modules/index.ts'
import { dayLong, hour, makeWorkspace, minute } from '../testing/harness.ts'
import { Queue } from './queue.ts'

const setSchedule = operation({
  name: 'set_schedule',
  kind: 'write',
  rest: 'POST /api/schedule',
  about: 'Let it ring by a schedule',
  input: { cron: z.string().max(200), off: z.boolean().default(false) },
  output: z.strictObject({}),
  async handle({ cron, off }, ctx) {
    if (off) await ctx.unschedule('mine')
    else
      await ctx.schedule({
        name: 'mine',
        cron,
        timezone: ctx.actor.timezone,
        kind: 'ring',
        args: { bell: 'mine' },
      })
    return {}
  },
})

/** A workspace whose module has schedules of a job that records its runs and their owners. */
async function setUp(t: TestContext, schedules: Schedule[] = []) {
  const rings: { at: string; bell: string; owner: string | undefined }[] = []
  const ring = jobKind({
    name: 'ring',
    about: 'For this test',
    args: z.strictObject({ bell: z.string().default('house') }),
    run: async ({ bell }, job) =>
      void rings.push({ at: new Date(job.now()).toISOString(), bell, owner: job.owner }),
  })
  const module: Module = {
    name: 'ringing',
    about: 'For this test.',
    operations: [setSchedule],
    jobs: [ring],
    schedules,
  }
  const workspace = await makeWorkspace({
    modules: [...modules.map((item) => ({ ...item, schedules: [] })), module],
  })
  t.after(() => workspace.close())
  const queue = new Queue(workspace.app)
  const rows = () =>
    workspace.app.store.raw.read
      .prepare('SELECT name, org_id, cron, next_at, last_at FROM job_schedules ORDER BY name')
      .all() as Record<string, any>[]
  /** Advances time in steps and runs all due work. */
  const pass = async (length: number, step: number, runningQueue = queue) => {
    for (let elapsed = 0; elapsed < length; elapsed += step) {
      workspace.clock.pass(step)
      await runningQueue.drain()
    }
  }
  return { ...workspace, queue, rings, rows, pass }
}

const daily: Schedule = {
  name: 'daily',
  cron: '30 2 * * *',
  timezone: 'Europe/Berlin',
  kind: 'ring',
}

test('a module schedule fires on time, once a day, across DST changes', async (t) => {
  const { clock, queue, rings, pass } = await setUp(t, [daily])
  clock.at = Date.parse('2026-03-27T12:00:00Z')
  await queue.drain()
  assert.equal(rings.length, 0)
  await pass(3 * dayLong, 30 * minute)
  assert.deepEqual(
    rings.map((ring) => ring.at),
    ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
  )
})

test('after a year of downtime a schedule catches up once and continues as before', async (t) => {
  const { clock, app, queue, rings, rows, pass } = await setUp(t, [
    daily,
    { ...daily, name: 'often', cron: '* * * * *' },
  ])
  await queue.drain()
  clock.pass(365 * dayLong + hour)
  const next = new Queue(app)
  await next.drain()
  assert.equal(rings.length, 2)
  await next.drain()
  assert.equal(rings.length, 2)
  await pass(3 * minute, minute, next)
  assert.equal(rings.length, 5)
  assert.ok(
    rows().every((row) => row.next_at > clock.now() && row.next_at <= clock.now() + 26 * hour),
  )
})

test('after the clock is set back a year, a schedule does not wait for the year to pass again', async (t) => {
  const { clock, app, queue, rings, pass } = await setUp(t, [daily])
  await queue.drain()
  clock.pass(-365 * dayLong)
  await pass(2 * dayLong, hour)
  assert.equal(rings.length, 2)
  clock.pass(-30 * dayLong)
  await pass(dayLong, hour, new Queue(app))
  assert.equal(rings.length, 3, 'nor does a process that starts afterwards wait')
})

test('a schedule with a job waiting or running adds no other', async (t) => {
  const { clock, app, queue, rows } = await setUp(t, [{ ...daily, cron: '* * * * *' }])
  await queue.drain()
  app.store.raw.write
    .prepare(
      "INSERT INTO jobs SELECT 'job_there', org_id, owner_id, NULL, kind, '{}', 'running', 1, 0, 0, 1, 8, 'process-x', 0, 0, 0, 'schedule:' || id, NULL, NULL, NULL, 0, 0, NULL FROM job_schedules",
    )
    .run()
  clock.pass(5 * minute)
  await queue.drain()
  assert.equal(app.store.raw.read.prepare('SELECT count(*) FROM jobs').pluck().get(), 1)
  assert.equal(rows()[0]!.last_at, clock.now())
})

test('module schedules in the database match their current definitions', async (t) => {
  const { app, queue, rows } = await setUp(t, [daily, { ...daily, name: 'other' }])
  await queue.drain()
  const before = rows()[0]!.next_at
  const changed = [{ ...daily, cron: '0 9 * * *' }]
  const jobs = Object.create(app.jobs, { schedules: { value: changed } }) as typeof app.jobs
  await new Queue({ ...app, jobs }).drain()
  assert.deepEqual(
    rows().map((row) => [row.name, row.cron]),
    [['daily', '0 9 * * *']],
  )
  assert.notEqual(rows()[0]!.next_at, before)
})

test('people set their own schedules, which run on their behalf as long as they may act', async (t) => {
  const { ann, bob, app, clock, queue, rings, rows, pass } = await setUp(t)
  await ann.call('set_schedule', { cron: '0 14 * * *' })
  await ann.call('set_schedule', { cron: '0 15 * * *' })
  await bob.call('set_schedule', { cron: '0 16 * * *', off: true })
  assert.equal(rows().length, 0, 'an organization has one schedule of each name')
  await bob.call('set_schedule', { cron: '0 16 * * *' })
  await queue.drain()
  await pass(dayLong, hour)
  assert.deepEqual(rings, [{ at: '2026-11-20T15:00:00.000Z', bell: 'mine', owner: bob.id }])
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'deactivated')
  await pass(dayLong, hour)
  assert.equal(rings.length, 1)
  assert.equal(
    app.store.raw.read
      .prepare("SELECT count(*) FROM calls WHERE error_code = 'skipped_no_rights'")
      .pluck()
      .get(),
    1,
  )
})

test('an invalid schedule is refused', async (t) => {
  const { ann, rows } = await setUp(t)
  assert.equal((await ann.refused('set_schedule', { cron: 'every day' })).more.field, 'cron')
  assert.deepEqual(rows(), [])
})

test('a module with an invalid schedule does not start', async (t) => {
  await assert.rejects(setUp(t, [{ ...daily, cron: '99 * * * *' }]), /is not a cron schedule/)
  await assert.rejects(setUp(t, [{ ...daily, kind: 'nothing' }]), /Unknown kind of job: nothing/)
  await assert.rejects(setUp(t, [daily, daily]), /share a name/)
})
