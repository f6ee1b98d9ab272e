import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { tokenHash } from '../src/keys/tokens.ts'
import { connectDirectly, type ConnectionContext } from '../src/oauth/testing.ts'
import { revokeByToken } from '../src/oauth/revocation.ts'
import { HandClock, makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'
import { scratch, serve, workspaceJson, type Served } from '../src/testing/process.ts'

// Connections when processes die, race and are restored: a server in a separate process, on a database that this one
// has also open.

class RealClock extends HandClock {
  override now(): number {
    return Date.now()
  }
}

let workspace: TestWorkspace
let port: number
let place: ConnectionContext
before(async () => {
  workspace = await makeWorkspace({ clock: new RealClock(), role: 'begin' })
  port = await freePort()
  const { app, clock } = workspace
  place = { app, clock, issuer: `http://127.0.0.1:${port}` }
})
after(() => workspace.close())

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((done) => server.close(done))
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

async function served(t: TestContext, dir = workspace.dataDir): Promise<Served> {
  const key = workspace.app.settings.master_key_file
  const server = await serve(dir, '--port', String(port), '--master-key-file', key)
  t.after(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) await server.end()
  })
  return server
}

const refreshForm = (clientId: string, token: string) =>
  new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })

async function refresh(clientId: string, token: string): Promise<{ status: number; json: any }> {
  const response = await fetch(`${place.issuer}/oauth/token`, {
    method: 'POST',
    body: refreshForm(clientId, token),
  })
  return { status: response.status, json: await response.json() }
}

async function callStatus(token: string): Promise<number> {
  const response = await fetch(`${place.issuer}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_me', arguments: {} },
    }),
  })
  await response.text()
  return response.status
}

/** A program in a separate process: for each line on standard input it refreshes, and prints the result. */
const refresher = `
  import { createInterface } from 'node:readline'
  const [url, body] = process.argv.slice(-2)
  console.log('ready')
  for await (const _ of createInterface({ input: process.stdin })) {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(body) })
    console.log(JSON.stringify({ status: response.status, ...(await response.json()) }))
    process.exit()
  }
`

async function startRefresher(clientId: string, token: string) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      refresher,
      `${place.issuer}/oauth/token`,
      String(refreshForm(clientId, token)),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  await once(child.stdout, 'data')
  const exit = once(child, 'exit')
  return {
    go: () => child.stdin.write('go\n'),
    async answer() {
      await exit
      return JSON.parse(output.split('\n')[1] ?? '')
    },
  }
}

test('programs in several processes that refresh one token at once get the same new token', async (t) => {
  await served(t)
  const { client, refresh_token } = await connectDirectly(place, workspace.bob)
  let token = refresh_token
  for (let round = 0; round < 3; round++) {
    const programs = await Promise.all([1, 2, 3].map(() => startRefresher(client.clientId, token)))
    for (const program of programs) program.go()
    const answers = await Promise.all(programs.map((program) => program.answer()))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(new Set(answers.map((got) => got.refresh_token)).size, 1)
    for (const got of answers) assert.equal(await callStatus(got.access_token), 200)
    token = answers[0].refresh_token
  }
})

test('a server killed between committing a refresh and responding loses no connection', async (t) => {
  const { client, refresh_token } = await connectDirectly(place, workspace.bob)
  let token = refresh_token
  for (let round = 0; round < 4; round++) {
    const server = await served(t)
    const lost = refresh(client.clientId, token).catch(() => undefined)
    while (!(await isReplaced(token))) await turn()
    await server.end('SIGKILL')
    await lost // the program never saw it, whether it came or not
    const again = await served(t)
    const got = await refresh(client.clientId, token)
    assert.equal(got.status, 200, JSON.stringify(got.json))
    assert.equal(await callStatus(got.json.access_token), 200)
    assert.equal(await again.end(), 0, again.output())
    token = got.json.refresh_token
  }
})

async function isReplaced(token: string): Promise<boolean> {
  const row = await workspace.app.store.read
    .selectFrom('oauth_tokens')
    .select('replaced_at')
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  return row !== undefined && row.replaced_at !== null
}

test('a restored backup revives neither connections that have ended since nor tokens that have been replaced since', async (t) => {
  const { app, bob, dataDir } = workspace
  const ended = await connectDirectly(place, bob)
  const live = await connectDirectly(place, bob)
  const { dir, remove } = scratch()
  t.after(remove)
  const backup = await workspaceJson('backup', '--to', join(dir, 'backups'), '--data', dataDir)
  await revokeByToken(app, ended.client, ended.refresh_token)
  const restored = join(dir, 'restored')
  await workspaceJson('restore', backup.path, '--data', restored)
  await served(t, restored)
  for (const { client, access_token, refresh_token } of [ended, live]) {
    assert.equal(await callStatus(access_token), 401)
    const got = await refresh(client.clientId, refresh_token)
    assert.deepEqual([got.status, got.json.error], [400, 'invalid_grant'])
  }
})
