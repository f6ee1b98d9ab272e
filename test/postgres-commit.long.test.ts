import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, before, test as nodeTest } from 'node:test'
import pg from 'pg'
import { scratch, serve, workspaceJson, type Served } from '../src/testing/process.ts'
import { noPostgres, startPostgres, type PostgresDaemon } from '../src/testing/servers/daemons.ts'

// Tests the errors a caller gets when the connection to PostgreSQL breaks during a commit. A proxy in between cuts the
// connection there.

type Cut = 'at BEGIN' | 'before COMMIT arrives' | 'after COMMIT is done' | 'on one side'

const test = (name: string, work: () => Promise<void>) =>
  nodeTest(name, { skip: noPostgres ?? false }, work)
const { dir, remove } = scratch()
let daemon: PostgresDaemon
let proxy: Server
let server: Served
let key: string
let project_id: string
/** Point at which the proxy cuts each connection. */
let cut: Cut | undefined
/** Proxy connections to PostgreSQL whose client side was cut. */
const halves: Socket[] = []

before(async () => {
  if (noPostgres) return
  daemon = await startPostgres()
  const admin = new pg.Client(`${daemon.url}/postgres`)
  await admin.connect()
  await admin.query('CREATE DATABASE workspace')
  await admin.end()
  proxy = await startProxy(Number(new URL(daemon.url).port))
  const url = new URL(`${daemon.url}/workspace`)
  process.env.WORKSPACE_DATABASE = url.href
  const at = ['--data', dir]
  await workspaceJson('orgs', 'create', '--name', 'Acme', ...at)
  const ann = ['--email', 'ann@acme.test', '--name', 'Ann', '--admin']
  await workspaceJson('users', 'create', ...ann, ...at)
  const whose = ['--user', 'ann@acme.test', '--name', 'laptop']
  key = (await workspaceJson('keys', 'create', ...whose, ...at)).key
  url.port = String((proxy.address() as AddressInfo).port)
  process.env.WORKSPACE_DATABASE = url.href
  server = await serve(dir)
  project_id = (await ask('projects', { name: 'Cuts', key: 'CUT' })).value.id
})
after(async () => {
  if (server?.child.exitCode === null) await server.end()
  delete process.env.WORKSPACE_DATABASE
  for (const half of halves) half.destroy()
  proxy?.close()
  await daemon?.close()
  remove()
})

async function startProxy(port: number): Promise<Server> {
  const listening = createServer((client) => relay(client, connect(port, '127.0.0.1')))
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return listening
}

function relay(client: Socket, database: Socket): void {
  let isDone = false
  const end = () => {
    client.destroy()
    database.destroy()
  }
  for (const socket of [client, database])
    socket.on('error', end).on('close', () => halves.includes(database) || end())
  client.on('data', (sent) => {
    if (cut === 'on one side' && sent.includes('BEGIN;')) {
      halves.push(database)
      return client.destroy()
    }
    if (cut === 'at BEGIN' && sent.includes('BEGIN;')) return end()
    const commits = sent.includes('COMMIT\0')
    if (cut === 'before COMMIT arrives' && commits) return end()
    isDone = cut === 'after COMMIT is done' && commits
    database.write(sent)
  })
  database.on('data', (answer) => {
    if (isDone) return end()
    client.write(answer)
  })
}

async function ask(path: string, body?: object, idempotencyKey?: string) {
  const response = await fetch(`${server.url}/api/${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    headers: response.headers,
    value: (await response.json()) as any,
  }
}

/** Creates a task whose connection breaks at the commit, then repeats the request. */
async function createdAcross(where: Cut) {
  const send = () => ask('tasks', { title: where, project_id }, where)
  cut = where
  const first = await send()
  cut = undefined
  const stored = await titled(where)
  const second = await send()
  return { first, stored, second, storedThen: await titled(where) }
}

async function titled(title: string): Promise<number> {
  const database = new pg.Client(`${daemon.url}/workspace`)
  await database.connect()
  const { rowCount } = await database.query('SELECT 1 FROM tasks WHERE title = $1', [title])
  await database.end()
  return rowCount ?? 0
}

const unknown = /a write may have happened or not.*idempotency_key/

test('a commit whose confirmation is lost is reported as unknown, and a retry finds it', async () => {
  const { first, stored, second, storedThen } = await createdAcross('after COMMIT is done')
  assert.equal(first.status, 503)
  assert.match(first.value.message, unknown)
  assert.equal(first.headers.get('retry-after'), '1')
  assert.equal(stored, 1)
  assert.equal(second.status, 201)
  assert.equal(storedThen, 1)
})

test('a commit that never arrives is reported as unknown too, and a retry performs it', async () => {
  const { first, stored, second, storedThen } = await createdAcross('before COMMIT arrives')
  assert.equal(first.status, 503)
  assert.match(first.value.message, unknown)
  assert.equal(stored, 0)
  assert.equal(second.status, 201)
  assert.equal(storedThen, 1)
})

test('if the connection breaks earlier, nothing is changed, and the response says so', async () => {
  const { first, stored, second } = await createdAcross('at BEGIN')
  assert.equal(first.status, 503)
  assert.match(first.value.message, /nothing was changed/)
  assert.equal(stored, 0)
  assert.equal(second.status, 201)
  assert.equal((await workspaceJson('audit', 'verify', '--data', dir)).ok, true)
})

test('a server whose cut connection PostgreSQL still holds takes over from itself and continues', async () => {
  for (const title of ['first', 'second']) {
    cut = 'on one side'
    assert.equal((await ask('tasks', { title, project_id })).status, 503)
    cut = undefined
    const { status } = await ask('tasks', { title, project_id })
    assert.equal(status, 201, server.output())
  }
  assert.equal(server.child.exitCode, null)
  assert.ok(halves.length >= 2)
})
