import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { verifyCalls } from '../src/audit/verify.ts'
import { sqliteConnection } from '../src/db/dialect.ts'
import { databasePath } from '../src/db/open.ts'
import { scratch, serve, workspaceJson } from '../src/testing/process.ts'
import { untilTrue } from '../src/testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 20)
const writers = 16

/** Creates tasks until the server stops; collects the acknowledged ids. */
async function write(
  url: string,
  key: string,
  round: number,
  writer: number,
  createdIds: string[],
): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      const answer = await fetch(`${url}/api/tasks`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': `${round}-${writer}-${i}`,
        },
        body: JSON.stringify({
          project_id: 'CRASH',
          title: `Round ${round} writer ${writer} task ${i}`,
        }),
      })
      const task = (await answer.json()) as { id: string }
      assert.equal(answer.status, 201, JSON.stringify(task))
      createdIds.push(task.id)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // the server was killed
    }
  }
}

test(`kill -9 with ${writers} writers, ${rounds} rounds: every acknowledged write is stored with its log row`, async () => {
  const { dir, remove } = scratch()
  const org = await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--org',
    org.id,
    '--email',
    'ann@crash.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@crash.test',
    '--name',
    'crash',
    '--data',
    dir,
  )
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await serve(dir)
    if (round === 0)
      await fetch(`${server.url}/api/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"name":"Crash","key":"CRASH"}',
      })
    const before = acknowledged.length
    const lanes = Array.from({ length: writers }, (_, writer) =>
      write(server.url, key, round, writer, acknowledged),
    )
    await untilTrue(() => acknowledged.length > before, 'nothing was acknowledged')
    await pause(17 * (round % 7))
    await server.end('SIGKILL')
    await Promise.all(lanes)
    assert.ok(
      acknowledged.length > before,
      `round ${round}: nothing was acknowledged before the kill`,
    )
  }
  const server = await serve(dir)
  assert.equal(await server.end(), 0)
  const db = new Database(databasePath(dir), { readonly: true })
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(db.pragma('foreign_key_check'), [])
  const stored = new Set(db.prepare('SELECT id FROM tasks').pluck().all() as string[])
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
    'acknowledged tasks that are gone',
  )
  const logged = db
    .prepare("SELECT count(*) FROM calls WHERE tool = 'create_task' AND status = 'ok'")
    .pluck()
    .get()
  assert.equal(logged, stored.size, 'each task has one entry in the call log')
  const searchable = db
    .prepare("SELECT count(*) FROM search_docs WHERE item_type = 'task'")
    .pluck()
    .get()
  assert.equal(searchable, stored.size, 'each task is in the word index')
  for (const chain of await verifyCalls(sqliteConnection(db))) assert.equal(chain.broken, undefined)
  db.close()
  remove()
})
