import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from '../testing/properties.ts'
import { GiveUp } from '../operations/jobs/job.ts'
import { Refusal } from '../kernel/refusal.ts'
import { dayLong, minute } from '../testing/harness.ts'
import { cancelJob, retryJob } from './control.ts'
import { workspaceWithQueue } from './testing/queue.ts'

test('1,000 jobs with concurrency 8 each run once, at most 8 at a time', async (t) => {
  const done: number[] = []
  let running = 0
  let maxRunning = 0
  const { queue, app, count } = await workspaceWithQueue(t, async ({ n }) => {
    maxRunning = Math.max(maxRunning, ++running)
    await pause(n % 3)
    running--
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
  assert.equal(maxRunning, 8)
  assert.equal(count("state = 'done' AND attempts = 1"), 1000)
})

test('under random adds, cancels, retries and clock jumps, every job finishes, and a done job has run', async (t) => {
  const runs = new Map<string, number>()
  const { queue, app, clock, count } = await workspaceWithQueue(t, async ({ n }, job) => {
    runs.set(job.jobId, (runs.get(job.jobId) ?? 0) + 1)
    if (n % 3 === 0 && job.attempt < 3) throw new Error('not yet')
    if (n % 7 === 0) throw new GiveUp('never')
  })
  const all = () => app.store.raw.read.prepare('SELECT id FROM jobs').pluck().all() as string[]
  const jobIdAt = (at: number) => all()[at % Math.max(1, all().length)] ?? 'job_none'
  const allowRefusal = (work: Promise<unknown>) =>
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
      for (const action of steps) {
        if (action.do === 'add')
          await queue.add(
            'work',
            { n: action.n },
            { ...(action.key ? { uniqueKey: action.key } : {}), runAt: clock.now() + action.in },
          )
        else if (action.do === 'cancel')
          await allowRefusal(cancelJob(app.store, clock, jobIdAt(action.n)))
        else if (action.do === 'retry')
          await allowRefusal(retryJob(app.store, clock, jobIdAt(action.n)))
        else clock.pass(action.n)
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
