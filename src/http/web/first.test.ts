import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../kernel/time/clock.ts'
import { readSettings } from '../../config/settings.ts'
import { openApp } from '../../start.ts'
import { makeSetupToken } from '../../identity/setup.ts'
import { modules } from '../../modules/index.ts'
import { scratch } from '../../testing/scratch.ts'
import { makeFetch } from '../server.ts'

/** An empty workspace, with or without a built web app, and the setup form. */
async function openUnconfiguredApp(t: TestContext, isBuilt: boolean) {
  const { dir, remove } = scratch()
  const silent = { info() {}, warn() {}, error() {} }
  const app = await openApp({
    settings: { ...readSettings({}, {}), data: dir },
    clock: systemClock,
    modules,
    log: silent,
  })
  t.after(async () => {
    await app.store.close()
    remove()
  })
  app.baseUrl = 'https://work.test'
  const web = mkdtempSync(join(tmpdir(), 'web-first-'))
  t.after(() => rmSync(web, { recursive: true }))
  if (isBuilt) writeFileSync(join(web, 'index.html'), '<!doctype html>')
  const ask = makeFetch(app, pathToFileURL(`${web}/`))
  const form = {
    token: await makeSetupToken(app.store, app.clock),
    organization: 'Acme',
    timezone: 'UTC',
    name: 'Ann',
    email: 'ann@acme.test',
    password: 'otter lamp seven moss',
    password_again: 'otter lamp seven moss',
  }
  const post = (fields: Record<string, string>) =>
    ask(
      new Request('https://work.test/setup', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://work.test',
        },
        body: new URLSearchParams(fields).toString(),
      }),
    )
  const loggedTools = () =>
    app.store.raw.read.prepare('SELECT tool FROM calls ORDER BY seq').pluck().all()
  return { ask, post, form, calls: loggedTools }
}

test('the person who sets up the workspace is signed in and can create keys at once', async (t) => {
  const { ask, post, form, calls } = await openUnconfiguredApp(t, false)
  assert.deepEqual((await post({ ...form, password_again: 'x' })).headers.getSetCookie(), [])
  const done = await post(form)
  assert.equal(done.status, 200)
  const [session, device] = done.headers.getSetCookie().map((name) => name.split(';')[0]!)
  assert.match(session!, /^__Host-ws=/)
  const json = {
    'content-type': 'application/json',
    origin: 'https://work.test',
    cookie: `${session}; ${device}`,
  }
  const response = await ask(
    new Request('https://work.test/web/api-keys', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'laptop' }),
    }),
  )
  assert.equal(response.status, 201)
  assert.deepEqual((await post(form)).headers.getSetCookie(), [], 'the link is used up')
  assert.deepEqual(calls(), ['set_up', 'sign_in', 'create_api_key', 'create_api_key'])
})

test('with a built web app, setup redirects to it, and no key is created until requested', async (t) => {
  const { ask, post, form, calls } = await openUnconfiguredApp(t, true)
  const done = await post(form)
  assert.deepEqual(
    [done.status, done.headers.get('location'), await done.text()],
    [303, '/welcome', ''],
  )
  const cookie = done.headers
    .getSetCookie()
    .map((name) => name.split(';')[0])
    .join('; ')
  const session = await ask(new Request('https://work.test/web/session', { headers: { cookie } }))
  assert.equal(((await session.json()) as { signed_in: boolean }).signed_in, true)
  assert.deepEqual(calls().slice(0, 2), ['set_up', 'sign_in'])
  assert.ok(!calls().includes('create_api_key'))
  assert.equal(
    (await ask(new Request(`https://work.test${done.headers.get('location')}`))).status,
    200,
  )
})
