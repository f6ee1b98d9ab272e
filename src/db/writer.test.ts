import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { JobQueue } from './job-queue.ts'
import { NotCommitted, Rollback, SqliteWriter } from './writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'workspace-writer-'))
const path = join(folder, 'x.db')
let db: Database.Database
let writer: SqliteWriter

beforeEach(() => {
  db?.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  db = new Database(path, { timeout: 0 })
  db.pragma('journal_mode = WAL')
  db.exec(
    'CREATE TABLE notes (text TEXT UNIQUE NOT NULL) STRICT; CREATE TABLE parents (id TEXT PRIMARY KEY) STRICT; CREATE TABLE children (parent TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT',
  )
  db.pragma('foreign_keys = ON')
  writer = new SqliteWriter(db)
})
after(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const note = (text: string) => async () => void db.prepare('INSERT INTO notes VALUES (?)').run(text)
const noteTexts = () => db.prepare('SELECT text FROM notes ORDER BY text').pluck().all()

test('concurrent callers share one transaction', async () => {
  await Promise.all(Array.from({ length: 100 }, (_, i) => writer.run(note(`n${i}`))))
  assert.equal(noteTexts().length, 100)
  assert.deepEqual(writer.counts, { batches: 1, jobs: 100 })
})

test('a batch is bounded, so that the first caller does not wait for the last', async () => {
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 600 }, (_, i) => writer.run(note(`n${i}`)).then(() => order.push(i))),
  )
  assert.deepEqual([writer.counts.batches, writer.counts.jobs], [3, 600])
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  )
})

test('results are returned after the commit, visible to other connections', async () => {
  const other = new Database(path, { readonly: true })
  await writer.run(note('durable'))
  assert.equal(other.prepare('SELECT count(*) FROM notes').pluck().get(), 1)
  other.close()
})

test('a failed job rolls back only its own writes', async () => {
  const failing = writer.run(async () => {
    await note('half')()
    throw new Error('no')
  })
  const outcomes = await Promise.allSettled([
    writer.run(note('before')),
    failing,
    writer.run(note('after')),
    writer.run(note('before')),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /Error: no/)
  assert.deepEqual(noteTexts(), ['after', 'before'])
})

test('a lone job runs in the transaction without a savepoint, and its failure rolls back the transaction', async () => {
  const statements: string[] = []
  db.close()
  db = new Database(path, { timeout: 0, verbose: (text) => statements.push(String(text)) })
  writer = new SqliteWriter(db)
  await writer.run(note('kept'))
  assert.deepEqual(
    statements.filter((text) => /savepoint|release/i.test(text)),
    [],
  )
  await assert.rejects(
    writer.run(async () => {
      await note('undone')()
      await writer.attempt(note('undone, too'))
      throw new Error('it fails')
    }),
    /it fails/,
  )
  const result = writer.run(async () => {
    await note('tried')()
    throw new Rollback(noteTexts())
  })
  assert.deepEqual(await result, ['kept', 'tried'])
  assert.deepEqual(noteTexts(), ['kept'])
  await Promise.all([writer.run(note('one of two')), writer.run(note('two of two'))])
  assert.equal(statements.filter((text) => text === 'SAVEPOINT job').length, 2)
  assert.equal(noteTexts().length, 3)
})

test('a job can roll everything back and still return a result', async () => {
  const answer = await writer.run(async () => {
    await note('tried')()
    throw new Rollback('would work')
  })
  assert.equal(answer, 'would work')
  assert.deepEqual(noteTexts(), [])
})

test('a job can await its own queries; one that waits for anything else is rejected and rolled back', async () => {
  const [awaitingQueries, yielding] = await Promise.allSettled([
    writer.run(async () => {
      await note('one')()
      await Promise.resolve()
      await note('two')()
    }),
    writer.run(async () => {
      await note('three')()
      await pause(5)
      await note('four')()
    }),
  ])
  assert.equal(awaitingQueries.status, 'fulfilled')
  assert.match(String((yielding as PromiseRejectedResult).reason), /outside the database/)
  assert.deepEqual(noteTexts(), ['one', 'two'])
})

test('waiting for a lock held by another process does not block the event loop', async () => {
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  let ticks = 0
  const timer = setInterval(() => ticks++, 5)
  const pendingWrite = writer.run(note('patient'))
  await pause(100)
  assert.equal(noteTexts().length, 0)
  other.exec('COMMIT')
  await pendingWrite
  clearInterval(timer)
  assert.ok(ticks > 5, `the event loop turned ${ticks} times`)
  assert.deepEqual(noteTexts(), ['patient'])
  other.close()
})

test('when the commit fails, every caller of the batch fails and the next batch works', async () => {
  const outcomes = await Promise.allSettled([
    writer.run(note('lost')),
    writer.run(async () => void db.prepare("INSERT INTO children VALUES ('nobody')").run()),
  ])
  assert.ok(
    outcomes.every(
      (outcome) =>
        outcome.status === 'rejected' &&
        outcome.reason instanceof NotCommitted &&
        outcome.reason.code.startsWith('SQLITE_CONSTRAINT'),
    ),
  )
  assert.deepEqual(noteTexts(), [])
  await writer.run(note('next'))
  assert.deepEqual(noteTexts(), ['next'])
})

test('when SQLite itself ends the transaction midway, callers before and after fail too', async () => {
  const outcomes = await Promise.allSettled([
    writer.run(note('before')),
    writer.run(async () => void db.exec("INSERT OR ROLLBACK INTO notes VALUES ('before')")),
    writer.run(note('after')),
  ])
  assert.ok(
    outcomes.every(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof NotCommitted,
    ),
  )
  assert.deepEqual(noteTexts(), [])
})

test('single statements join a batch without a savepoint and fail alone', async () => {
  const append = (text: string) =>
    writer.append(async () => db.prepare('INSERT INTO notes VALUES (?)').run(text))
  const outcomes = await Promise.allSettled([
    append('a'),
    append('a'),
    writer.run(note('b')),
    append('c'),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(noteTexts(), ['a', 'b', 'c'])
})

test('closing waits for pending jobs and accepts no new ones', async () => {
  const pendingWrite = writer.run(note('last'))
  await writer.close()
  await pendingWrite
  await assert.rejects(writer.run(note('too late')), /closed/)
  assert.deepEqual(noteTexts(), ['last'])
})

test('a caller arriving during a batch goes into the next one', async () => {
  const inner: Promise<void>[] = []
  await writer.run(async () => {
    await note('first')()
    inner.push(writer.run(note('second')))
  })
  await Promise.all(inner)
  assert.deepEqual([writer.counts.batches, writer.counts.jobs], [2, 2])
})

test('background work yields to calls, has its own transactions, and still proceeds under load', async () => {
  let now = 0
  const writer = new SqliteWriter(db, () => now)
  const order: string[] = []
  const namedJob = (name: string) => async () => {
    await note(name)()
    order.push(name)
  }
  const background = ['b1', 'b2', 'b3'].map((name) => writer.background(namedJob(name)))
  const calls = ['c1', 'c2'].map((name) => writer.run(namedJob(name)))
  await Promise.all([...background, ...calls])
  assert.deepEqual(order, ['c1', 'c2', 'b1', 'b2', 'b3'])
  assert.equal(writer.counts.batches, 4)

  let isDone = false
  const late = writer.background(note('late')).then(() => (isDone = true))
  for (; !isDone; now += 10) await writer.run(note(`call at ${now}`))
  await late
  assert.ok(now <= 150, `${now}: it waits for calls for 100 ms at most`)
})

test('overdue background work never runs twice in a row while calls wait', async () => {
  let now = 0
  const queue = new JobQueue(10, () => now)
  const order: string[] = []
  const add = (name: string, kind: 'call' | 'background') =>
    void queue.add(async () => void order.push(name), kind)
  for (const name of ['b1', 'b2']) add(name, 'background')
  now = 1_000
  for (let i = 0; i < 3; i++) {
    add(`c${i}`, 'call')
    for (const job of queue.take()) await job.run()
  }
  while (!queue.isEmpty) for (const job of queue.take()) await job.run()
  assert.deepEqual(order, ['b1', 'c0', 'c1', 'b2', 'c2'])
})
