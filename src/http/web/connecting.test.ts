import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { reachabilityOf } from '../transport/reach.ts'

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

test('a signed-in person gets the same connection guide as with a key', async () => {
  for (const query of ['', '?client=cursor&preset=core&toolsets=tasks:ro,labels&readonly=1']) {
    const [got, byKey] = await Promise.all([
      bob.get(`/web/connect${query}`),
      served.ask('GET', `/api/connect${query}`),
    ])
    assert.equal(got.status, 200)
    assert.deepEqual(got.json, byKey.json)
  }
  for (const [field, value] of Object.entries({
    client: 'emacs',
    toolsets: 'nope',
    readonly: 'maybe',
    keys: '1',
  })) {
    const { status, json } = await bob.get(`/web/connect?${field}=${value}`)
    assert.deepEqual([status, json.code, json.field], [400, 'invalid_argument', field])
  }
})

test('the assessment of the address is available to any signed-in person', async () => {
  const { status, json } = await bob.get('/web/reach')
  assert.deepEqual([status, json], [200, reachabilityOf(served.app.baseUrl)])
  assert.ok(json.warnings.length > 0)
})

test('neither is available without a session, with or without a key', async () => {
  for (const path of ['/web/connect', '/web/reach']) {
    assert.equal((await new Browser(served).get(path)).status, 401)
    assert.equal((await served.ask('GET', path)).status, 401)
    assert.equal((await bob.post(path)).status, 405)
  }
})
