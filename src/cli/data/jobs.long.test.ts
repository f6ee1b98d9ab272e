import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { databasePath } from '../../db/open.ts'
import { serve, type Served } from '../../testing/process.ts'
import { commandsOn, createAnn, type Commands } from '../testing.ts'
import { untilTrue } from '../../testing/limits.ts'

/** Inserts an internal job into the database, as a server leaves it. */
function insertJob(
  { dataDir }: Commands,
  id: string,
  overrides: Record<string, unknown> = {},
): void {
  const row = {
    id,
    kind: 'prune_jobs',
    arguments_json: '{}',
    state: 'waiting',
    priority: 1,
    run_at: Date.now() + 3600_000,
    queued_at: Date.now(),
    attempts: 0,
    most_attempts: 8,
    beats: 0,
    cancel_asked: 0,
    asked_again: 0,
    created_at: Date.now(),
    ...overrides,
  }
  const db = new Database(databasePath(dataDir), { timeout: 5000 })
  db.prepare(
    `INSERT INTO jobs (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
  ).run(...Object.values(row))
  db.close()
}

async function setUpWorkspace(t: TestContext): Promise<Commands & { start(): Promise<Served> }> {
  const commands = commandsOn(t)
  await createAnn(commands)
  return {
    ...commands,
    async start() {
      const server = await serve(commands.dataDir)
      t.after(() => (server.child.exitCode === null ? server.end('SIGKILL') : undefined))
      return server
    },
  }
}

const stateOf = async (commands: Commands, id: string) =>
  (await commands.json('jobs', 'show', id)).state as string

test('jobs are listed, shown, retried and cancelled without a server', async (t) => {
  const commands = await setUpWorkspace(t)
  const dead = {
    state: 'dead',
    attempts: 8,
    finished_at: 5,
    last_error: 'The host did not answer.',
  }
  insertJob(commands, 'job_a', dead)
  insertJob(commands, 'job_b')
  assert.deepEqual(
    (await commands.json('jobs', 'list')).map((item: { id: string; state: string }) => [
      item.id,
      item.state,
    ]),
    [
      ['job_b', 'waiting'],
      ['job_a', 'dead'],
    ],
  )
  assert.deepEqual(
    (await commands.json('jobs', 'list', '--state', 'dead', '--kind', 'prune_jobs')).map(
      (item: { id: string }) => item.id,
    ),
    ['job_a'],
  )
  assert.match(
    await commands.runOk('jobs', 'list'),
    /job_a +prune_jobs +dead +– +8\/8 +1970-01-01 00:00Z +The host did not answer\./,
  )
  assert.match(
    await commands.runOk('jobs', 'show', 'job_a'),
    /^last_error +The host did not answer\.$/m,
  )
  assert.match(await commands.runOk('jobs', 'retry', 'job_a'), /is waiting\. No server is running/)
  const { attempts, finished_at } = await commands.json('jobs', 'show', 'job_a')
  assert.deepEqual([attempts, finished_at], [0, null])
  assert.match(await commands.runOk('jobs', 'cancel', 'job_b'), /is cancelled\./)
})

test('an impossible action on a job is refused with the reason', async (t) => {
  const commands = await setUpWorkspace(t)
  insertJob(commands, 'job_done', { state: 'done', finished_at: 5 })
  for (const [command, id, code] of [
    ['retry', 'job_done', 'conflict'],
    ['cancel', 'job_done', 'conflict'],
    ['run-now', 'job_done', 'conflict'],
    ['show', 'job_none', 'not_found'],
    ['cancel', 'job_none', 'not_found'],
  ] as const) {
    const ran = await commands.run(['jobs', command, id, '--json'])
    assert.deepEqual([ran.code, JSON.parse(ran.stderr).code], [1, code], command)
  }
  for (const invalidOptions of [
    ['--state', 'nope'],
    ['--limit', '0'],
    ['--limit', 'x'],
  ])
    assert.equal((await commands.run(['jobs', 'list', ...invalidOptions])).code, 2)
})

test('run-now makes a running server start a scheduled job at once', async (t) => {
  const commands = await setUpWorkspace(t)
  const server = await commands.start()
  insertJob(commands, 'job_later')
  await pause(100)
  assert.equal(await stateOf(commands, 'job_later'), 'waiting')
  assert.match(await commands.runOk('jobs', 'run-now', 'job_later'), /is waiting\.$/m)
  await untilTrue(async () => (await stateOf(commands, 'job_later')) === 'done', 'it did not run')
  assert.deepEqual((await commands.json('jobs', 'show', 'job_later')).result, { forgotten: 0 })
  assert.equal(await server.end(), 0)
})

test('a job left running by a killed server is picked up at once by the next one', async (t) => {
  const commands = await setUpWorkspace(t)
  insertJob(commands, 'job_left', {
    state: 'running',
    lease: 'server-gone',
    attempts: 1,
    started_at: 5,
  })
  insertJob(commands, 'job_fatal', {
    state: 'running',
    lease: 'server-gone',
    attempts: 8,
    started_at: 5,
  })
  await commands.start()
  await untilTrue(async () => (await stateOf(commands, 'job_left')) === 'done', 'it did not run')
  assert.deepEqual(
    [
      await stateOf(commands, 'job_fatal'),
      (await commands.json('jobs', 'show', 'job_left')).attempts,
    ],
    ['dead', 2],
  )
})
