import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { verifyCalls } from '../audit/verify.ts'
import { GiveUp, TryLater } from '../operations/jobs/job.ts'
import { Refusal } from '../kernel/refusal.ts'
import { requirePerson, setStatus } from '../identity/people.ts'
import { dayLong, minute, type Someone } from '../testing/harness.ts'
import { cancelJob, retryJob } from './control.ts'
import { Queue } from './queue.ts'
import { workspaceWithQueue, type Work } from './testing/queue.ts'
import { testLimitMs, untilTrue } from '../testing/limits.ts'

const until = (condition: () => boolean) => untilTrue(condition, () => condition.toString())

test('a job runs immediately after it is added, and its result is kept', async (t) => {
  const { queue, row } = await workspaceWithQueue(
    t,
    async ({ n }, job) => ({ twice: 2 * n, attempt: job.attempt }),
    { options: { poll: 60_000 } },
  )
  queue.start()
  await pause(30)
  const id = await queue.add('work', { n: 4 })
  await until(() => row(id).state === 'done') // the next poll for due jobs comes much later
  assert.deepEqual(
    [JSON.parse(row(id).result_json), row(id).attempts, row(id).lease],
    [{ twice: 8, attempt: 1 }, 1, null],
  )
})

test('the concurrency limit of a kind is respected', async (t) => {
  let running = 0
  let maxRunning = 0
  const work: Work = async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await pause(5)
    running--
  }
  const { queue } = await workspaceWithQueue(t, work, { kind: { concurrency: 3 } })
  await Promise.all(Array.from({ length: 20 }, (_, n) => queue.add('work', { n })))
  await queue.drain()
  assert.equal(maxRunning, 3)
})

test('urgent jobs run first, then those due earliest', async (t) => {
  const order: number[] = []
  const { queue, clock } = await workspaceWithQueue(t, async ({ n }) => void order.push(n), {
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

test('a failing job is retried with increasing delays and finally dead', async (t) => {
  const at: number[] = []
  const { queue, clock, row } = await workspaceWithQueue(
    t,
    async (_, job) => {
      at.push(job.now())
      throw new Error(`no \u001b[31m${job.attempt}`)
    },
    { kind: { maxAttempts: 6 } },
  )
  const id = await queue.add('work', { n: 1 })
  const startedAt = clock.now()
  for (let i = 0; i < 400; i++, clock.pass(100)) await queue.drain()
  assert.deepEqual(
    at.map((moment) => moment - startedAt),
    [0, 1000, 3000, 7000, 15_000, 23_000],
  )
  assert.deepEqual(
    [row(id).state, row(id).attempts, row(id).last_error],
    ['dead', 6, 'no  [31m6'],
    'control characters are removed from external text',
  )
  assert.deepEqual(await queue.depth(), [{ kind: 'work', state: 'dead', count: 1 }])
})

test('retrying a dead job starts it afresh', async (t) => {
  let shouldFail = true
  const { queue, app, clock, row } = await workspaceWithQueue(t, async () => {
    if (shouldFail) throw new GiveUp('useless')
    return 'well'
  })
  const id = await queue.add('work', { n: 1 })
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts], ['dead', 1], 'given up at once')
  shouldFail = false
  await retryJob(app.store, clock, id)
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts, row(id).last_error], ['done', 1, null])
  await assert.rejects(retryJob(app.store, clock, id), { code: 'conflict' })
})

test('a job can set its own retry time; a permanent refusal is final', async (t) => {
  const { queue, clock, row, ann, requesterOf } = await workspaceWithQueue(
    t,
    async ({ n }, job) => {
      if (n === 1) throw new TryLater(90_000, 'Retry-After: 90')
      if (n === 3) throw new Refusal('rate_limited', 'Too many.', { retry_after_seconds: 60 })
      await job.as().call('get_task', { task_id: 'tsk_00000000000000000000000000' })
    },
  )
  const limited = await queue.add('work', { n: 3 })
  const [later, refused] = [
    await queue.add('work', { n: 1 }),
    await queue.add('work', { n: 2 }, { asker: requesterOf(ann) }),
  ]
  await queue.drain()
  assert.deepEqual([row(later).state, row(later).run_at - clock.now()], ['waiting', 90_000])
  assert.equal(row(limited).run_at - clock.now(), 60_000)
  assert.deepEqual([row(refused).state, row(refused).attempts], ['dead', 1])
})

test('a unique key has one unfinished job per organization, which can be asked to run again', async (t) => {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const { queue, row, requesterOf, ann, eve } = await workspaceWithQueue(t, async () => {
    runs++
    await gate.promise
  })
  const add = (who: Someone, more = {}) =>
    queue.add('work', { n: 1 }, { uniqueKey: 'mailbox 7', asker: requesterOf(who), ...more })
  const first = await add(ann, { runAt: Number.MAX_SAFE_INTEGER })
  const other = await add(eve)
  assert.notEqual(first, other)
  assert.equal(await add(ann), first, 'and it no longer waits for its date')
  queue.start()
  await until(() => runs === 2)
  assert.equal(await add(ann), first)
  assert.equal(await add(eve, { whileRunning: 'again' }), other)
  gate.resolve()
  await until(() => row(first).state === 'done' && row(other).state === 'done')
  assert.equal(runs, 3)
  assert.notEqual(await add(ann), first)
})

test('a job is added in the transaction of its operation: a dry run or a failure leaves none', async (t) => {
  const seen: unknown[] = []
  const { queue, ann, count, row } = await workspaceWithQueue(t, async ({ n }, job) => {
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
  const listedJob = await ann.call('get_job', { job_id })
  assert.deepEqual(
    [listedJob.state, listedJob.result.name, listedJob.attempts],
    ['done', 'Label 2', 1],
  )
})

test('a job runs with its owner’s current rights; it is skipped and logged if they were deactivated', async (t) => {
  const { queue, app, clock, row, bob, requesterOf } = await workspaceWithQueue(
    t,
    async () => 'ran',
  )
  const id = await queue.add('work', { n: 1 }, { asker: requesterOf(bob) })
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'deactivated')
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
  for (const chain of await verifyCalls(app.store.read)) assert.equal(chain.broken, undefined)
})

test('a job whose owner is deactivated while it runs is stopped, and its next call refused', async (t) => {
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const { queue, app, clock, row, bob, requesterOf } = await workspaceWithQueue(
    t,
    async (_, job) => {
      const actor = job.as()
      started.resolve()
      await gate.promise
      await actor.call('create_label', { name: 'Too late' })
    },
  )
  const id = await queue.add('work', { n: 1 }, { asker: requesterOf(bob) })
  queue.start()
  await started.promise
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'deactivated')
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

test('a job is subject to the restrictions of the key that requested it', async (t) => {
  const { queue, ann, row, ...workspace } = await workspaceWithQueue(t, async (_, job) =>
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

test('a job cannot act for people of another organization', async (t) => {
  const { queue, ann, eve, row, requesterOf } = await workspaceWithQueue(t, async (_, job) =>
    job.as(eve.id).call('list_labels', {}),
  )
  const id = await queue.add('work', { n: 1 }, { asker: requesterOf(ann) })
  await queue.drain()
  assert.match(row(id).last_error, /another organization/)
})

test('a cancelled waiting job never runs; a running one is asked to stop', async (t) => {
  let runs = 0
  const { queue, app, clock, row } = await workspaceWithQueue(t, async (_, job) => {
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

test('on shutdown jobs are asked to stop, and the next process restarts them without losing an attempt', async (t) => {
  const reasons: unknown[] = []
  const { queue, row, app } = await workspaceWithQueue(t, async ({ n }, job) => {
    if (job.attempt === 1 && reasons.length < 2)
      await (n === 1
        ? pause(2 * testLimitMs, undefined, { signal: job.signal })
        : pause(2 * testLimitMs, undefined, { ref: false })
      ).catch((error) => void reasons.push(error.name))
    job.signal.throwIfAborted()
    return 'done later'
  })
  const [responsive, unresponsive] = [
    await queue.add('work', { n: 1 }),
    await queue.add('work', { n: 2 }),
  ]
  queue.start()
  await until(() => row(unresponsive).state === 'running' && row(responsive).state === 'running')
  await queue.stop(150) // does not wait for the unresponsive one
  for (const id of [responsive, unresponsive])
    assert.deepEqual([row(id).state, row(id).attempts, row(id).lease], ['waiting', 0, null])
  reasons.push('second')
  await new Queue(app).drain()
  for (const id of [responsive, unresponsive])
    assert.deepEqual([row(id).state, row(id).attempts], ['done', 1])
})

test('a job that takes too long is stopped and retried', async (t) => {
  const { queue, row } = await workspaceWithQueue(
    t,
    (_, job) => pause(60_000, undefined, { signal: job.signal }),
    { kind: { timeout: 20 } },
  )
  const id = await queue.add('work', { n: 1 })
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).last_error], ['waiting', 'Timed out.'])
})

test('the lease of a dead process expires by missed heartbeats, whatever the clock says', async (t) => {
  const { queue, app, clock, row } = await workspaceWithQueue(t, async () => 'again', {
    options: { lease: testLimitMs },
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
  await queue.stop()
  const next = new Queue(app, { lease: 50 })
  t.after(() => next.stop())
  next.start()
  await until(() => row(id).state === 'done')
  assert.equal(row(id).attempts, 2)
})

test('a job that repeatedly kills its process is finally dead', async (t) => {
  const { queue, app, clock, row } = await workspaceWithQueue(t, async () => 'never', {
    options: { lease: 20 },
  })
  const id = await queue.add('work', { n: 1 }, { maxAttempts: 3 })
  app.store.raw.write
    .prepare(
      "UPDATE jobs SET state = 'running', lease = 'process-gone', attempts = 3, started_at = ? WHERE id = ?",
    )
    .run(clock.now(), id)
  queue.start()
  await until(() => row(id).state === 'dead')
  assert.match(row(id).last_error, /ended unexpectedly/)
})

test('a process that lost its lease is asked to stop, and its result is ignored', async (t) => {
  const errorNames: string[] = []
  const { queue, app, row } = await workspaceWithQueue(
    t,
    async (_, job) => {
      await pause(60_000, undefined, { signal: job.signal }).catch((error) =>
        errorNames.push(error.name),
      )
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
  await until(() => errorNames.length === 1)
  await pause(10)
  assert.deepEqual([row(id).result_json, row(id).lease], [null, 'process-other'])
})

test('after the clock is set back, a short delay stays short, and a fixed date is kept', async (t) => {
  const { queue, clock, row, count } = await workspaceWithQueue(t, async ({ n }) => {
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

test('progress is visible while a job runs', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { queue, row, ann, requesterOf } = await workspaceWithQueue(t, async (_, job) => {
    job.progress(1, 9)
    job.progress(3, 9, 'three of nine')
    await gate.promise
  })
  const id = await queue.add('work', { n: 1 }, { asker: requesterOf(ann) })
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

test('a job’s direct writes are one transaction, only for people who may still act', async (t) => {
  const { queue, app, ann, bob, clock, row, requesterOf } = await workspaceWithQueue(
    t,
    async (_, job) => {
      await job.write((system) =>
        system.as(ann.id, (ctx) => ctx.add('labels', { name: 'Taken in', color: '#000000' })),
      )
      await job.write(async (system) => {
        await system.as(ann.id, (ctx) =>
          ctx.add('labels', { name: 'Taken back', color: '#000000' }),
        )
        await system.as(bob.id, (ctx) => ctx.add('labels', { name: 'Not his', color: '#000000' }))
      })
    },
  )
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'deactivated')
  const id = await queue.add('work', { n: 1 }, { asker: requesterOf(ann) })
  await queue.drain()
  assert.equal(row(id).state, 'dead')
  assert.deepEqual(
    (await ann.call('list_labels')).items.map((item: { name: string }) => item.name),
    ['Taken in'],
  )
})

test('invalid arguments are refused when added, and outdated ones when run', async (t) => {
  const { queue, app, row } = await workspaceWithQueue(t, async () => 1)
  await assert.rejects(queue.add('work', { n: 'x' }), /Wrong arguments for a job work/)
  await assert.rejects(queue.add('nothing', {}), /Unknown kind of job: nothing/)
  const id = await queue.add('work', { n: 1 })
  app.store.raw.write.prepare(`UPDATE jobs SET arguments_json = '{"m":1}' WHERE id = ?`).run(id)
  await queue.drain()
  assert.deepEqual([row(id).state, row(id).attempts], ['dead', 1])
})

test('a job of an unknown kind waits for a program that supports it', async (t) => {
  const { queue, app, row } = await workspaceWithQueue(t, async () => 1)
  const id = await queue.add('work', { n: 1 })
  app.store.raw.write.prepare("UPDATE jobs SET kind = 'newer' WHERE id = ?").run(id)
  await queue.drain()
  assert.equal(row(id).state, 'waiting')
})
