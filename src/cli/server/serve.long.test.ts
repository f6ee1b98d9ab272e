import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { scratch, serve, workspace, workspaceJson, type Served } from '../../testing/process.ts'

interface ServerSetup {
  dir: string
  start(...more: string[]): Promise<Served>
}

function setUp(t: TestContext): ServerSetup {
  const { dir, remove } = scratch()
  const running: Served[] = []
  t.after(async () => {
    for (const served of running)
      if (served.child.exitCode === null && served.child.signalCode === null)
        await served.end('SIGKILL')
    remove()
  })
  const start: ServerSetup['start'] = async (...more) => {
    const server = await serve(dir, ...more)
    running.push(server)
    return server
  }
  return { dir, start }
}

async function createOrganization(
  dir: string,
): Promise<{ id: string; key: string; mcp_url: string }> {
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
  return workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'laptop',
    '--data',
    dir,
  )
}

const labelsStatus = async (url: string, key: string) =>
  (await fetch(`${url}/api/labels`, { headers: { authorization: `Bearer ${key}` } })).status

test('the first start prints a link to begin in the browser; the next start prints none', async (t) => {
  const { dir, start } = setUp(t)
  const server = await start()
  const setup_url = server.greeting.setup_url!
  assert.match(await (await fetch(setup_url)).text(), /<form method="post" action="\/setup">/)
  const form = {
    token: new URL(setup_url).searchParams.get('token')!,
    organization: 'Acme',
    timezone: 'UTC',
    name: 'Ann',
    email: 'ann@acme.test',
    password: 'otter lamp seven moss',
    password_again: 'otter lamp seven moss',
  }
  const done = await fetch(`${server.url}/setup`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  assert.equal(done.status, 200, 'a page with a key, or with the web app where that was built')
  const signIn = await fetch(`${server.url}/web/sign-in`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: form.email, password: form.password }),
  })
  assert.equal(signIn.status, 200)
  assert.equal((await fetch(setup_url)).status, 404)
  assert.equal(await server.end(), 0)
  const again = await start()
  assert.equal(again.greeting.setup_url, undefined)
  assert.deepEqual(
    (await workspaceJson('users', 'list', '--data', dir)).map(
      (item: { email: string }) => item.email,
    ),
    ['ann@acme.test'],
  )
})

test('a key revoked at the command line is refused at the very next request to a running server', async (t) => {
  const { dir, start } = setUp(t)
  const { url } = await start()
  for (let round = 0; round < 3; round++) {
    const { id, key } =
      round === 0
        ? await createOrganization(dir)
        : await workspaceJson(
            'keys',
            'create',
            '--user',
            'ann@acme.test',
            '--name',
            `k${round}`,
            '--data',
            dir,
          )
    assert.equal(await labelsStatus(url, key), 200)
    assert.equal(await labelsStatus(url, key), 200)
    await workspaceJson('keys', 'revoke', id, '--data', dir)
    assert.equal(await labelsStatus(url, key), 401)
  }
})

test('a deactivated person is locked out at the next request', async (t) => {
  const { dir, start } = setUp(t)
  const { url } = await start()
  const { key } = await createOrganization(dir)
  assert.equal(await labelsStatus(url, key), 200)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'bea@acme.test',
    '--name',
    'Bea',
    '--admin',
    '--data',
    dir,
  )
  await workspaceJson('users', 'deactivate', 'ann@acme.test', '--data', dir)
  assert.equal(await labelsStatus(url, key), 401)
})

test('restoring an older backup does not revive a key revoked since', async (t) => {
  const { dir, start } = setUp(t)
  const { id, key } = await createOrganization(dir)
  const file = join(dir, 'workspace.db')
  copyFileSync(file, `${file}.old`)
  await workspaceJson('keys', 'revoke', id, '--data', dir)
  copyFileSync(`${file}.old`, file)
  assert.equal(
    (await workspaceJson('keys', 'list', '--data', dir))[0].state,
    'active',
    'the backup predates the revocation',
  )
  const { url } = await start()
  assert.equal(await labelsStatus(url, key), 401)
  assert.equal((await workspaceJson('keys', 'list', '--data', dir))[0].state, 'revoked')
  assert.equal((await workspaceJson('audit', 'verify', '--data', dir)).ok, true)
})

test('a data directory has one server; a second one names the first and exits with 75', async (t) => {
  const { dir, start } = setUp(t)
  const server = await start()
  const second = await workspace(['serve', '--data', dir, '--port', '0', '--json'])
  assert.deepEqual([second.code, JSON.parse(second.stderr).code], [75, 'in_use'])
  assert.ok(second.stderr.includes(server.url))
  await server.end('SIGKILL')
  assert.ok(existsSync(join(dir, 'server.json')), 'a killed server leaves its record behind')
  const next = await start()
  assert.equal(
    (JSON.parse(readFileSync(join(dir, 'server.json'), 'utf8')) as { url: string }).url,
    next.url,
  )
})

test('while running it records its address for the commands printed with a new key', async (t) => {
  const { dir, start } = setUp(t)
  const { mcp_url: before } = await createOrganization(dir)
  assert.equal(before, 'http://127.0.0.1:8787/mcp')
  const server = await start()
  const file = join(dir, 'server.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const { mcp_url } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'x',
    '--data',
    dir,
  )
  assert.equal(mcp_url, `${server.url}/mcp`)
  assert.equal(await server.end('SIGINT'), 0)
  assert.ok(!existsSync(file))
})

test('on shutdown everything is in the one database file, and the log confirms it', async (t) => {
  const { dir, start } = setUp(t)
  const server = await start()
  const { key } = await createOrganization(dir)
  const response = await fetch(`${server.url}/api/labels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"name":"Kept"}',
  })
  assert.equal(response.status, 201)
  assert.equal(await server.end(), 0)
  assert.ok(
    !existsSync(join(dir, 'workspace.db-wal')) ||
      statSync(join(dir, 'workspace.db-wal')).size === 0,
  )
  const db = new Database(join(dir, 'workspace.db'), { readonly: true })
  t.after(() => db.close())
  assert.equal(db.prepare('SELECT name FROM labels').pluck().get(), 'Kept')
  assert.ok(
    db.prepare('SELECT last_used_at FROM api_keys').pluck().get(),
    'the last use of the key is written at the end',
  )
})

test('shutdown waits for a request in progress, but a second signal does not', async (t) => {
  const { dir, start } = setUp(t)
  const { key } = await createOrganization(dir)
  const server = await start()
  const { port, host } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(
    `POST /api/labels HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
  )
  await once(socket, 'data') // 100 Continue: the request is in progress
  socket.write('{"name":')
  const exitCode = server.end('SIGTERM')
  assert.equal(await Promise.race([exitCode, pause(500, 'waiting')]), 'waiting')
  server.child.kill('SIGTERM')
  assert.equal(await exitCode, 143)
})

test('without TLS it does not listen on exposed addresses', async (t) => {
  const { dir } = setUp(t)
  for (const more of [
    [],
    ['--base-url', 'http://work.test'],
    ['--base-url', 'https://work.test'],
  ]) {
    const refused = await workspace([
      'serve',
      '--data',
      dir,
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      ...more,
    ])
    assert.equal(refused.code, 78)
    assert.match(refused.stderr, /TLS.*--tls-cert.*--base-url https.*--trusted-proxies/)
  }
})

test('behind a configured TLS proxy it listens on any address and announces its public one', async (t) => {
  const { start } = setUp(t)
  const { url } = await start(
    '--host',
    '0.0.0.0',
    '--base-url',
    'https://work.test',
    '--trusted-proxies',
    '10.0.0.0/8',
  )
  assert.equal(url, 'https://work.test')
})

test('an address in use is refused with a remedy', async (t) => {
  const { start } = setUp(t)
  const { url } = await start()
  const other = scratch()
  t.after(other.remove)
  const refused = await workspace(['serve', '--data', other.dir, '--port', new URL(url).port])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /EADDRINUSE.*--port/)
})

test('commands wait for a writing server and vice versa', async (t) => {
  const { dir, start } = setUp(t)
  const { url } = await start()
  const { key } = await createOrganization(dir)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const createLabel = async (n: number) => {
    const body = JSON.stringify({ name: `L${n}` })
    const answer = await fetch(`${url}/api/labels`, { method: 'POST', headers, body })
    assert.equal(answer.status, 201, await answer.text())
  }
  let isWriting = true
  const writing = (async () => {
    let n = 0
    while (isWriting) await createLabel(n++) // a write is always in progress, however long each takes
    return n
  })()
  const keys = await Promise.all(
    Array.from({ length: 4 }, (_, i) =>
      workspaceJson('keys', 'create', '--user', 'ann@acme.test', '--name', `k${i}`, '--data', dir),
    ),
  )
  isWriting = false
  const count = await writing
  assert.equal(new Set(keys.map((item) => item.id)).size, 4)
  const db = new Database(join(dir, 'workspace.db'), { readonly: true })
  t.after(() => db.close())
  assert.equal(db.prepare('SELECT count(*) FROM labels').pluck().get(), count)
  assert.equal((await workspaceJson('audit', 'verify', '--data', dir)).ok, true)
})
