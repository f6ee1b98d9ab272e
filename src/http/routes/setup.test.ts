import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { App } from '../../operations/app.ts'
import { systemClock } from '../../kernel/time/clock.ts'
import { openApp } from '../../start.ts'
import { readSettings } from '../../config/settings.ts'
import { verifyPassword } from '../../keys/argon.ts'
import { makeSetupToken } from '../../identity/setup.ts'
import { modules } from '../../modules/index.ts'
import { HandClock, minute } from '../../testing/harness.ts'
import { scratch } from '../../testing/scratch.ts'
import { setup } from './setup.ts'

interface Page {
  status: number
  text: string
  headers: Headers
}

async function openUnconfiguredApp(t: TestContext) {
  const { dir, remove } = scratch()
  const clock = new HandClock()
  clock.at = systemClock.now()
  const silent = { info() {}, warn() {}, error() {} }
  const app = await openApp({
    settings: { ...readSettings({}, {}), data: dir },
    clock,
    modules,
    log: silent,
  })
  app.baseUrl = 'https://work.test'
  t.after(async () => {
    await app.store.close()
    remove()
  })
  return { app, clock, token: await makeSetupToken(app.store, clock) }
}

async function ask(app: App, path: string, init: RequestInit = {}): Promise<Page> {
  const response = await setup(app)(new Request(`https://work.test${path}`, init))
  assert.ok(response, path)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const validForm = {
  organization: 'Acme & Söhne',
  timezone: 'Europe/Berlin',
  name: 'Ann <b>',
  email: 'Ann@Acme.test',
  password: 'otter lamp seven moss',
  password_again: 'otter lamp seven moss',
}

function post(
  app: App,
  token: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  return ask(app, '/setup', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ token, ...fields }).toString(),
  })
}

const people = (app: App) =>
  app.store.raw.read.prepare('SELECT email, role, password_hash FROM users').all() as {
    email: string
    role: string
    password_hash: string
  }[]

test('the link shows a script-free form that a browser can only submit to this server', async (t) => {
  const { app, token } = await openUnconfiguredApp(t)
  const page = await ask(app, `/setup?token=${token}`)
  assert.equal(page.status, 200)
  assert.match(
    page.headers.get('content-security-policy')!,
    /default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'/,
  )
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.doesNotMatch(page.text, /<script|style=|\son\w+=/)
  const fieldIds = [...page.text.matchAll(/<(?:input|select) id="(\w+)"/g)].map((match) => match[1])
  assert.deepEqual(fieldIds, [
    'organization',
    'timezone',
    'name',
    'email',
    'password',
    'password_again',
  ])
  for (const name of fieldIds) assert.match(page.text, new RegExp(`<label for="${name}">`))
  assert.match(page.text, /at <code>https:\/\/work\.test<\/code>/)
  assert.match(page.text, /class="warning">This name belongs to a private network[^<]+ --base-url/)
  const css = await ask(app, '/setup.css')
  assert.deepEqual([css.status, css.headers.get('content-type')], [200, 'text/css; charset=utf-8'])
  assert.match(css.text, /pre \{[^}]*overflow-wrap: anywhere/, 'the key is shown whole')
})

test('the form creates the organization, its administrator and a working key, once', async (t) => {
  const { app, token } = await openUnconfiguredApp(t)
  const page = await post(app, token, validForm)
  assert.equal(page.status, 200)
  const key = /svc_[0-9A-Za-z]{61}/.exec(page.text)![0]
  assert.match(page.text, /claude mcp add --transport http workspace https:\/\/work\.test\/mcp/)
  assert.match(page.text, /Acme &#38; Söhne is set up, and you, Ann &#60;b&#62;/)
  assert.match(page.text, /except administer the organization/)
  const actor = await app.keys.authenticate(`Bearer ${key}`, 'mcp', { ip: '127.0.0.1' })
  assert.deepEqual(
    [actor.email, actor.role, actor.timezone, actor.key?.admin_grant],
    ['ann@acme.test', 'admin', 'Europe/Berlin', false],
  )
  assert.equal(await verifyPassword(people(app)[0]!.password_hash, validForm.password), true)
  const calls = app.store.raw.read.prepare('SELECT tool, transport FROM calls ORDER BY seq').all()
  assert.deepEqual(calls, [
    { tool: 'set_up', transport: 'web' },
    { tool: 'create_api_key', transport: 'web' },
  ])
  for (const again of [
    await post(app, token, { ...validForm, email: 'eve@evil.test' }),
    await ask(app, `/setup?token=${token}`),
  ])
    assert.equal(again.status, 404)
  assert.equal(people(app).length, 1)
})

test('the form submitted twice at once creates one organization', async (t) => {
  const { app, token } = await openUnconfiguredApp(t)
  const pages = await Promise.all([
    post(app, token, validForm),
    post(app, token, { ...validForm, email: 'eve@evil.test' }),
  ])
  assert.deepEqual(pages.map((page) => page.status).sort(), [200, 404])
  assert.equal(people(app).length, 1)
})

test('a wrong, expired or superseded link gets the same page, which explains how to get a new one', async (t) => {
  const { app, clock, token } = await openUnconfiguredApp(t)
  const texts = new Set<string>()
  const assertRefused = async (wrong: string) => {
    for (const page of [
      await ask(app, `/setup?token=${wrong}`),
      await post(app, wrong, validForm),
    ]) {
      assert.equal(page.status, 404)
      texts.add(page.text)
    }
  }
  for (const wrong of ['', 'x', token.slice(1), `${token}A`]) await assertRefused(wrong)
  const newer = await makeSetupToken(app.store, clock)
  await assertRefused(token)
  clock.pass(15 * minute)
  await assertRefused(newer)
  assert.equal(texts.size, 1)
  assert.match([...texts][0]!, /workspace serve/)
  assert.equal(people(app).length, 0)
})

test('errors appear beside their fields, and valid values stay filled in, except passwords', async (t) => {
  const { app, token } = await openUnconfiguredApp(t)
  const cases: [Partial<typeof validForm>, string][] = [
    [{ organization: ' ' }, 'organization'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ name: '' }, 'name'],
    [{ email: 'nobody' }, 'email'],
    [{ password: 'short', password_again: 'short' }, 'password'],
    [{ password: 'password1234', password_again: 'password1234' }, 'password'],
    [{ password_again: 'otter lamp seven mess' }, 'password_again'],
  ]
  for (const [more, field] of cases) {
    const page = await post(app, token, { ...validForm, ...more })
    assert.equal(page.status, 400, field)
    assert.match(page.text, /<title>Error: /)
    assert.match(
      page.text,
      new RegExp(`id="${field}"[^>]+aria-describedby="[^"]*${field}-wrong"\\s+aria-invalid="true"`),
    )
    assert.ok(!page.text.includes('otter lamp') && !page.text.includes('password1234'))
    if (field !== 'email') assert.match(page.text, /value="Ann@Acme\.test"/)
  }
  assert.equal((await post(app, token, validForm)).status, 200, 'the link is still valid')
})

test('entered values are returned as text, never as markup', async (t) => {
  const { app, token } = await openUnconfiguredApp(t)
  const page = await post(app, token, {
    ...validForm,
    name: '"><script>alert(1)</script>',
    organization: "'><img src=x>",
    password_again: '',
  })
  assert.doesNotMatch(page.text, /<script|<img/)
  assert.match(page.text, /value="&#34;&#62;&#60;script&#62;/)
})

test('another site cannot submit the form, and only form content is accepted', async (t) => {
  const { app, token } = await openUnconfiguredApp(t)
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://work.test' },
  ]) {
    assert.equal((await post(app, token, validForm, headers)).status, 403, JSON.stringify(headers))
  }
  assert.equal(
    (await post(app, token, validForm, { 'content-type': 'application/json' })).status,
    415,
  )
  assert.equal((await post(app, token, { ...validForm, name: 'x'.repeat(20_000) })).status, 413)
  assert.equal((await ask(app, '/setup', { method: 'PUT' })).status, 405)
  assert.equal(setup(app)(new Request('https://work.test/setup/x')), undefined)
  assert.equal(
    (
      await post(app, token, validForm, {
        origin: 'https://work.test',
        'sec-fetch-site': 'same-origin',
      })
    ).status,
    200,
  )
})
