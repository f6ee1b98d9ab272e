import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { App } from '../operations/app.ts'
import { scratch } from '../testing/scratch.ts'
import type { QueueOptions } from './queue.ts'
import { openLedger, type LedgerLine } from './testing/ledger.ts'
import { untilTrue } from '../testing/limits.ts'

const ledgerScript = fileURLToPath(new URL('./testing/ledger.ts', import.meta.url))

interface Fixture {
  app: App
  lines(): LedgerLine[]
  add(jobs: { n: number; hangs?: boolean }[]): Promise<void>
  start(options: QueueOptions): ChildProcess
  count(where: string): number
}

/** A data directory for job processes, which are killed at the end. */
async function setUp(t: TestContext): Promise<Fixture> {
  const { dir, remove } = scratch()
  const ledger = join(dir, 'ledger')
  writeFileSync(ledger, '')
  const app = await openLedger(dir, ledger, 'server')
  const children: ChildProcess[] = []
  t.after(async () => {
    for (const child of children) await kill(child)
    await app.store.close()
    remove()
  })
  return {
    app,
    lines: () =>
      readFileSync(ledger, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LedgerLine),
    add: (jobs) =>
      app.store.writer.run(async () => {
        for (const args of jobs)
          await app.jobs.add(app.store.write, app.clock.now(), 'work', args, undefined)
      }),
    start(options) {
      const child = spawn(process.execPath, [ledgerScript, dir, ledger, JSON.stringify(options)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      children.push(child)
      return child
    },
    count: (where) =>
      app.store.raw.read
        .prepare(`SELECT count(*) FROM jobs WHERE ${where}`)
        .pluck()
        .get() as number,
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

const until = (condition: () => boolean) => untilTrue(condition, () => condition.toString())

test('kill -9 in the middle of a job, 10 rounds: the next server runs it again and none is lost', async (t) => {
  const { lines, add, start, count } = await setUp(t)
  const rounds = 10
  let child = start({ isOnlyServer: true, poll: 30 })
  for (let n = 0; n < rounds; n++) {
    await add([{ n, hangs: true }])
    await until(() => lines().some((line) => line.n === n))
    await kill(child)
    child = start({ isOnlyServer: true, poll: 30 })
    await until(() => count("state = 'done'") === n + 1)
  }
  for (let n = 0; n < rounds; n++)
    assert.deepEqual(
      lines()
        .filter((line) => line.n === n)
        .map((line) => line.event),
      ['begin', 'begin', 'end'],
      `round ${n}`,
    )
  assert.equal(count('attempts = 2'), rounds)
})

test('two processes on one database never run the same job at once, and one finishes jobs left by the other', async (t) => {
  const { lines, add, start, count } = await setUp(t)
  const jobs = 400
  await add([{ n: -1, hangs: true }, ...Array.from({ length: jobs / 2 }, (_, n) => ({ n }))])
  const options = { lease: 900, poll: 30 }
  const [first, second] = [start(options), start(options)]
  await until(() => lines().some((line) => line.n === -1))
  await until(
    () =>
      new Set(lines().map((line) => line.pid)).size === 2 || count("state = 'done'") === jobs / 2,
  )
  await add(Array.from({ length: jobs / 2 }, (_, n) => ({ n: n + jobs / 2 })))
  await until(() => count("state = 'done'") === jobs)
  const started = lines()
  assert.equal(new Set(started.map((line) => line.pid)).size, 2, 'both took part')
  for (let n = 0; n < jobs; n++)
    assert.deepEqual(
      started.filter((line) => line.n === n).map((line) => line.event),
      ['begin', 'end'],
      `job ${n}`,
    )
  const holder = started.find((line) => line.n === -1)!.pid
  await pause(1200)
  assert.equal(lines().filter((line) => line.n === -1).length, 1, 'a live process keeps its lease')
  await kill(first.pid === holder ? first : second)
  await until(() => count("state = 'done'") === jobs + 1)
  assert.deepEqual(
    lines()
      .filter((line) => line.n === -1)
      .map((line) => [line.event, line.pid === holder]),
    [
      ['begin', true],
      ['begin', false],
      ['end', false],
    ],
  )
})
