import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test as nodeTest } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  leading,
  program,
  scratch,
  serve,
  workspaceJson,
  workspace,
  type Served,
} from '../src/testing/process.ts'
import { noPostgres, startPostgres, type PostgresDaemon } from '../src/testing/servers/daemons.ts'

// Two servers on one PostgreSQL database, one of them on standby; and a database that is unavailable for a while,
// including at startup.

const test = (name: string, work: () => Promise<void>) =>
  nodeTest(name, { skip: noPostgres ?? false }, work)
const writers = 8
const { dir, remove } = scratch()
let daemon: PostgresDaemon
let server: Served
let key: string
let project_id: string
before(async () => {
  if (noPostgres) return
  daemon = await startPostgres()
  const admin = new pg.Client(`${daemon.url}/postgres`)
  await admin.connect()
  await admin.query('CREATE DATABASE workspace')
  await admin.end()
  process.env.WORKSPACE_DATABASE = `${daemon.url}/workspace`
  const at = ['--data', dir]
  await workspaceJson('orgs', 'create', '--name', 'Acme', ...at)
  const ann = ['--email', 'ann@acme.test', '--name', 'Ann', '--admin']
  await workspaceJson('users', 'create', ...ann, ...at)
  const createdKey = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'a',
    ...at,
  )
  key = createdKey.key
  server = await serve(dir)
  project_id = (await ask('projects', { name: 'Load', key: 'LOAD' })).value.id
})
after(async () => {
  if (server?.child.exitCode === null) await server.end()
  delete process.env.WORKSPACE_DATABASE
  await daemon?.close()
  remove()
})

async function ask(path: string, body?: object, idempotencyKey?: string) {
  const response = await fetch(`${server.url}/api/${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, retryAfter, value: (await response.json()) as any }
}

/** Clients that write until stopped, and retry failures with the same idempotency key. */
class Load {
  readonly acknowledged = new Set<string>()
  readonly statuses = new Map<number, number>()
  readonly withoutRetryAfter: number[] = []
  #isOn = true
  readonly #name: string
  readonly #clients: Promise<void>[]

  constructor(name: string) {
    this.#name = name
    this.#clients = Array.from({ length: writers }, (_, client) => this.#write(client))
  }

  async stop(): Promise<void> {
    this.#isOn = false
    await Promise.all(this.#clients)
  }

  async #write(client: number): Promise<void> {
    for (let n = 0; this.#isOn; n++) {
      const title = `${this.#name} ${client}-${n}`
      while (!(await this.#send(title))) await pause(100)
      this.acknowledged.add(title)
    }
  }

  /** Returns whether it was acknowledged. An unavailable server does not answer. */
  async #send(title: string): Promise<boolean> {
    const sent = await ask('tasks', { title, project_id }, title).catch(() => undefined)
    const { status = 0, retryAfter } = sent ?? {}
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status >= 400 && !retryAfter) this.withoutRetryAfter.push(status)
    return status === 201
  }
}

async function acknowledgedOnce(load: Load, name: string): Promise<void> {
  const database = new pg.Client(process.env.WORKSPACE_DATABASE)
  await database.connect()
  const { rows } = await database.query<{ title: string }>(
    'SELECT title FROM tasks WHERE title LIKE $1 ORDER BY title',
    [`${name} %`],
  )
  await database.end()
  const stored = rows.map(({ title }) => title)
  assert.deepEqual(stored, [...load.acknowledged].sort())
  assert.equal((await workspaceJson('audit', 'verify', '--data', dir)).ok, true)
}

const standBy = () => serve(dir, '--standby')

test('while the database is down the server responds 503 with Retry-After, and recovers automatically', async () => {
  const load = new Load('outage')
  await pause(1_000)
  await daemon.stop()
  const whileAway = await ask('tasks')
  await pause(20_000)
  await daemon.start()
  for (let i = 0; i < 100 && (await ask('tasks?limit=1')).status !== 200; i++) await pause(100)
  const countedBefore = load.acknowledged.size
  await pause(1_000)
  await load.stop()
  assert.equal(whileAway.status, 503)
  assert.ok(Number(whileAway.retryAfter) >= 1)
  assert.deepEqual([...load.statuses.keys()].sort(), [201, 503])
  assert.deepEqual(load.withoutRetryAfter, [])
  assert.ok(load.acknowledged.size > countedBefore, 'writes go on')
  await acknowledgedOnce(load, 'outage')
  assert.equal(server.child.exitCode, null)
})

test('a standby server takes over when the other is killed, without losing or duplicating anything', async () => {
  const other = standBy()
  const load = new Load('takeover')
  await pause(3_000)
  const old = server
  assert.equal(await Promise.race([other.then(() => 'took over'), pause(0)]), undefined)
  await old.end('SIGKILL')
  const killed = performance.now()
  server = await other
  const seconds = (performance.now() - killed) / 1000
  const before = load.acknowledged.size
  await pause(1_000)
  await load.stop()
  assert.ok(before > 0 && load.acknowledged.size > before)
  assert.ok(seconds < 30, `it took over after ${seconds} s`)
  await acknowledgedOnce(load, 'takeover')
  const first = [...load.acknowledged][0]!
  const { items } = (await ask(`search?query=${encodeURIComponent(`"${first}"`)}`)).value
  assert.ok(items.some((hit: { item: { title: string } }) => hit.item.title === first))
})

test('of two standby servers one takes over from a stopped server, and the other keeps waiting', async () => {
  const waiting = [standBy(), standBy()]
  await pause(1_500)
  assert.equal(await server.end(), 0)
  server = await Promise.race(waiting)
  assert.equal((await ask('tasks?limit=1')).status, 200)
  const at = await Promise.all(waiting.map((start) => Promise.race([start, pause(1_500)])))
  assert.equal(at.filter((served) => served !== undefined).length, 1)
  const last = waiting[at.indexOf(undefined)]!
  assert.equal(await server.end(), 0)
  server = await last
  assert.equal((await ask('tasks?limit=1')).status, 200)
})

test('a server whose connections were cut, and which was replaced since, exits at its next write', async () => {
  const old = server
  const machine = scratch() // another machine: nothing but the database tells the two apart
  const other = serve(machine.dir, '--standby')
  await pause(1_500)
  old.child.kill('SIGSTOP')
  const admin = new pg.Client(`${daemon.url}/postgres`)
  await admin.connect()
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'workspace'",
  )
  await admin.end()
  const replacement = await other
  const exit = once(old.child, 'exit')
  old.child.kill('SIGCONT')
  const late = await ask('tasks', { title: 'Too late', project_id }).catch(() => undefined)
  assert.notEqual(late?.status, 201)
  assert.deepEqual(await exit, [75, null])
  assert.match(old.output(), /another server has taken over the database/)
  await replacement.end()
  machine.remove()
  server = await serve(dir)
  assert.equal((await ask('tasks?limit=1')).status, 200)
})

test('a server started before its database waits for it, and exits at once on a wrong password', async () => {
  assert.equal(await server.end(), 0)
  await daemon.stop()
  const starting = spawn(program, [...leading, 'serve', '--data', dir, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  starting.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  while (!stderr.includes('waiting for the database')) await once(starting.stderr, 'data')
  starting.kill('SIGTERM')
  assert.deepEqual(await once(starting, 'exit'), [0, null], 'it can be stopped while it waits')
  const waiting = serve(dir)
  await daemon.start()
  server = await waiting
  assert.equal((await ask('tasks?limit=1')).status, 200)
  assert.equal(await server.end(), 0)
  const { WORKSPACE_DATABASE: database } = process.env
  process.env.WORKSPACE_DATABASE = database!.replace(/workspace$/, 'not_there')
  const refused = await workspace(['serve', '--data', dir])
  process.env.WORKSPACE_DATABASE = database
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /not_there/)
  server = await serve(dir)
})

test('a waiting standby can be stopped, and without a database standby is refused', async () => {
  const args = [...leading, 'serve', '--data', dir, '--port', '0', '--standby']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errorOutput = ''
  child.stderr.on('data', (part: Buffer) => (errorOutput += part.toString()))
  while (!errorOutput.includes('standing by')) await once(child.stderr, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  const { WORKSPACE_DATABASE: database } = process.env
  delete process.env.WORKSPACE_DATABASE
  const { code, stderr } = await workspace(['serve', '--data', dir, '--standby'])
  process.env.WORKSPACE_DATABASE = database
  assert.equal(code, 78)
  assert.match(stderr, /--database/)
})
