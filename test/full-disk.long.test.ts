import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Spill } from '../src/audit/spill.ts'
import { verifyCalls } from '../src/audit/verify.ts'
import { sqliteConnection } from '../src/db/dialect.ts'
import { databasePath } from '../src/db/open.ts'
import { makeWorkspace } from '../src/testing/harness.ts'
import { scratch, serve, workspaceJson } from '../src/testing/process.ts'
import { untilTrue } from '../src/testing/limits.ts'

const has = (program: string) => spawnSync('which', [program]).status === 0

interface Api {
  status(method: string, path: string, body?: unknown): Promise<number>
}

async function begun(dir: string): Promise<string> {
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  return (
    await workspaceJson('keys', 'create', '--user', 'ann@acme.test', '--name', 'k', '--data', dir)
  ).key
}

function apiOf(url: string, key: string): Api {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    async status(method, path, body) {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const json = (await answer.json()) as { code?: string }
      if (answer.status >= 400) assert.match(json.code!, /^(storage_full|unavailable)$/)
      return answer.status
    },
  }
}

/** Fills the remaining disk space. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [2 ** 16, 2 ** 12, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch {
      // full, for chunks of this size
    }
  }
  closeSync(file)
}

async function callsIn(dir: string): Promise<Record<string, number>> {
  const db = new Database(databasePath(dir), { readonly: true })
  try {
    for (const chain of await verifyCalls(sqliteConnection(db)))
      assert.equal(chain.broken, undefined)
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    const rows = db
      .prepare(
        "SELECT tool || ' ' || status AS what, count(*) AS n FROM calls WHERE transport = 'rest' GROUP BY 1",
      )
      .all() as { what: string; n: number }[]
    return Object.fromEntries(rows.map((row) => [row.what, row.n]))
  } finally {
    db.close()
  }
}

function mounted(t: TestContext, megabytes: number): string | undefined {
  const { dir, remove } = scratch()
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir])
  if (done.status !== 0) {
    remove()
    return undefined
  }
  t.after(() => {
    execFileSync('umount', ['-l', dir])
    remove()
  })
  return dir
}

test('while the database cannot grow, writes get storage_full and reads succeed; both recover automatically, without gaps in the call log', async (t) => {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  const { app, ann, dataDir } = workspace
  app.callLog.spill = new Spill(dataDir, 2 ** 16)
  const pages = app.store.raw.write.pragma('page_count', { simple: true }) as number
  app.store.raw.write.pragma(`max_page_count = ${pages}`)
  let refused = 0
  for (let i = 0; i < 200 && refused < 3; i++) {
    await ann
      .call('create_label', { name: `label ${i} ${'x'.repeat(60)}` })
      .catch((error: { code: string }) => {
        assert.equal(error.code, 'storage_full')
        refused++
      })
  }
  assert.equal(refused, 3)
  const before = app.callLog.spill.waiting
  for (let i = 0; i < 30; i++) assert.ok((await ann.call('list_labels')).items.length > 0)
  assert.ok(app.callLog.spill.waiting > before, 'reads wait beside the database')
  app.store.raw.write.pragma('max_page_count = 1000000')
  await ann.call('create_label', { name: 'after' })
  await app.callLog.spill.drain((entries) =>
    app.store.writer.run(async () => app.callLog.appendMissing(entries)),
  )
  assert.equal(app.callLog.spill.waiting, 0)
  const logged = app.store.raw.read
    .prepare("SELECT count(*) FROM calls WHERE tool = 'list_labels'")
    .pluck()
    .get()
  assert.equal(logged, 30)
  for (const chain of await verifyCalls(app.store.read)) assert.equal(chain.broken, undefined)
})

test('a call that cannot be logged is not answered', async (t) => {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  const { app, ann, dataDir } = workspace
  const spill = (app.callLog.spill = new Spill(dataDir, 2000))
  app.store.raw.write.pragma(
    `max_page_count = ${app.store.raw.write.pragma('page_count', { simple: true })}`,
  )
  let answered = 0
  for (let i = 0; i < 400; i++) {
    const refusal = await ann.call('list_labels').then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
    if (refusal === undefined) answered++
    else {
      assert.equal(refusal, 'storage_full')
      break
    }
  }
  assert.ok(answered < 400)
  const logged = app.store.raw.read
    .prepare("SELECT count(*) FROM calls WHERE tool = 'list_labels' AND status = 'ok'")
    .pluck()
    .get() as number
  assert.equal(logged + spill.waiting, answered, 'as many entries as answers')
})

test('entries pending when the process was killed are logged once', async (t) => {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  const { app, ann, dataDir } = workspace
  await ann.call('list_labels')
  const [row] = app.store.raw.read.prepare('SELECT * FROM calls LIMIT 1').all() as Record<
    string,
    never
  >[]
  const entry = (id: string) =>
    ({ ...row!, id, items: [], details: { route: 'x', arguments: {}, ip: '' } }) as never
  const killed = new Spill(dataDir, 2 ** 16)
  for (const id of ['clg_1', 'clg_2', 'clg_3']) killed.keep(entry(id))
  killed.close()
  truncateSync(join(dataDir, 'audit-spill'), 2 ** 16)
  const drain = (spill: Spill) =>
    spill.drain((entries) => app.store.writer.run(async () => app.callLog.appendMissing(entries)))
  const once = new Spill(dataDir, 2 ** 16)
  await app.store.writer.run(async () => app.callLog.appendMissing([entry('clg_1')])) // as if it died between the log and the spill
  assert.equal(await drain(once), 3)
  assert.equal(await drain(new Spill(dataDir, 2 ** 16)), 0)
  assert.equal(
    app.store.raw.read
      .prepare("SELECT count(*) FROM calls WHERE id IN ('clg_1', 'clg_2', 'clg_3')")
      .pluck()
      .get(),
    3,
  )
  assert.equal(statSync(join(dataDir, 'audit-spill')).mode & 0o777, 0o600)
})

test('on a full disk a server refuses writes with 507, serves reads, reports it, and recovers once there is space', async (t) => {
  const dir = mounted(t, 32)
  if (dir === undefined) return t.skip('only root may mount a small disk')
  const data = join(dir, 'data')
  mkdirSync(data, { mode: 0o700 })
  const api = await begun(data)
  const server = await serve(data)
  t.after(() => void (server.child.exitCode ?? server.child.kill('SIGKILL')))
  const { status } = apiOf(server.url, api)
  assert.equal(await status('POST', '/labels', { name: 'before' }), 201)
  assert.equal(
    ((await (await fetch(`${server.url}/readyz`)).json()) as { space: string }).space,
    'scarce',
  )
  fill(join(dir, 'filler'))
  const writes: number[] = []
  for (let i = 0; i < 300 && writes.filter((write) => write === 507).length < 5; i++)
    writes.push(await status('POST', '/labels', { name: `full ${i}` }))
  assert.ok(
    writes.filter((write) => write === 507).length === 5,
    'the log beside the database may have had room of its own, and then none',
  )
  for (let i = 0; i < 20; i++) assert.equal(await status('GET', '/labels'), 200)
  rmSync(join(dir, 'filler'))
  assert.equal(await status('POST', '/labels', { name: 'after' }), 201)
  assert.equal(await server.end(), 0)
  const createdCount = writes.filter((write) => write === 201).length + 2
  assert.deepEqual(await callsIn(data), {
    'create_label error': 5,
    'create_label ok': createdCount,
    'list_labels ok': 20,
  })
  const db = new Database(databasePath(data), { readonly: true })
  assert.equal(db.prepare('SELECT count(*) FROM labels').pluck().get(), createdCount)
  db.close()
})

test('on a disk failure nothing is acknowledged: 503, and a check of the whole database', async (t) => {
  if (!has('strace')) return t.skip('strace is not installed')
  const { dir, remove } = scratch()
  t.after(remove)
  const key = await begun(dir)
  const server = await serve(dir)
  const log: string[] = []
  server.child.stderr!.on('data', (part: Buffer) => log.push(part.toString()))
  t.after(() => void (server.child.exitCode ?? server.child.kill('SIGKILL')))
  const { status } = apiOf(server.url, key)
  assert.equal(await status('POST', '/labels', { name: 'before' }), 201)
  const tracer = spawn(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=fdatasync,fsync',
      '-e',
      'inject=fdatasync,fsync:error=EIO',
      '-p',
      String(server.child.pid),
    ],
    { stdio: 'ignore' },
  )
  t.after(() => tracer.kill('SIGKILL'))
  await attached(server.child.pid!)
  for (let i = 0; i < 5; i++)
    assert.equal(await status('POST', '/labels', { name: `failing ${i}` }), 503)
  assert.equal(await status('GET', '/labels'), 503, 'a read that cannot be logged anywhere')
  tracer.kill('SIGTERM')
  await new Promise((done) => tracer.once('exit', done))
  for (let i = 0; (await status('POST', '/labels', { name: 'after' })) !== 201; i++) {
    assert.ok(i < 50, 'it goes on once the disk does')
    await pause(50)
  }
  for (let i = 0; i < 100 && !log.join('').includes('the database is intact'); i++) await pause(100)
  assert.match(log.join(''), /the disk failed under the database[^]*the database is intact/)
  assert.match(log.join(''), /"code":"SQLITE_IOERR_\w*FSYNC"/)
  assert.equal(await server.end(), 0)
  const db = new Database(databasePath(dir), { readonly: true })
  const names = db.prepare('SELECT name FROM labels ORDER BY name').pluck().all()
  db.close()
  assert.deepEqual(names, ['after', 'before'])
  await callsIn(dir)
})

async function attached(pid: number): Promise<void> {
  await untilTrue(
    () => !/TracerPid:\s*0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')),
    'strace does not attach',
  )
  await pause(200) // the other threads
}
