import assert from 'node:assert/strict'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test as nodeTest } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { scratch, serve, workspace, workspaceJson, type Served } from '../src/testing/process.ts'
import { noPostgres, startPostgres, type PostgresDaemon } from '../src/testing/servers/daemons.ts'

// A workspace moved to PostgreSQL and back, as by an operator: people and assistants see the same data.

const test = (name: string, work: () => Promise<void>) =>
  nodeTest(name, { skip: noPostgres ?? false }, work)
const { dir, remove } = scratch()
const at = ['--data', dir]
const file = join(dir, 'workspace.db')
const oldFile = `${file}-before-postgres`
let daemon: PostgresDaemon
let admin: pg.Client
/** Base URL of a role that owns its databases but is no superuser. */
let base: string
let key: string
let server: Served | undefined

interface Moved {
  tables: { table: string; rows: number; sha256: string }[]
  call_log: { entries: number; broken?: unknown }[]
}

before(async () => {
  if (noPostgres) return
  daemon = await startPostgres()
  admin = new pg.Client(`${daemon.url}/postgres`)
  await admin.connect()
  await admin.query("CREATE ROLE workspace LOGIN PASSWORD 'secret'")
  const url = new URL(daemon.url)
  base = `postgres://workspace:secret@${url.host}`
  await newDatabase('first')
  const demo = await workspaceJson<{ people: { key: string }[] }>('demo', '--keys', ...at)
  key = demo.people[0]!.key
  await workspaceJson('search', 'rebuild', ...at) // else the first server does it, and answers differ before and after
})
after(async () => {
  await server?.end()
  delete process.env.WORKSPACE_DATABASE
  await admin?.end()
  await daemon?.close()
  remove()
})

async function newDatabase(name: string): Promise<string> {
  await admin.query(
    `CREATE DATABASE ${name} OWNER workspace TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`,
  )
  return `${base}/${name}`
}

const paths = [
  'tasks?limit=100',
  'search?query=website%20launch&limit=20',
  'pages',
  'contacts?limit=50',
]

/** Answers for the key's owner, once all texts have their vectors. */
async function answers(): Promise<string[]> {
  server = await serve(dir)
  await vectorsMade()
  const texts: string[] = []
  for (const path of paths) texts.push(masked(await ask(path)))
  return texts
}

/** Masks values that differ between servers: the address, and the moment of a search. */
function masked(text: string): string {
  return text.replaceAll(server!.url, '').replace(/"as_of":"[^"]*"/, '')
}

/** Compares texts; shows where they start to differ. */
function requireEqual(actual: readonly string[], expected: readonly string[]): void {
  expected.forEach((text, i) => {
    const other = [...text].findIndex((character, at) => actual[i]?.[at] !== character)
    const from = Math.max(0, other - 100)
    assert.equal(actual[i]?.slice(from, from + 300), text.slice(from, from + 300))
    assert.equal(actual[i], text)
  })
}

async function ask(path: string, body?: object): Promise<string> {
  const response = await fetch(`${server!.url}/api/${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${path}: ${text}`)
  return text
}

async function vectorsMade(): Promise<void> {
  while ((await workspaceJson('search', 'status', ...at)).due > 0)
    await new Promise((go) => setTimeout(go, 200))
}

async function stop(): Promise<void> {
  assert.equal(await server?.end(), 0)
  server = undefined
}

async function refused(to: string, exit: number, message: RegExp): Promise<void> {
  const ran = await workspace(['migrate', '--to', to, ...at])
  assert.equal(ran.code, exit, ran.stderr)
  assert.match(ran.stderr, message)
}

test('all responses are the same on PostgreSQL and back on SQLite, and no vector is recomputed', async () => {
  const sqliteAnswers = await answers()
  await refused(`${base}/first`, 75, /Another server uses/)
  await stop()

  const moved = await workspaceJson<Moved>('migrate', '--to', `${base}/first`, ...at)
  assert.ok(moved.tables.find(({ table }) => table === 'tasks')!.rows >= 41)
  assert.ok(moved.call_log.every(({ entries, broken }) => entries > 0 && !broken))
  assert.ok(existsSync(oldFile) && !existsSync(file))
  const blind = await workspace(['users', 'list', ...at])
  assert.match(blind.stderr, /is in a PostgreSQL database/)

  process.env.WORKSPACE_DATABASE = `${base}/first`
  const { due, passages, missing, orphans } = await workspaceJson('search', 'status', ...at)
  assert.deepEqual({ due, missing, orphans }, { due: 0, missing: 0, orphans: 0 })
  assert.ok(passages > 0)
  requireEqual(await answers(), sqliteAnswers)
  const project_id = JSON.parse(await ask('tasks?limit=1')).items[0].project.id
  await ask('tasks', { title: 'Made on PostgreSQL', project_id })
  await refused('sqlite', 75, /Another server uses/)
  await stop()
  assert.equal((await workspaceJson('audit', 'verify', ...at)).ok, true)

  await workspaceJson('migrate', '--to', 'sqlite', ...at)
  delete process.env.WORKSPACE_DATABASE
  assert.ok(existsSync(file) && !existsSync(join(dir, 'search.db')))
  const again = await answers()
  assert.match(await ask('search?query=Made%20on%20PostgreSQL'), /Made on PostgreSQL/)
  await stop()
  requireEqual(again.slice(2), sqliteAnswers.slice(2))
  assert.equal((await workspaceJson('audit', 'verify', ...at)).ok, true)
  const doctor = await workspace(['doctor', '--only', 'database', '--json', ...at])
  assert.equal(doctor.code, 0, doctor.stdout)
})

test('moving there and back gives the same rows, except for the log of the moves', async () => {
  renameSync(oldFile, `${oldFile}-1`)
  const url = await newDatabase('second')
  const there = await workspaceJson<Moved>('migrate', '--to', url, ...at)
  process.env.WORKSPACE_DATABASE = url
  const back = await workspaceJson<Moved>('migrate', '--to', 'sqlite', ...at)
  delete process.env.WORKSPACE_DATABASE
  const changed = back.tables.filter(({ sha256 }, i) => sha256 !== there.tables[i]!.sha256)
  assert.deepEqual(
    changed.map(({ table }) => table),
    ['calls'],
  )
})

test('a non-empty target, a text that PostgreSQL cannot store and an invalid target are refused, and nothing is moved', async () => {
  renameSync(oldFile, `${oldFile}-2`)
  await refused(`${base}/first`, 1, /already has a workspace/)
  await refused('mysql://x', 2, /--to takes/)
  await refused('sqlite', 2, /on SQLite already/)
  await refused(`${base}/missing`, 1, /cannot be used: database "missing" does not exist/)

  const db = new Database(file)
  const id = db.prepare('SELECT id FROM tasks LIMIT 1').pluck().get() as string
  db.prepare("UPDATE tasks SET title = 'a' || char(0) || 'b' WHERE id = ?").run(id)
  db.close()
  const url = await newDatabase('third')
  await refused(
    url,
    1,
    new RegExp(`tasks\\.title of the row ${id} has a text with the character NUL`),
  )
  const third = new pg.Client(url)
  await third.connect()
  const { rows } = await third.query("SELECT 1 FROM pg_class WHERE relname = 'tasks'")
  await third.end()
  assert.equal(rows.length, 0)
  assert.ok(existsSync(file) && !existsSync(oldFile))
})
