import assert from 'node:assert/strict'
import { after, before, test as nodeTest } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import pg from 'pg'
import { scratch, serve, workspace, workspaceJson, type Served } from '../src/testing/process.ts'
import { startOidcServer } from '../src/testing/servers/oidc.ts'
import { noPostgres, startPostgres, type PostgresDaemon } from '../src/testing/servers/daemons.ts'

// A workspace on PostgreSQL as started by an operator: the program, its commands, REST and MCP.

const test = (name: string, work: () => Promise<void>) =>
  nodeTest(name, { skip: noPostgres ?? false }, work)
const { dir, remove } = scratch()
let daemon: PostgresDaemon
let admin: pg.Client
let server: Served
let project_id: string
let key: { id: string; key: string }
before(async () => {
  if (noPostgres) return
  daemon = await startPostgres()
  admin = new pg.Client(`${daemon.url}/postgres`)
  await admin.connect()
  await admin.query('CREATE DATABASE workspace')
  process.env.WORKSPACE_DATABASE = `${daemon.url}/workspace`
  const at = ['--data', dir]
  await workspaceJson('orgs', 'create', '--name', 'Acme', ...at)
  const ann = ['--email', 'ann@acme.test', '--name', 'Ann', '--admin']
  await workspaceJson('users', 'create', ...ann, ...at)
  key = await newKey('laptop')
  server = await serve(dir)
})
after(async () => {
  if (server?.child.exitCode === null) await server.end()
  delete process.env.WORKSPACE_DATABASE
  await admin?.end()
  await daemon?.close()
  remove()
})

const newKey = (name: string) =>
  workspaceJson('keys', 'create', '--user', 'ann@acme.test', '--name', name, '--data', dir)
const ask = async (path: string, body?: object, as = key.key) => {
  const response = await fetch(`${server.url}/api/${path}`, {
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, value: (await response.json()) as any }
}
const titles = async (path: string) => {
  const { items } = (await ask(path)).value as {
    items: { title?: string; item?: { title: string } }[]
  }
  return items.map(({ title, item }) => title ?? item?.title).sort()
}

test('created items are listed, and their words are found at once', async () => {
  const project = await ask('projects', { name: 'Valves', key: 'VAL' })
  assert.equal(project.status, 201)
  project_id = project.value.id
  for (const title of ['Replace the quagmire valve', 'Order gaskets'])
    assert.equal((await ask('tasks', { title, project_id })).status, 201)
  assert.deepEqual(await titles('tasks'), ['Order gaskets', 'Replace the quagmire valve'])
  assert.deepEqual(await titles('search?query=quagmire'), ['Replace the quagmire valve'])
  await ask('tasks', { title: 'Ask about the quagmire', project_id })
  assert.equal((await titles('search?query=quagmire')).length, 2)
})

test('an assistant calls tools', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key.key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
  )
  const creation = await client.callTool({
    name: 'create_task',
    arguments: { title: 'By an assistant', project_id },
  })
  assert.notEqual(creation.isError, true, JSON.stringify(creation))
  await client.close()
  assert.ok((await titles('tasks')).includes('By an assistant'))
})

test('a retry with the same idempotency key creates nothing, and concurrent writers share one chain', async () => {
  const send = (n: number) =>
    fetch(`${server.url}/api/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.key}`,
        'content-type': 'application/json',
        'idempotency-key': `k${n % 10}`,
      },
      body: JSON.stringify({ title: `Concurrent ${n % 10}`, project_id }),
    })
  const sent = await Promise.all(Array.from({ length: 30 }, (_, n) => send(n)))
  assert.ok(sent.every((response) => response.status < 300))
  const concurrent = (await titles('tasks?limit=100')).filter((title) =>
    title?.startsWith('Concurrent'),
  )
  assert.equal(concurrent.length, 10)
  assert.equal((await workspaceJson('audit', 'verify', '--data', dir)).ok, true)
})

test('a key revoked by a command is refused at the next request', async () => {
  const other = await newKey('other')
  assert.equal((await ask('tasks', undefined, other.key)).status, 200)
  await workspaceJson('keys', 'revoke', other.id, '--data', dir)
  assert.equal((await ask('tasks', undefined, other.key)).status, 401)
})

test('a second server on the same database is refused, and so are SQLite-only commands', async () => {
  const other = scratch()
  const second = await workspace(['serve', '--data', other.dir, '--port', '0'])
  assert.notEqual(second.code, 0)
  assert.match(second.stderr, /Another `workspace serve` is using this database/)
  other.remove()
  const backup = await workspace(['backup', '--to', `${dir}-backup`, '--data', dir])
  assert.notEqual(backup.code, 0)
  assert.match(backup.stderr, /pg_dump/)
})

test('sign-in discovery for assistants succeeds in both checks', async () => {
  const doctor = await workspaceJson('doctor', '--data', dir)
  const [oauth, ...more] = doctor.findings.filter(
    ({ check }: { check: string }) => check === 'oauth',
  )
  assert.deepEqual([oauth.state, more], ['ok', []], JSON.stringify(oauth))
  const way = await workspaceJson('connect', '--check', '--oauth', '--data', dir)
  assert.deepEqual(
    way.findings
      .filter(({ state }: { state: string }) => state === 'ok')
      .map(({ check }: { check: string }) => check),
    ['challenge', 'resource', 'server', 'client', 'consent', 'cleanup'],
  )
  assert.deepEqual(await workspaceJson('oauth', 'clients', 'list', '--data', dir), [])
})

test('the doctor checks identity providers and SCIM tokens there, too', async () => {
  const oidc = await startOidcServer()
  process.env.WORKSPACE_OUTBOUND_ALLOW = new URL(oidc.issuer).host
  oidc.allow('https://work.example/callback')
  const signIn = async () => {
    const { findings } = await workspaceJson('doctor', '--only', 'sign-in', '--data', dir)
    return findings.map(({ state, says }: { state: string; says: string }) => [state, says])
  }
  assert.deepEqual(await signIn(), [['ok', 'No identity provider is set up.']])
  const at = ['--data', dir]
  const provider = ['--name', 'Keycloak', '--issuer', oidc.issuer, '--client-id', oidc.clientId]
  const added = await workspace(
    ['sso', 'add', ...provider, '--client-secret-stdin', ...at],
    oidc.clientSecret,
  )
  assert.equal(added.code, 0, added.stderr)
  assert.deepEqual(await signIn(), [['ok', 'Identity providers that answer, with their keys: 1.']])
  await workspaceJson('sso', 'scim', 'create', 'Keycloak', '--expires', '3d', ...at)
  await oidc.close()
  const [down, ending] = await signIn()
  assert.match(down.join(), /^warn,People cannot sign in at Keycloak/)
  assert.match(ending.join(), /^warn,The SCIM token .+ of Keycloak ends within two weeks/)
  delete process.env.WORKSPACE_OUTBOUND_ALLOW
})

test('the doctor finds an intact database in order, and reports manual tampering', async () => {
  const examined = async (only?: string) => {
    const { stdout } = await workspace([
      ...['doctor', '--json', '--data', dir],
      ...(only ? ['--only', only] : []),
    ])
    return JSON.parse(stdout) as { ok: boolean; findings: Record<string, string>[] }
  }
  const failing = ({ findings }: Awaited<ReturnType<typeof examined>>) =>
    findings.filter(({ state }) => state === 'fail').map(({ says }) => says)
  const whole = await examined()
  assert.deepEqual(failing(whole), [])
  assert.ok(whole.ok)
  const checks = new Set(whole.findings.map(({ check }) => check))
  for (const check of ['database', 'search', 'clock', 'call log', 'keys', 'secrets', 'jobs'])
    assert.ok(checks.has(check), `${check} was not checked`)
  for (const check of ['accounts', 'sign-in', 'contents', 'backups'])
    assert.ok(checks.has(check), `${check} was not checked`)

  const db = new pg.Client(`${daemon.url}/workspace`)
  await db.connect()
  try {
    const { rows } = await db.query<{ name: string; sql: string }>(
      "SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'tasks' AND indexdef NOT LIKE '%UNIQUE%' ORDER BY indexname LIMIT 1",
    )
    const index = rows[0]!
    await db.query('ALTER TABLE calls DISABLE TRIGGER calls_fixed')
    await db.query(`DROP INDEX ${index.name}`)
    await db.query('ALTER TABLE labels ADD COLUMN mine TEXT') // nothing of ours is missing by it
    await db.query('ALTER TABLE labels RENAME COLUMN name TO title')
    const changed = failing(await examined('database')).join('\n')
    assert.match(changed, /triggers are missing or off: calls_fixed/)
    assert.match(changed, new RegExp(`indexes are missing or cannot be used: ${index.name}`))
    assert.match(changed, /schema was changed by hand: labels\.name\./)
    await db.query('ALTER TABLE labels RENAME COLUMN title TO name')
    await db.query('ALTER TABLE labels DROP COLUMN mine')
    await db.query(index.sql)
    await db.query('ALTER TABLE calls ENABLE TRIGGER calls_fixed')
    await db.query('ALTER TABLE api_keys DISABLE TRIGGER USER')
    await workspaceJson('keys', 'revoke', (await newKey('lost')).id, '--data', dir)
    await db.query("UPDATE api_keys SET revoked_at = NULL WHERE name = 'lost'")
    await db.query('ALTER TABLE api_keys ENABLE TRIGGER USER')
    assert.match(failing(await examined('keys')).join(), /1 revoked key is live/)
    await db.query('ALTER TABLE api_keys DISABLE TRIGGER USER')
    await db.query("UPDATE api_keys SET revoked_at = created_at WHERE name = 'lost'")
    await db.query('ALTER TABLE api_keys ENABLE TRIGGER USER')
    assert.deepEqual(failing(await examined()), [])
  } finally {
    await db.end()
  }
})

test('cut connections are reopened', async () => {
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'workspace'",
  )
  const outcomes = new Set<number>()
  for (let i = 0; i < 5; i++)
    outcomes.add((await ask('tasks', { title: `After the cut ${i}`, project_id })).status)
  assert.deepEqual(
    [...outcomes].filter((status) => status !== 201 && status !== 503),
    [],
  )
  assert.ok(outcomes.has(201))
})

test('after a restart everything is there, and words are found in the same file', async () => {
  const before = await titles('tasks?limit=100')
  assert.equal(await server.end(), 0)
  server = await serve(dir)
  assert.deepEqual(await titles('tasks?limit=100'), before)
  assert.equal((await titles('search?query=quagmire')).length, 2)
  assert.doesNotMatch(server.output(), /"level":"error"/)
})

test('a folder whose workspace is on PostgreSQL is not initialized again on SQLite', async () => {
  const { WORKSPACE_DATABASE: database } = process.env
  delete process.env.WORKSPACE_DATABASE
  const { code, stderr } = await workspace(['orgs', 'list', '--data', dir])
  process.env.WORKSPACE_DATABASE = database
  assert.notEqual(code, 0)
  assert.match(stderr, /WORKSPACE_DATABASE/)
})
