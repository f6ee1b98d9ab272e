import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseCallbackHost } from '../../oauth/callback-hosts.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import {
  allow,
  authorizationOf,
  authorize,
  connectProgram,
  newPkcePair,
  postForm,
  register,
} from './testing.ts'

// An administrator's decision about a single host overrides the settings and the known programs.

let served: ServedWorkspace
let ann: Browser
let bob: Browser

before(async () => {
  served = await serveWorkspace({ settings: { oauth_registration: 'known' } })
  await givePasswords(served, served.ann, served.bob)
  ann = await new Browser(served).signIn(served.ann.actor.email)
  bob = await new Browser(served).signIn(served.bob.actor.email)
  await setOtherOrganization('deactivated')
})
after(() => served.close())

/** Sets whether the only person of the other organization uses the instance. */
function setOtherOrganization(status: 'active' | 'deactivated'): Promise<unknown> {
  const { store } = served.app
  return store.writer.run(() =>
    store.write
      .updateTable('users')
      .set({ status })
      .where('id', '=', served.eve.actor.id)
      .execute(),
  )
}

const decide = (host: string, policy: string, browser = ann) =>
  browser.post('/web/oauth/hosts/policy', { host, policy })

const tryRegister = (redirect: string) =>
  served.ask('POST', '/oauth/register', {
    key: undefined,
    body: { client_name: 'Program', redirect_uris: [redirect] },
  })

test('an allowed host counts as known; its neighbors and lookalikes do not', async () => {
  const redirect = 'https://assistant.example/callback'
  const before = await tryRegister(redirect)
  assert.deepEqual([before.status, before.json.error], [400, 'invalid_redirect_uri'])
  assert.match(before.json.error_description, /workspace oauth hosts allow/)
  assert.equal((await decide('Assistant.Example', 'allow')).json.host, 'assistant.example')
  for (const other of [
    'https://assistant.example.evil.example/callback',
    'https://evil.example/assistant.example',
    'https://sub.assistant.example/callback',
    'https://assistant.example:8443/callback',
    'https://assistant.example./callback',
  ])
    assert.equal((await tryRegister(other)).json.error, 'invalid_redirect_uri', other)
  const { access } = await connectProgram(served, bob, { redirect })
  assert.ok(access)
  assert.equal((await decide('assistant.example', 'default')).status, 200)
  assert.equal((await tryRegister(redirect)).status, 400)
})

test('a refused host cannot register, connect, complete consent or refresh until the refusal is lifted', async () => {
  const redirect = 'https://claude.ai/api/mcp/auth_callback' // a known callback
  const program = await connectProgram(served, bob, { redirect })
  const refresh = () =>
    postForm(served, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: program.refresh,
      client_id: program.clientId,
    })
  const parameters = authorizationOf(program.clientId, newPkcePair().challenge, redirect)
  const started = await authorize(served, parameters)
  const pendingLater = await authorize(served, parameters)
  const { verifier, challenge } = newPkcePair()
  const other = await authorize(served, authorizationOf(program.clientId, challenge, redirect))
  const code = (await allow(ann, other.location)).searchParams.get('code') ?? ''

  assert.equal((await decide('claude.ai', 'refuse')).status, 200)
  const refused = await authorize(served, parameters)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /sends no answers to claude\.ai/)
  assert.equal(refused.location.href, 'about:blank', 'there is no redirect')
  assert.equal((await tryRegister(redirect)).json.error, 'invalid_redirect_uri')
  assert.equal((await tryRegister('https://claude.ai:444/x')).json.error, 'invalid_redirect_uri')
  assert.equal((await tryRegister('https://claude.ai./x')).json.error, 'invalid_redirect_uri')
  await assert.rejects(allow(bob, started.location), /permission_denied/)
  const exchanged = await postForm(served, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: program.clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirect,
  })
  assert.deepEqual([exchanged.status, exchanged.json.error], [400, 'unauthorized_client'])
  assert.deepEqual(
    [(await refresh()).status, (await refresh()).json.error],
    [400, 'unauthorized_client'],
  )

  assert.equal((await decide('claude.ai', 'default')).status, 200)
  assert.ok(await allow(bob, pendingLater.location), 'an earlier request can be decided again')
  assert.equal((await refresh()).json.error, 'invalid_grant', 'the later consent replaced it')
})

test('a refused host overrides everything that would allow it: open registration, an allowed client, a manually added one', async () => {
  Object.assign(served.app.settings, { oauth_registration: 'any' })
  const redirect = 'https://phish.example/callback'
  const clientId = await register(served, { redirect_uris: [redirect] })
  const parameters = authorizationOf(clientId, newPkcePair().challenge, redirect)
  assert.equal((await authorize(served, parameters)).status, 303)
  await ann.post('/web/oauth/clients/policy', { client_id: clientId, policy: 'allow' })
  const entered = await ann.post('/web/oauth/clients', {
    name: 'By hand',
    redirect_uris: [redirect],
  })
  await decide('phish.example', 'refuse')
  assert.equal((await authorize(served, parameters)).status, 400)
  const byHand = authorizationOf(entered.json.client_id, newPkcePair().challenge, redirect)
  assert.equal((await authorize(served, byHand)).status, 400)
  await decide('phish.example', 'default')
  assert.equal((await authorize(served, byHand)).status, 303)
  Object.assign(served.app.settings, { oauth_registration: 'known' })
})

test('with only known clients admitted, documents of unknown ones are fetched only for an allowed host', async () => {
  Object.assign(served.app.settings, { oauth_documents: 'known' })
  const clientId = 'https://assistant.example/client.json'
  const parameters = authorizationOf(
    clientId,
    newPkcePair().challenge,
    'https://assistant.example/callback',
  )
  assert.match((await authorize(served, parameters)).text, /may not be connected/)
  await decide('assistant.example', 'allow')
  assert.match((await authorize(served, parameters)).text, /could not be fetched/)
  await decide('assistant.example', 'default')
  Object.assign(served.app.settings, { oauth_documents: 'any' })
})

test('the list shows each decision, and the call log who made it', async () => {
  await decide('one.example', 'allow')
  await decide('two.example', 'refuse')
  const { items } = (await ann.get('/web/oauth/hosts')).json
  assert.deepEqual(
    items.map(({ host, policy }: { host: string; policy: string }) => [host, policy]),
    [
      ['one.example', 'allow'],
      ['two.example', 'refuse'],
    ],
  )
  const entries = await served.app.store.read
    .selectFrom('calls')
    .select('actor_id')
    .where('tool', '=', 'set_oauth_callback_host_policy')
    .where('status', '=', 'ok')
    .execute()
  assert.ok(entries.length > 5 && entries.every(({ actor_id }) => actor_id === served.ann.actor.id))
})

test('only administrators decide about hosts, and not on an instance shared with another organization', async () => {
  const requests = [
    (browser: Browser) => browser.get('/web/oauth/hosts'),
    (browser: Browser) => decide('one.example', 'refuse', browser),
  ]
  for (const way of requests) assert.equal((await way(bob)).json.code, 'permission_denied')
  await setOtherOrganization('active')
  for (const way of requests) assert.match((await way(ann)).json.message, /Several organizations/)
  await setOtherOrganization('deactivated')
})

test('an invalid host is refused with advice on what to enter', async () => {
  for (const text of [
    'https://assistant.example',
    'assistant.example/callback',
    'assistant.example:8443',
    'user@assistant.example',
    'a b.example',
    '*.example',
    '..',
    '.',
    'x#y',
    'x?y',
    '\u0000',
    'xn--\u00e9',
    '%2e%2e',
    'a'.repeat(255),
    'localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
  ]) {
    const got = await decide(text, 'allow')
    assert.deepEqual([got.status, got.json.field], [400, 'host'], `${text}: ${got.text}`)
  }
  assert.equal(parseCallbackHost('BÜCHER.example.'), 'xn--bcher-kva.example')
})
