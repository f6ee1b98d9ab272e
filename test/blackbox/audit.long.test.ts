import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Database from 'better-sqlite3'
import fc from '../../src/testing/properties.ts'
import { verifyCalls } from '../../src/audit/verify.ts'
import { sqliteConnection } from '../../src/db/dialect.ts'
import { databasePath } from '../../src/db/open.ts'
import { mintKey } from '../../src/keys/format.ts'
import { sentTo } from '../../src/testing/blackbox/arbitraries.ts'
import { oddBodies } from '../../src/testing/blackbox/hostile.ts'
import { oneInstance, type BlackboxInstance } from '../../src/testing/blackbox/instance.ts'
import {
  inLanes,
  mcpMessage,
  restOf,
  send,
  toolCallOf,
  type RawRequest,
  type Door,
} from '../../src/testing/blackbox/requests.ts'
import { surfaceOf, type Offered } from '../../src/testing/blackbox/surface.ts'
import { plant, type Things } from '../../src/testing/blackbox/things.ts'
import { workspace } from '../../src/testing/process.ts'

// The call log has one entry for each call with a key, regardless of its transport and outcome, and contains nothing
// that must not be stored. Checked from outside: in the database, in the server's output, and in its files.

let instance: BlackboxInstance
let door: Door
let offered: Offered[]
let knownIds: Things
let serverOutput = ''

before(async () => {
  instance = await oneInstance('--check-answers', 'yes')
  instance.server.child.stderr!.on('data', (part: Buffer) => (serverOutput += part.toString()))
  instance.server.child.stdout!.on('data', (part: Buffer) => (serverOutput += part.toString()))
  door = { url: instance.server.url, key: await instance.newKey('ann@acme.test') }
  offered = await surfaceOf(door)
  knownIds = await plant(door, 'known', 'KNOWN')
})
after(() => instance.remove())

function reading<T>(look: (db: Database.Database) => T): T {
  const db = new Database(databasePath(instance.dir), { readonly: true })
  try {
    return look(db)
  } finally {
    db.close()
  }
}

interface Sent {
  id: string
  about: string
  asked: RawRequest
}

/** A request with its own id. */
function marked(about: string, request: RawRequest): Sent {
  const id = randomUUID()
  return { id, about, asked: { ...request, headers: { ...request.headers, 'x-request-id': id } } }
}

/** Mixed calls: valid and invalid, over both protocols, with unreadable bodies. */
function mixture(count: number): Sent[] {
  const makers: ((op: Offered, args: Record<string, unknown>, turn: number) => Sent)[] = [
    (op, args) => marked(`REST ${op.name}`, restOf(op, args)),
    (op, args) =>
      marked(
        `REST ${op.name} with nothing`,
        restOf(op, { ...Object.fromEntries(op.inPath.map((name) => [name, args[name]])) }),
      ),
    (op, args) => marked(`MCP ${op.name}`, toolCallOf(op.name, args)),
    (op, args) => marked(`MCP of before, ${op.name}`, toolCallOf(op.name, args, 'legacy')),
    (op, args) =>
      marked(`MCP ${op.name}, plain`, {
        ...toolCallOf(op.name, args, 'legacy'),
        headers: { accept: 'application/json' },
      }),
    (op) => marked(`MCP ${op.name} without arguments`, mcpMessage('tools/call', { name: op.name })),
    (op, _, turn) =>
      marked(
        `REST ${op.name} with a body that is none`,
        op.method === 'GET' || op.method === 'DELETE'
          ? { ...restOf(op, {}), path: `${restOf(op, {}).path}?limit=%ff` }
          : { ...restOf(op, {}), body: oddBodies[turn % oddBodies.length] || '[]' },
      ),
    (op) =>
      marked(
        `REST ${op.name} of another type`,
        op.method === 'GET' || op.method === 'DELETE'
          ? { ...restOf(op, {}), headers: { 'if-match': 'x' } }
          : { ...restOf(op, {}), body: 'a=b', headers: { 'content-type': 'text/plain' } },
      ),
    () => marked('MCP no_such_tool', toolCallOf('no_such_tool', {})),
  ]
  return Array.from({ length: count }, (_, i) => {
    const op = offered[(i * 31) % offered.length]!
    return makers[i % makers.length]!(
      op,
      fc.sample(sentTo(op, knownIds), { numRuns: 1, seed: i })[0]!,
      i,
    )
  })
}

test('each of 500 calls, served, refused or malformed, has exactly one entry, under its own id', async () => {
  const calls = mixture(500)
  const statuses = new Map<string, number>()
  await inLanes(
    calls,
    16,
    async ({ id, asked }) => void statuses.set(id, (await send(door, asked)).status),
  )
  const entries = reading((db) =>
    db
      .prepare(
        'SELECT request_id, count(*) AS count, min(status) AS status FROM calls GROUP BY request_id',
      )
      .all(),
  ) as { request_id: string; count: number; status: string }[]
  const entriesById = new Map(entries.map((entry) => [entry.request_id, entry]))
  const wrong = calls.flatMap(({ id, about }) =>
    entriesById.get(id)?.count === 1
      ? []
      : [`${about} (${statuses.get(id)}): ${entriesById.get(id)?.count ?? 0} entries`],
  )
  assert.deepEqual([...new Set(wrong)], [])
  const outcomes = Map.groupBy(calls, (call) => entriesById.get(call.id)!.status)
  assert.ok(
    (outcomes.get('ok')?.length ?? 0) > 30 && (outcomes.get('error')?.length ?? 0) > 100,
    JSON.stringify([...outcomes].map(([status, all]) => [status, all.length])),
  )
})

test('calls denied to the key and calls of the command line are logged once too', async () => {
  const count = (where: string) =>
    reading((db) => db.prepare(`SELECT count(*) FROM calls WHERE ${where}`).pluck().get()) as number
  const ran = await workspace([
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'looks',
    '--read-only',
    '--json',
    '--data',
    instance.dir,
  ])
  const narrow = { url: door.url, key: (JSON.parse(ran.stdout) as { key: string }).key }
  const denied = [
    marked('REST', { method: 'POST', path: '/api/labels', body: '{"name":"x"}' }),
    marked('MCP', toolCallOf('create_label', { name: 'x' })),
  ]
  for (const { id, asked } of denied) {
    await send(narrow, asked)
    assert.equal(count(`request_id = '${id}' AND status = 'denied'`), 1)
  }
  const before = count(`transport = 'cli'`)
  const lines = [
    ['list_labels'],
    ['create_label', '--name', 'From the shell'],
    ['create_label'],
    ['get_task', '--task-id', 'NONE-1'],
    ['list_tasks', '--no-such', 'x'],
  ]
  for (const line of lines)
    await workspace(['call', ...line, '--as', 'ann@acme.test', '--data', instance.dir])
  assert.equal(count(`transport = 'cli'`) - before, lines.length)
})

test('requests without a valid key and requests that need none leave no entry', async () => {
  const before = reading((db) => db.prepare('SELECT count(*) FROM calls').pluck().get())
  for (const path of ['/api/labels', '/api/no/such', '/mcp'])
    await send({ url: door.url }, { method: 'GET', path })
  for (const path of ['/healthz', '/api/openapi.json', '/'])
    await send(door, { method: 'GET', path })
  assert.equal(
    reading((db) => db.prepare('SELECT count(*) FROM calls').pluck().get()),
    before,
  )
})

test('confidential values are stored nowhere: neither in the log, nor in server output, nor in its files', async () => {
  const secret = (name: string) => `canary${name}${randomUUID().replaceAll('-', '')}`
  const unknown = mintKey().key
  const inKey = secret('authorization')
  const canaries: Record<string, string> = {
    'the key that was used': door.key!,
    'a key that nobody has': unknown,
    'an Authorization header': inKey,
  }
  const plantCanary = (name: string) => (canaries[name] = secret('x'))
  for (const op of offered) {
    const bodies = Object.entries(op.properties).filter(([name]) =>
      /markdown|content_base64|^comment$|secret|password/.test(name),
    )
    for (const [name] of bodies) {
      const text = plantCanary(`${op.name} ${name}`)
      const args = {
        ...Object.fromEntries(op.required.map((required) => [required, 'NONE-1'])),
        [name]: text,
        no_such_argument: plantCanary(`${op.name}, an unknown argument beside ${name}`),
      }
      for (const request of [
        restOf(op, args),
        toolCallOf(op.name, args),
        toolCallOf(op.name, args, 'legacy'),
      ])
        await send(door, request)
    }
  }
  for (const authorization of [`Bearer ${inKey}`, `Basic ${inKey}`, `Bearer ${unknown}`])
    await send(
      { url: door.url },
      { method: 'GET', path: '/api/labels', headers: { authorization } },
    )
  for (const name of ['key', 'access_token', 'token'])
    for (const key of [door.key!, unknown])
      for (const by of [door, { url: door.url }])
        await send(by, { method: 'GET', path: `/api/labels?${name}=${key}` })
  for (const text of [door.key!, unknown]) {
    for (const header of [
      'user-agent',
      'x-request-id',
      'idempotency-key',
      'mcp-session-id',
      'referer',
      'cookie',
      'traceparent',
      'x-forwarded-for',
      'mcp-name',
    ])
      await send(door, {
        method: 'POST',
        path: '/api/labels',
        body: '{}',
        headers: { [header]: text },
      })
    for (const args of [{ [text]: 'x' }, { name: { [text]: text } }, { name: 1, color: text }])
      for (const request of [
        { method: 'POST', path: '/api/labels', body: JSON.stringify(args) },
        toolCallOf('create_label', args),
        toolCallOf(text, {}),
        mcpMessage(text, {}),
        { method: 'GET', path: `/api/tasks/${text}` },
      ])
        await send(door, request)
  }
  for (const args of [{ name: door.key! }, { name: 'x', description: `Here it is: ${door.key}.` }])
    for (const request of [
      { method: 'POST', path: '/api/labels', body: JSON.stringify(args) },
      toolCallOf('create_label', args),
    ])
      await send(door, request) // of keys that work, content is kept free
  assert.ok(Object.keys(canaries).length > 20)
  const findLeaks = () =>
    Object.entries(canaries).flatMap(([name, text]) =>
      placesOf(text).map((place) => `${name}: in ${place}`),
    )
  const while_ = findLeaks()
  assert.equal(await instance.server.end('SIGTERM'), 0)
  assert.deepEqual([...while_, ...findLeaks()], [])
  const db = new Database(databasePath(instance.dir), { readonly: true })
  for (const chain of await verifyCalls(sqliteConnection(db))) assert.equal(chain.broken, undefined)
  db.close()
})

/** Finds a text in the server's output and in the files of the data directory, including the WAL. */
function placesOf(text: string): string[] {
  const files = readdirSync(instance.dir, { recursive: true, withFileTypes: true })
    .filter((dirent) => dirent.isFile())
    .map((dirent) => join(dirent.parentPath, dirent.name))
  return [
    ...(serverOutput.includes(text) ? ['what the server says'] : []),
    ...files.filter((file) => readFileSync(file).includes(text)),
  ]
}
