import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { z } from 'zod'
import { verifyCalls } from '../audit/verify.ts'
import { exponential } from '../kernel/backoff.ts'
import { GiveUp, jobKind, TryLater, type JobContext, type JobKind } from '../operations/jobs/job.ts'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { Refusal } from '../kernel/refusal.ts'
import { demandPerson, setStatus } from '../identity/people.ts'
import { modules } from '../modules/index.ts'
import {
  dayLong,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../testing/harness.ts'
import { cancelJob, retryJob } from './control.ts'
import { Queue, type QueueOptions } from './queue.ts'

type Work = (args: { n: number }, job: JobContext) => Promise<unknown>

const startWork = operation({
  name: 'start_work',
  kind: 'write',
  rest: 'POST /api/work',
  about: 'Ask for work in the background',
  input: { n: z.int() },
  output: z.strictObject({ job_id: z.string() }),
  dryRun: true,
  async handle({ n }, ctx) {
    const job_id = await ctx.job('work', { n })
    if (n < 0) throw new Refusal('conflict', 'After the job was asked for.')
    return { job_id }
  },
})

interface Place extends TestWorkspace {
  queue: Queue
  /** The row of a job. */
  row(id: string): Record<string, any>
  count(where: string): number
  asker(who: Someone): { org_id: never; owner_id: never; key_id: null }
}

/** A workspace whose module has one kind of job, which does what the test says, and one operation that asks for it. */
async function place(
  t: TestContext,
  work: Work,
  { options = {}, kind = {} }: { options?: QueueOptions; kind?: Partial<JobKind> } = {},
): Promise<Place> {
  const own = jobKind({
    name: 'work',
    about: 'For this test',
    args: z.strictObject({ n: z.int() }),
    concurrency: 100,
    backoff: exponential({ first: 1000, most: 8000 }),
    ...kind,
    run: work as never,
  })
  const module: Module = {
    name: 'working',
    about: 'For this test.',
    operations: [startWork],
    jobs: [own],
  }
  const workspace = await makeWorkspace({
    modules: [...modules.map((item) => ({ ...item, schedules: [] })), module],
  })
  const queue = new Queue(workspace.app, { poll: 20, random: () => 0.5, ...options })
  t.after(async () => {
    await queue.stop(500)
    await workspace.close()
  })
  const { read } = workspace.app.store.raw
  return {
    ...workspace,
    queue,
    row: (id) => read.prepare('SELECT * FROM jobs WHERE id = ?').get(id) as Record<string, any>,
    count: (where) =>
      read.prepare(`SELECT count(*) FROM jobs WHERE ${where}`).pluck().get() as number,
    asker: (who) => ({
      org_id: who.actor.org_id as never,
      owner_id: who.id as never,
      key_id: null,
    }),
  }
}

async function until(holds: () => boolean, within = 20_000): Promise<void> {
  for (const end = performance.now() + within; !holds(); await pause(5))
    assert.ok(performance.now() < end, `not within ${within} ms: ${holds.toString()}`)
}

test('a job runs at once after it was added, and its result is kept', async (t) => {
  const { queue, row } = await place(
    t,
    async ({ n }, job) => ({ twice: 2 * n, attempt: job.attempt }),
    { options: { poll: 60_000 } },
  )
  queue.start()
  await pause(30)
  const id = await queue.add('work', { n: 4 })
  await until(() => row(id).state === 'done') // a look for jobs that are due comes much later
  assert.deepEqual(
    [JSON.parse(row(id).result_json), row(id).attempts, row(id).lease],
    [{ twice: 8, attempt: 1 }, 1, null],
  )
})

test('1,000 jobs under concurrency 8 are each done once, never more than 8 at a time', async (t) => {
  const done: number[] = []
  let now = 0
  let most = 0
  const { queue, app, count } = await place(t, async ({ n }) => {
    most = Math.max(most, ++now)
    await pause(n % 3)
    now--
    done.push(n)
  })
  await app.store.writer.run(async () => {
    for (let n = 0; n < 1000; n++)
      await app.jobs.add(app.store.write, app.clock.now(), 'work', { n }, undefined)
  })
  await queue.drain()
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    Array.from({ length: 1000 }, (_, n) => n),
  )
  assert.equal(most, 8)
  assert.equal(count("state = 'done' AND attempts = 1"), 1000)
})

test('of one kind no more run at once than it says', async (t) => {
  let now = 0
  let most = 0
  const work: Work = async () => {
    most = Math.max(most, ++now)
    await pause(5)
    now--
  }
  const { queue } = await place(t, work, { kind: { concurrency: 3 } })
  await Promise.all(Array.from({ length: 20 }, (_, n) => queue.add('work', { n })))
  await queue.drain()
  assert.equal(most, 3)
})

test('urgent ones go first, then those that were due first', async (t) => {
  const order: number[] = []
  const { queue, clock } = await place(t, async ({ n }) => void order.push(n), {
    options: { concurrency: 1 },
  })
  await queue.add('work', { n: 5 }, { priority: 'low' })
  await queue.add('work', { n: 4 })
  await queue.add('work', { n: 3 }, { runAt: clock.now() - 1000 })
  await queue.add('work', { n: 1 }, { priority: 'high' })
  await queue.add('work', { n: 9 }, { priority: 'high', runAt: clock.now() + minute })
  await queue.drain()
  assert.deepEqual(order, [1, 3, 4, 5])
})

test('what fails is tried again after longer and longer waits, and is dead at last', async (t) => {
  const at: number[] = []
  const { queue, clock, row } = await place(
    t,
    async (_, job) => {
      at.push(job.now())
      throw new Error(`no \u001b[31m${job.attempt}`)
    },
    { kind: { mostAttempts: 6 } },
  )
  const id = await queue.add('work', { n: 1 })
  const begun = clock.now()
  for (let i = 0; i < 400; i++, clock.pass(100)) await queue.drain()
  assert.deepEqual(
    at.map((moment) => moment - begun),
    [0, 1000, 3000, 7000, 15_000, 23_000],
  )
  assert.deepEqual(
    [row(id).state, row(id).attempts, row(id).last_error],
    ['dead', 6, 'no  [31m6'],
    'what others say comes without control characters',
  )
  assert.deepEqual(await queue.depth(), [{ kind: 'work', state: 'dead', count: 1 }])
})

test('a dead job that somebody retries begins anew', async (t) => {
  let fails = true
  const { queue, app, clock, row } = await place(t, async () => {
    if (fails) throw new GiveUp('useless')
    return 'well'
  })
  const id = await queue.add('work', { n: 1 })
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts], ['dead', 1], 'given up at once')
  fails = false
  await retryJob(app.store, clock, id)
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts, row(id).last_error], ['done', 1, null])
  await assert.rejects(retryJob(app.store, clock, id), { code: 'conflict' })
})

test('a job may say itself when another try is worth it; a refusal that lasts is the end', async (t) => {
  const { queue, clock, row, ann, asker } = await place(t, async ({ n }, job) => {
    if (n === 1) throw new TryLater(90_000, 'Retry-After: 90')
    if (n === 3) throw new Refusal('rate_limited', 'Too many.', { retry_after_seconds: 60 })
    await job.as().call('get_task', { task_id: 'tsk_00000000000000000000000000' })
  })
  const limited = await queue.add('work', { n: 3 })
  const [later, refused] = [
    await queue.add('work', { n: 1 }),
    await queue.add('work', { n: 2 }, { asker: asker(ann) }),
  ]
  await queue.drain()
  assert.deepEqual([row(later).state, row(later).run_at - clock.now()], ['waiting', 90_000])
  assert.equal(row(limited).run_at - clock.now(), 60_000)
  assert.deepEqual([row(refused).state, row(refused).attempts], ['dead', 1])
})

test('of a unique key there is one unfinished job in an organization; it may be asked to run once more', async (t) => {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const { queue, row, asker, ann, eve } = await place(t, async () => {
    runs++
    await gate.promise
  })
  const add = (who: Someone, more = {}) =>
    queue.add('work', { n: 1 }, { uniqueKey: 'mailbox 7', asker: asker(who), ...more })
  const first = await add(ann, { runAt: Number.MAX_SAFE_INTEGER })
  const other = await add(eve)
  assert.notEqual(first, other)
  assert.equal(await add(ann), first, 'and it is not to wait any longer')
  queue.start()
  await until(() => runs === 2)
  assert.equal(await add(ann), first)
  assert.equal(await add(eve, { whileRunning: 'again' }), other)
  gate.resolve()
  await until(() => row(first).state === 'done' && row(other).state === 'done')
  assert.equal(runs, 3)
  assert.notEqual(await add(ann), first)
})

test('an operation asks for a job in its own transaction: nothing is left of a dry run, nor of one that fails', async (t) => {
  const seen: unknown[] = []
  const { queue, ann, count, row } = await place(t, async ({ n }, job) => {
    seen.push([n, job.owner])
    return job.as().call('create_label', { name: `Label ${n}` }, { idempotencyKey: job.jobId })
  })
  await ann.call('start_work', { n: 1, dry_run: true })
  await ann.refused('start_work', { n: -1 })
  assert.equal(count('1 = 1'), 0)
  const { job_id } = await ann.call('start_work', { n: 2 })
  await queue.drain()
  assert.deepEqual(seen, [[2, ann.id]])
  assert.equal(JSON.parse(row(job_id).result_json).created_via, 'automation')
  const got = await ann.call('get_job', { job_id })
  assert.deepEqual([got.state, got.result.name, got.attempts], ['done', 'Label 2', 1])
})

test('a job acts with the rights that its owner has then; somebody who was deactivated has none, and the log says so', async (t) => {
  const { queue, app, clock, row, bob, asker } = await place(t, async () => 'ran')
  const id = await queue.add('work', { n: 1 }, { asker: asker(bob) })
  await setStatus(app.store, clock, await demandPerson(app.store, bob.id), 'deactivated')
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts, row(id).result_json], ['cancelled', 1, null])
  const entry = app.store.raw.read
    .prepare(
      "SELECT tool, status, error_code, actor_id, transport FROM calls WHERE error_code = 'skipped_no_rights'",
    )
    .all()
  assert.deepEqual(entry, [
    {
      tool: 'work',
      status: 'denied',
      error_code: 'skipped_no_rights',
      actor_id: bob.id,
      transport: 'automation',
    },
  ])
  for (const chain of verifyCalls(app.store.raw.read)) assert.equal(chain.broken, undefined)
})

test('somebody deactivated while their job runs: it is stopped, and its next call is refused', async (t) => {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const { queue, app, clock, row, bob, asker } = await place(t, async (_, job) => {
    const actor = job.as()
    begun.resolve()
    await gate.promise
    await actor.call('create_label', { name: 'Too late' })
  })
  const id = await queue.add('work', { n: 1 }, { asker: asker(bob) })
  queue.start()
  await begun.promise
  await setStatus(app.store, clock, await demandPerson(app.store, bob.id), 'deactivated')
  gate.resolve()
  await until(() => row(id).state === 'cancelled')
  assert.match(row(id).last_error, /skipped_no_rights/)
  assert.equal(app.store.raw.read.prepare('SELECT count(*) FROM labels').pluck().get(), 0)
  assert.equal(
    app.store.raw.read
      .prepare("SELECT count(*) FROM calls WHERE error_code = 'skipped_no_rights'")
      .pluck()
      .get(),
    1,
  )
})

test('the bounds of the key that asked for a job hold for the job', async (t) => {
  const { queue, ann, row, ...workspace } = await place(t, async (_, job) =>
    job.as().call('create_label', { name: 'x' }),
  )
  const narrow = async (more: object) => ({ ...(await workspace.key(ann)), ...more })
  const key = await narrow({ toolsets: ['working'] })
  workspace.app.store.raw.write
    .prepare('UPDATE api_keys SET toolsets_json = \'["working"]\' WHERE id = ?')
    .run(key.id)
  const { job_id } = await ann.call('start_work', { n: 1 }, { via: 'mcp', key })
  await queue.drain()
  assert.deepEqual(
    [row(job_id).state, /is for working only/.test(row(job_id).last_error)],
    ['dead', true],
  )
  const second = await ann.call('start_work', { n: 2 }, { via: 'mcp', key })
  workspace.app.store.raw.write
    .prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?')
    .run(key.id)
  await queue.drain()
  assert.deepEqual([row(second.job_id).state, row(second.job_id).attempts], ['cancelled', 1])
})

test('a job acts for nobody outside of its organization', async (t) => {
  const { queue, ann, eve, row, asker } = await place(t, async (_, job) =>
    job.as(eve.id).call('list_labels', {}),
  )
  const id = await queue.add('work', { n: 1 }, { asker: asker(ann) })
  await queue.drain()
  assert.match(row(id).last_error, /another organization/)
})

test('a waiting job that is cancelled never runs; a running one is asked to stop', async (t) => {
  let runs = 0
  const { queue, app, clock, row } = await place(t, async (_, job) => {
    runs++
    await pause(60_000, undefined, { signal: job.signal })
  })
  const waiting = await queue.add('work', { n: 1 }, { runAt: clock.now() + minute })
  assert.equal((await cancelJob(app.store, clock, waiting)).state, 'cancelled')
  const running = await queue.add('work', { n: 2 })
  queue.start()
  await until(() => runs === 1)
  await cancelJob(app.store, clock, running)
  await until(() => row(running).state === 'cancelled')
  clock.pass(2 * minute)
  await pause(60)
  assert.deepEqual([runs, row(waiting).state], [1, 'cancelled'])
})

test('at the end of the process jobs are asked to stop, and the next one begins them anew, with no attempt lost', async (t) => {
  const reasons: unknown[] = []
  const { queue, row, app } = await place(t, async ({ n }, job) => {
    if (job.attempt === 1 && reasons.length < 2)
      await (n === 1
        ? pause(60_000, undefined, { signal: job.signal })
        : pause(60_000, undefined, { ref: false })
      ).catch((error) => void reasons.push(error.name))
    job.signal.throwIfAborted()
    return 'done later'
  })
  const [polite, deaf] = [await queue.add('work', { n: 1 }), await queue.add('work', { n: 2 })]
  queue.start()
  await until(() => row(deaf).state === 'running' && row(polite).state === 'running')
  const from = performance.now()
  await queue.stop(150)
  assert.ok(performance.now() - from < 30_000, 'not until the deaf one is done, after a minute')
  for (const id of [polite, deaf])
    assert.deepEqual([row(id).state, row(id).attempts, row(id).lease], ['waiting', 0, null])
  reasons.push('second')
  await new Queue(app).drain()
  for (const id of [polite, deaf]) assert.deepEqual([row(id).state, row(id).attempts], ['done', 1])
})

test('what takes too long is stopped and tried again', async (t) => {
  const { queue, row } = await place(
    t,
    (_, job) => pause(60_000, undefined, { signal: job.signal }),
    { kind: { timeout: 20 } },
  )
  const id = await queue.add('work', { n: 1 })
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).last_error], ['waiting', 'Timed out.'])
})

test('the lease of a process that is gone runs out by its beats, whatever the clock says', async (t) => {
  const { queue, app, clock, row } = await place(t, async () => 'again', {
    options: { lease: 150 },
  })
  const id = await queue.add('work', { n: 1 })
  app.store.raw.write
    .prepare(
      "UPDATE jobs SET state = 'running', lease = 'process-gone', attempts = 1, started_at = ? WHERE id = ?",
    )
    .run(clock.now(), id)
  queue.start()
  for (const jump of [400 * dayLong, -800 * dayLong]) {
    clock.pass(jump)
    await pause(40)
    assert.equal(row(id).state, 'running', 'a clock that jumps frees nothing')
  }
  await until(() => row(id).state === 'done', 1000)
  assert.equal(row(id).attempts, 2)
})

test('a job that ends its process again and again is dead at last', async (t) => {
  const { queue, app, clock, row } = await place(t, async () => 'never', { options: { lease: 20 } })
  const id = await queue.add('work', { n: 1 }, { mostAttempts: 3 })
  app.store.raw.write
    .prepare(
      "UPDATE jobs SET state = 'running', lease = 'process-gone', attempts = 3, started_at = ? WHERE id = ?",
    )
    .run(clock.now(), id)
  queue.start()
  await until(() => row(id).state === 'dead')
  assert.match(row(id).last_error, /ended unexpectedly/)
})

test('a process that lost its lease is told to stop, and its end counts for nothing', async (t) => {
  const ends: string[] = []
  const { queue, app, row } = await place(
    t,
    async (_, job) => {
      await pause(60_000, undefined, { signal: job.signal }).catch((error) => ends.push(error.name))
      return 'mine'
    },
    { options: { lease: 60 } },
  )
  const id = await queue.add('work', { n: 1 })
  queue.start()
  await until(() => row(id).state === 'running')
  app.store.raw.write
    .prepare("UPDATE jobs SET lease = 'process-other', attempts = 2 WHERE id = ?")
    .run(id)
  await until(() => ends.length === 1)
  await pause(10)
  assert.deepEqual([row(id).result_json, row(id).lease], [null, 'process-other'])
})

test('after the clock was set back, what waits a little still waits a little, and what has a date keeps it', async (t) => {
  const { queue, clock, row, count } = await place(t, async ({ n }) => {
    if (n === 1) throw new Error('no')
  })
  const retried = await queue.add('work', { n: 1 })
  const dated = await queue.add('work', { n: 2 }, { runAt: clock.now() + 30 * dayLong })
  await queue.drain()
  const date = row(dated).run_at
  clock.pass(-365 * dayLong)
  await queue.drain()
  assert.deepEqual([row(retried).run_at - clock.now(), row(dated).run_at], [1000, date])
  clock.pass(1000)
  await queue.drain()
  assert.equal(row(retried).attempts, 2)
  assert.equal(count('1 = 1'), 2)
})

test('progress can be seen while a job runs', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { queue, row, ann, asker } = await place(t, async (_, job) => {
    job.progress(1, 9)
    job.progress(3, 9, 'three of nine')
    await gate.promise
  })
  const id = await queue.add('work', { n: 1 }, { asker: asker(ann) })
  queue.start()
  await until(() => row(id)?.progress_json != null)
  assert.deepEqual((await ann.call('get_job', { job_id: id })).progress, {
    done: 3,
    total: 9,
    message: 'three of nine',
  })
  gate.resolve()
  await until(() => row(id).state === 'done')
})

test('what a job writes of its own is one transaction, in names that still may', async (t) => {
  const { queue, app, ann, bob, clock, row, asker } = await place(t, async (_, job) => {
    await job.write((system) =>
      system.as(ann.id, (ctx) => ctx.add('labels', { name: 'Taken in', color: '#000000' })),
    )
    await job.write(async (system) => {
      await system.as(ann.id, (ctx) => ctx.add('labels', { name: 'Taken back', color: '#000000' }))
      await system.as(bob.id, (ctx) => ctx.add('labels', { name: 'Not his', color: '#000000' }))
    })
  })
  await setStatus(app.store, clock, await demandPerson(app.store, bob.id), 'deactivated')
  const id = await queue.add('work', { n: 1 }, { asker: asker(ann) })
  await queue.drain()
  assert.equal(row(id).state, 'dead')
  assert.deepEqual(
    (await ann.call('list_labels')).items.map((item: { name: string }) => item.name),
    ['Taken in'],
  )
})

test('arguments that do not fit are refused when they are given, and of an older version when they run', async (t) => {
  const { queue, app, row } = await place(t, async () => 1)
  await assert.rejects(queue.add('work', { n: 'x' }), /Wrong arguments for a job work/)
  await assert.rejects(queue.add('nothing', {}), /Unknown kind of job: nothing/)
  const id = await queue.add('work', { n: 1 })
  app.store.raw.write.prepare(`UPDATE jobs SET arguments_json = '{"m":1}' WHERE id = ?`).run(id)
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts], ['dead', 1])
})

test('a kind that this program does not know waits for one that does', async (t) => {
  const { queue, app, row } = await place(t, async () => 1)
  const id = await queue.add('work', { n: 1 })
  app.store.raw.write.prepare("UPDATE jobs SET kind = 'newer' WHERE id = ?").run(id)
  await queue.drain()
  assert.equal(row(id).state, 'waiting')
})

test('whatever is added, cancelled, tried again and done to the clock: every job comes to an end, and one that is done ran', {
  timeout: 120_000,
}, async (t) => {
  const runs = new Map<string, number>()
  const { queue, app, clock, count } = await place(t, async ({ n }, job) => {
    runs.set(job.jobId, (runs.get(job.jobId) ?? 0) + 1)
    if (n % 3 === 0 && job.attempt < 3) throw new Error('not yet')
    if (n % 7 === 0) throw new GiveUp('never')
  })
  const all = () => app.store.raw.read.prepare('SELECT id FROM jobs').pluck().all() as string[]
  const some = (at: number) => all()[at % Math.max(1, all().length)] ?? 'job_none'
  const tolerant = (work: Promise<unknown>) =>
    work.catch((error: unknown) => assert.ok(error instanceof Refusal, String(error)))
  const step = fc.oneof(
    fc.record({
      do: fc.constant('add' as const),
      n: fc.nat(50),
      key: fc.option(fc.constantFrom('a', 'b')),
      in: fc.constantFrom(0, 500, 40_000),
    }),
    fc.record({ do: fc.constantFrom('cancel' as const, 'retry' as const), n: fc.nat(50) }),
    fc.record({
      do: fc.constant('pass' as const),
      n: fc.constantFrom(0, 900, 5000, 365 * dayLong, -365 * dayLong),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      for (const now of steps) {
        if (now.do === 'add')
          await queue.add(
            'work',
            { n: now.n },
            { ...(now.key ? { uniqueKey: now.key } : {}), runAt: clock.now() + now.in },
          )
        else if (now.do === 'cancel') await tolerant(cancelJob(app.store, clock, some(now.n)))
        else if (now.do === 'retry') await tolerant(retryJob(app.store, clock, some(now.n)))
        else clock.pass(now.n)
        await queue.drain()
      }
      for (let i = 0; i < 5; i++) {
        clock.pass(minute)
        await queue.drain()
      }
      assert.equal(count('finished_at IS NULL'), 0)
      const done = app.store.raw.read
        .prepare("SELECT id, attempts FROM jobs WHERE state = 'done'")
        .all() as { id: string; attempts: number }[]
      assert.ok(done.every(({ id, attempts }) => runs.get(id)! >= attempts))
      app.store.raw.write.exec('DELETE FROM jobs')
    }),
    { numRuns: 40 },
  )
})
