import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../core/clock.ts'
import { readSettings } from '../../core/settings.ts'
import { openApp } from '../../core/start.ts'
import { makeSetupToken } from '../../keys/setup.ts'
import { modules } from '../../modules/index.ts'
import { scratch } from '../../testing/process.ts'
import { makeFetch } from '../server.ts'

test('who sets the workspace up is signed in afterwards, and may make keys at once', async t => {
  const { dir, remove } = scratch()
  const silent = { info() {}, warn() {}, error() {} }
  const app = openApp({ settings: { ...readSettings({}, {}), data: dir }, clock: systemClock, modules, log: silent })
  t.after(async () => {
    await app.store.close()
    remove()
  })
  app.baseUrl = 'https://work.test'
  const ask = makeFetch(app)
  const form = { token: await makeSetupToken(app.store, app.clock), organization: 'Acme', timezone: 'UTC', name: 'Ann', email: 'ann@acme.test', password: 'otter lamp seven moss', password_again: 'otter lamp seven moss' }
  const post = (fields: Record<string, string>) => ask(new Request('https://work.test/setup', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://work.test' }, body: new URLSearchParams(fields).toString() }))
  assert.deepEqual((await post({ ...form, password_again: 'x' })).headers.getSetCookie(), [])
  const done = await post(form)
  assert.equal(done.status, 200)
  const [session, device] = done.headers.getSetCookie().map(one => one.split(';')[0]!)
  assert.match(session!, /^__Host-ws=/)
  const json = { 'content-type': 'application/json', origin: 'https://work.test', cookie: `${session}; ${device}` }
  const made = await ask(new Request('https://work.test/web/api-keys', { method: 'POST', headers: json, body: JSON.stringify({ name: 'laptop' }) }))
  assert.equal(made.status, 201)
  assert.deepEqual((await post(form)).headers.getSetCookie(), [], 'the link is used up')
  const calls = app.store.raw.read.prepare('SELECT tool FROM calls ORDER BY seq').pluck().all()
  assert.deepEqual(calls, ['set_up', 'create_api_key', 'sign_in', 'create_api_key'])
})
