import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startServer } from '../server.ts'
import { openApp } from '../../start.ts'
import { modules } from '../../modules/index.ts'
import { Browser, givePasswords, password } from '../../testing/browser.ts'
import { minute } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

async function serveWithPasswords(t: TestContext): Promise<ServedWorkspace> {
  const served = await serveWorkspace({ settings: { rate_address: 0, abuse_bad_credentials: 0 } })
  t.after(() => served.close())
  await givePasswords(served, served.ann, served.bob)
  return served
}

const guess = (browser: Browser, email = 'ann@acme.test') =>
  browser.post('/web/sign-in', { email, password: 'some other password' })
const signInCorrectly = (browser: Browser, email = 'ann@acme.test') =>
  browser.post('/web/sign-in', { email, password })

test('after five wrong passwords every attempt must wait longer, even the right one, and a success resets the delay', async (t) => {
  const served = await serveWithPasswords(t)
  const eve = new Browser(served)
  for (let i = 0; i < 5; i++) assert.equal((await guess(eve)).status, 401)
  for (const minutes of [1, 2, 4]) {
    const throttled = await signInCorrectly(eve)
    assert.deepEqual(
      [throttled.status, throttled.json.code, throttled.headers.get('retry-after')],
      [429, 'rate_limited', String(minutes * 60)],
    )
    served.clock.pass(minutes * minute - 1)
    assert.equal((await signInCorrectly(eve)).status, 429)
    served.clock.pass(1)
    if (minutes < 4) assert.equal((await guess(eve)).status, 401)
  }
  assert.equal((await signInCorrectly(eve)).status, 200)
  for (let i = 0; i < 4; i++)
    assert.equal((await guess(new Browser(served))).status, 401, 'the count starts again')
  assert.equal((await signInCorrectly(new Browser(served))).status, 200)
})

test('setting another password at the command line lets the owner in at once', async (t) => {
  const served = await serveWithPasswords(t)
  for (let i = 0; i < 6; i++) await guess(new Browser(served))
  assert.equal((await signInCorrectly(new Browser(served))).status, 429)
  await givePasswords(served, served.ann)
  assert.equal((await signInCorrectly(new Browser(served))).status, 200)
})

test('an unknown address is throttled with the same message', async (t) => {
  const served = await serveWithPasswords(t)
  const texts = new Set<string>()
  for (const email of ['ann@acme.test', 'nobody@acme.test']) {
    for (let i = 0; i < 5; i++) assert.equal((await guess(new Browser(served), email)).status, 401)
    const { json, status } = await guess(new Browser(served), email.toUpperCase())
    texts.add(JSON.stringify({ ...json, request_id: '', status }))
  }
  assert.equal(texts.size, 1)
})

test('many concurrent wrong attempts each count', async (t) => {
  const served = await serveWithPasswords(t)
  const got = await Promise.all(Array.from({ length: 20 }, () => guess(new Browser(served))))
  assert.deepEqual(
    [
      got.filter((testResponse) => testResponse.status === 401).length,
      got.filter((testResponse) => testResponse.status === 429).length,
    ],
    [5, 15],
  )
})

test('a known browser is not locked out by guesses elsewhere, and is itself limited in guessing', async (t) => {
  const served = await serveWithPasswords(t)
  const home = await new Browser(served).signIn('ann@acme.test')
  await home.post('/web/sign-out')
  const eve = new Browser(served)
  for (let i = 0; i < 6; i++) await guess(eve)
  assert.equal((await signInCorrectly(eve)).status, 429)
  assert.equal((await signInCorrectly(home)).status, 200)
  for (let i = 0; i < 5; i++) assert.equal((await guess(home)).status, 401)
  assert.equal((await signInCorrectly(home)).status, 429, 'its own failures count')
  const device = home.cookies.get('ws-device')!
  eve.cookies.set('ws-device', device)
  for (let i = 0; i < 5; i++) assert.equal((await guess(eve, 'bob@acme.test')).status, 401)
  assert.equal(
    (await signInCorrectly(eve, 'bob@acme.test')).status,
    429,
    "ann's browser is not known as bob's",
  )
})

test('thirty wrong attempts per address are checked in fifteen minutes, for any accounts', async (t) => {
  const served = await serveWithPasswords(t)
  const home = await new Browser(served).signIn('bob@acme.test')
  const statuses: number[] = []
  for (let i = 0; i < 32; i++)
    statuses.push((await guess(new Browser(served), `nobody${i}@acme.test`)).status)
  assert.deepEqual(
    [statuses.filter((status) => status === 401).length, statuses.slice(30)],
    [30, [429, 429]],
  )
  const other = await signInCorrectly(new Browser(served))
  assert.deepEqual([other.status, Number(other.headers.get('retry-after')) > 800], [429, true])
  assert.equal(
    (await signInCorrectly(home, 'bob@acme.test')).status,
    200,
    'except for a known browser',
  )
})

test('a restart does not reset the throttle', async (t) => {
  const served = await serveWithPasswords(t)
  for (let i = 0; i < 5; i++) await guess(new Browser(served))
  const silent = { info() {}, warn() {}, error() {} }
  const app = await openApp({
    settings: served.app.settings,
    clock: served.clock,
    modules,
    log: silent,
    role: 'command',
  })
  app.baseUrl = served.app.baseUrl
  const restarted = await startServer(app, { host: '127.0.0.1', port: 0 })
  t.after(async () => {
    await restarted.close()
    await app.store.close()
  })
  const headers = { origin: app.baseUrl, 'content-type': 'application/json' }
  const got = await fetch(`${restarted.url}/web/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: 'ann@acme.test', password }),
  })
  assert.equal(got.status, 429)
})

test('a stolen session cannot be used to guess the password', async (t) => {
  const served = await serveWithPasswords(t)
  const ann = await new Browser(served).signIn('ann@acme.test')
  const verify = (text: string) => ann.post('/web/verify', { password: text })
  for (let i = 0; i < 5; i++) assert.equal((await verify('some other password')).status, 403)
  assert.equal((await verify(password)).status, 429)
  assert.equal(
    (await ann.post('/web/password', { password, new_password: 'seven lamps of otters' })).status,
    429,
  )
  assert.equal((await signInCorrectly(new Browser(served))).status, 200, 'and locks no one out')
})
