import assert from 'node:assert/strict'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { verifyCalls } from '../src/audit/verify.ts'
import { ClockWatch } from '../src/cli/server/clock-watch.ts'
import { runTicks } from '../src/jobs/scheduler.ts'
import { allowProgram, connectDirectly } from '../src/oauth/testing.ts'
import { dayLong, HandClock, makeWorkspace } from '../src/testing/harness.ts'
import { scratch, serve, workspace, workspaceJson } from '../src/testing/process.ts'

const year = 365 * dayLong
const faketime = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

test('a clock that jumps a year ahead and back erases nothing, expires no key, and keeps the call log intact', async (t) => {
  const place = await makeWorkspace()
  t.after(() => place.close())
  const { app, ann, clock } = place
  let jumped = 0
  const watch = new ClockWatch(
    { now: () => clock.now(), monotonic: () => clock.now() - jumped },
    app.log,
    undefined,
  )
  app.mayErase = () => watch.isTrusted
  await place.key(ann)
  await ann.call('create_project', { name: 'Engine', key: 'ENG' })
  const task = await ann.call('create_task', { project_id: 'ENG', title: 'Oil' })
  await ann.call('delete_task', { task_id: task.id })
  const left = () => ({
    tasks: app.store.raw.read.prepare('SELECT count(*) FROM tasks').pluck().get(),
    live: app.store.raw.read
      .prepare('SELECT count(*) FROM api_keys WHERE revoked_at IS NULL AND expires_at IS NULL')
      .pluck()
      .get(),
  })
  const jump = async (by: number) => {
    jumped += by
    clock.pass(by)
    await runTicks(app)
  }
  const before = left()
  assert.deepEqual(before, { tasks: 1, live: 1 })
  await jump(year)
  await ann.call('create_label', { name: 'a year ahead' })
  assert.deepEqual(left(), before, 'a year ahead')
  await jump(-2 * year)
  await ann.call('create_label', { name: 'a year behind' })
  assert.deepEqual(left(), before, 'a year behind')
  await jump(year)
  await ann.call('create_label', { name: 'set right' })
  for (const chain of await verifyCalls(app.store.read)) assert.equal(chain.broken, undefined)
  app.mayErase = () => true
  await jump(year)
  assert.equal(left().tasks, 0, 'where a year has passed indeed, the trash is emptied')
})

/** A server whose wall clock the test sets: `+2d`, `-366d`. */
async function serveUnderFakeClock(t: TestContext, dir: string, ...args: string[]) {
  const { dir: place, remove } = scratch()
  t.after(remove)
  const hand = join(place, 'clock')
  const setClock = (by: string) => writeFileSync(hand, by)
  setClock('+0')
  const fake = {
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: hand,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  Object.assign(process.env, fake)
  const server = await serve(dir, ...args).finally(() =>
    Object.keys(fake).forEach((name) => delete process.env[name]),
  )
  t.after(() => void (server.child.exitCode ?? server.child.kill('SIGKILL')))
  return { server, setClock }
}

test('a server keeps working while the clock jumps a year and back: keys stay valid, writes are kept, and no wait is negative', async (t) => {
  if (faketime === undefined || !existsSync(faketime)) return t.skip('libfaketime is not installed')
  const { dir, remove } = scratch()
  t.after(remove)
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
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'k',
    '--data',
    dir,
  )
  const { server, setClock } = await serveUnderFakeClock(t, dir)
  let serverErrors = ''
  server.child.stderr!.on('data', (part: Buffer) => (serverErrors += part.toString()))
  const ask = async (method: string, body?: unknown) => {
    const answer = await fetch(`${server.url}/api/labels`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(Number(answer.headers.get('retry-after') ?? 0) >= 0)
    return { status: answer.status, json: (await answer.json()) as { created_at: string } }
  }
  const years: number[] = []
  for (const [i, jump] of ['+0', '+366d', '-366d', '+0'].entries()) {
    setClock(jump)
    const label = await ask('POST', { name: `label ${i}` })
    assert.equal(label.status, 201, `${jump}: ${serverErrors}`)
    years.push(new Date(label.json.created_at).getUTCFullYear())
    for (let n = 0; n < 5; n++) assert.equal((await ask('GET')).status, 200, jump)
  }
  assert.ok(years[1]! > years[0]! && years[2]! < years[0]!, 'the clock did jump')
  assert.equal(await server.end(), 0)
  assert.equal((await workspace(['audit', 'verify', '--data', dir])).code, 0)
})

class WallClock extends HandClock {
  override now(): number {
    return Date.now()
  }
}

test('OAuth codes and tokens during clock jumps are refused while the clock is wrong and valid once it is right, without false reuse detection', async (t) => {
  if (faketime === undefined || !existsSync(faketime)) return t.skip('libfaketime is not installed')
  const earlier = await makeWorkspace({ clock: new WallClock(), role: 'begin' })
  t.after(() => earlier.close())
  const { app, bob, carol, clock, dataDir } = earlier
  const keyFile = ['--master-key-file', app.settings.master_key_file]
  const { server, setClock } = await serveUnderFakeClock(t, dataDir, ...keyFile)
  const place = { app, clock, issuer: server.url }
  const redirectUri = 'https://app.example/callback' // two minutes of grace
  const token = async (clientId: string, form: Record<string, string>) => {
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...form }),
    })
    const { error = '', ...tokens } = (await answer.json()) as Record<string, string>
    assert.ok(answer.status < 500, error)
    return { status: answer.status, error, tokens }
  }
  const isCallable = async (access = '') => {
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    await answer.text()
    return answer.status
  }
  const connected = await connectDirectly(place, bob, { redirectUri })
  const refresh = (refresh_token = '') =>
    token(connected.client.clientId, { grant_type: 'refresh_token', refresh_token })
  const { tokens: second } = await refresh(connected.refresh_token)
  for (const jump of ['+2d', '+366d', '-2d', '-366d']) {
    const { client, code, verifier } = await allowProgram(place, carol, { redirectUri })
    const exchange = () =>
      token(client.clientId, { grant_type: 'authorization_code', code, code_verifier: verifier })
    setClock(jump)
    assert.equal((await exchange()).error, 'invalid_grant', `a code, ${jump}`)
    assert.equal(await isCallable(second.access_token), 401, `an access token, ${jump}`)
    const late = await refresh(connected.refresh_token)
    assert.equal(late.error, 'invalid_grant', `a replaced refresh token, ${jump}`)
    if (jump !== '+2d')
      assert.equal((await refresh(second.refresh_token)).error, 'invalid_grant', jump)
    setClock('+0')
    assert.equal((await exchange()).status, 200, `the code afterwards, ${jump}`)
    assert.equal(await isCallable(second.access_token), 200, `the access token afterwards, ${jump}`)
    const repeated = await refresh(connected.refresh_token)
    assert.equal(repeated.tokens.refresh_token, second.refresh_token, `within its grace, ${jump}`)
  }
  assert.equal((await refresh(second.refresh_token)).status, 200)
  assert.equal(await server.end(), 0)
})
