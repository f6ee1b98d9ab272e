import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import type { Actor } from '../kernel/actor.ts'
import { newId } from '../kernel/ids.ts'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { mintKey } from '../keys/format.ts'
import { revokeKey } from '../keys/issue.ts'
import { modules } from '../modules/index.ts'
import { minute } from '../testing/harness.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../testing/server.ts'
import { connectDirectly } from '../oauth/testing.ts'
import { networkOf } from './addresses.ts'
import { Limits } from './limits.ts'
import { listFindings, releaseHold, type ListedFinding } from './release.ts'

const abnormal = 'https://iana.org/assignments/http-problem-types#abnormal-usage-detected'

const postcards: Module = {
  name: 'postcards',
  about: 'Sends postcards.',
  operations: [
    operation({
      name: 'send_postcard',
      kind: 'write',
      rest: 'POST /api/postcards',
      about: 'Send a postcard to somebody outside',
      outbound: (args) => args.to !== 'me',
      input: { to: z.string(), turn: z.int() },
      output: z.strictObject({ sent: z.boolean() }),
      handle: async () => ({ sent: true }),
    }),
  ],
}

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({
    modules: [...modules, postcards],
    settings: {
      limits: true,
      rate_key: 0,
      rate_organization: 0,
      rate_address: 0,
      abuse_bad_credentials: 6,
      abuse_enumeration: 8,
      abuse_wandering: 3,
      abuse_wandering_except: '203.0.113.0/24',
      abuse_mass_delete: 30,
      abuse_mass_delete_share: 50,
      abuse_mass_read: 60,
      abuse_mass_read_megabytes: 1,
      abuse_outbound: 4,
      abuse_loop: 5,
      abuse_repeat: 3,
    },
  })
  await served.bob.call('create_project', { name: 'Engineering', key: 'ENG' })
})
after(() => served.close())

interface Key {
  id: string
  key: string
}

const newKey = (): Promise<Key> => served.keyFor(served.bob)
const request = ({ key }: Key, method: string, path: string, body?: unknown) =>
  served.ask(method, path, { key, ...(body === undefined ? {} : { body }) })
const unknownTaskId = () => newId('tsk', served.clock.now())
const harmlessRequest = ({ key }: Key) => request({ id: '', key }, 'GET', '/api/labels')

/** Waits for findings about a key; they are written a moment later. */
async function findings(rule: string, keyId?: string): Promise<ListedFinding[]> {
  for (let i = 0; ; i++) {
    const all = await listFindings(served.app.store, served.clock.now(), { limit: 100 })
    const findings = all.filter(
      (listedFinding) =>
        listedFinding.rule === rule && (keyId === undefined || listedFinding.key_id === keyId),
    )
    if (findings.length > 0 || i > 60) return findings
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function onlyFinding(rule: string, keyId?: string): Promise<ListedFinding> {
  const matches = await findings(rule, keyId)
  assert.equal(matches.length, 1, rule)
  return matches[0]!
}

/** Asserts that a rule's hold refuses a request. */
function assertHeld(answer: TestResponse, rule: string): void {
  assert.deepEqual(
    [answer.status, answer.json.code, answer.json.type, answer.json.rule],
    [429, 'rate_limited', abnormal, rule],
    answer.text,
  )
  assert.ok(Number(answer.headers.get('retry-after')) >= 1)
}

async function makeTasks(count: number, project = 'ENG'): Promise<string[]> {
  const all = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      served.bob.call('create_task', { project_id: project, title: `Task ${i}` }),
    ),
  )
  return all.map((item) => item.id)
}

const deleteTask = (key: Key, id: string) => request(key, 'DELETE', `/api/tasks/${id}`)

test('enumeration: too many nonexistent ids hold the key for five minutes', async () => {
  const key = await newKey()
  const repeatedId = unknownTaskId()
  for (let i = 0; i < 4; i++)
    assert.equal((await request(key, 'GET', `/api/tasks/${repeatedId}`)).status, 404)
  for (let i = 0; i < 6; i++)
    assert.equal((await request(key, 'GET', `/api/tasks/${unknownTaskId()}`)).status, 404)
  assert.equal((await harmlessRequest(key)).status, 200)
  assert.equal((await request(key, 'GET', `/api/tasks/${unknownTaskId()}`)).status, 404)
  const refused = await harmlessRequest(key)
  assertHeld(refused, 'enumeration')
  assert.ok(Number(refused.headers.get('retry-after')) <= 300)
  served.clock.wait(5 * minute)
  assert.equal((await harmlessRequest(key)).status, 200)
  assert.equal((await onlyFinding('enumeration', key.id)).owner, 'bob@acme.test')
})

test('enumeration: ids in a list of one call count individually, over MCP and REST', async () => {
  const key = await newKey()
  const call = {
    name: 'bulk_update_tasks',
    arguments: {
      task_ids: Array.from({ length: 9 }, unknownTaskId),
      changes: { priority: 'high' },
    },
  }
  const response = await served.ask('POST', '/mcp', {
    key: key.key,
    headers: { accept: 'application/json' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  })
  const answer = JSON.parse(response.json.result.content[0].text)
  assert.ok(answer.failed?.length === 9 || answer.code === 'not_found', response.text)
  if (answer.failed) assertHeld(await harmlessRequest(key), 'enumeration')
})

test('loop: a repeated identical call is refused with the id of the earlier request', async () => {
  const key = await newKey()
  let last: TestResponse | undefined
  for (let i = 0; i < 5; i++)
    assert.equal((last = await request(key, 'GET', '/api/labels?limit=3')).status, 200)
  const refused = await request(key, 'GET', '/api/labels?limit=3')
  assertHeld(refused, 'loop')
  assert.equal(refused.json.earlier_request_id, last!.headers.get('x-request-id'))
  assert.equal((await request(key, 'GET', '/api/labels?limit=4')).status, 200)
  served.clock.wait(minute)
  assert.equal((await request(key, 'GET', '/api/labels?limit=3')).status, 200)
  await onlyFinding('loop', key.id)
})

test('loop: over MCP it is a result that the model can read', async () => {
  const { key } = await newKey()
  const message = () =>
    served.ask('POST', '/mcp', {
      key,
      headers: { accept: 'application/json' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_teams', arguments: {} },
      },
    })
  for (let i = 0; i < 5; i++) assert.notEqual((await message()).json.result.isError, true)
  const { status, json } = await message()
  assert.deepEqual(
    [status, json.result.isError, JSON.parse(json.result.content[0].text).rule],
    [200, true, 'loop'],
  )
})

test('mass-delete: an excessive delete is rolled back and writes are held, while reads continue until a person releases the key', async () => {
  const key = await newKey()
  await makeTasks(60)
  const ids = await makeTasks(32)
  for (const id of ids.slice(0, 30)) assert.equal((await deleteTask(key, id)).status, 200)
  const over = await deleteTask(key, ids[30]!)
  assertHeld(over, 'mass-delete')
  assert.equal((await served.bob.call('get_task', { task_id: ids[30] })).id, ids[30])
  assertHeld(await request(key, 'POST', '/api/labels', { name: 'while held' }), 'mass-delete')
  assert.equal((await harmlessRequest(key)).status, 200)
  const finding = await onlyFinding('mass-delete', key.id)
  assert.equal(over.json.finding_id, finding.id)
  await releaseHold(served.app, served.bob.actor, finding.id)
  assert.equal((await deleteTask(key, ids[30]!)).status, 200)
  assert.equal((await deleteTask(key, ids[31]!)).status, 200)
  await assert.rejects(releaseHold(served.app, served.bob.actor, finding.id), /already released/)
})

test('mass-delete: deleting a large share of a project is excessive, in one call or in many', async () => {
  await served.bob.call('create_project', { name: 'Small', key: 'SML' })
  const ids = await makeTasks(44, 'SML')
  const key = await newKey()
  for (const id of ids.slice(0, 10)) assert.equal((await deleteTask(key, id)).status, 200)
  served.clock.wait(2 * minute)
  for (const id of ids.slice(10, 22)) assert.equal((await deleteTask(key, id)).status, 200)
  assertHeld(await deleteTask(key, ids[22]!), 'mass-delete')
  assert.equal(JSON.parse((await onlyFinding('mass-delete', key.id)).detail_json).percent, 52)
})

test('mass-read: reading many different items holds the key, reading the same ones again does not', async () => {
  await makeTasks(30)
  const key = await newKey()
  for (let i = 0; i < 4; i++)
    assert.equal(
      (
        await request(
          key,
          'GET',
          `/api/tasks?limit=30&project_id=ENG&fields=id,${['title', 'status', 'priority', 'key'][i]}`,
        )
      ).status,
      200,
    )
  assert.equal((await harmlessRequest(key)).status, 200)
  let cursor = ''
  for (let page = 0; page < 3; page++) {
    const { json } = await request(key, 'GET', `/api/tasks?limit=30&project_id=ENG${cursor}`)
    cursor = `&cursor=${json.next_cursor}`
  }
  assertHeld(await harmlessRequest(key), 'mass-read')
  await onlyFinding('mass-read', key.id)
})

test('outbound-burst: sending requires approval, everything else continues', async () => {
  const key = await newKey()
  const send = (to: string, turn: number) => request(key, 'POST', '/api/postcards', { to, turn })
  for (let i = 0; i < 4; i++) assert.equal((await send('eve', i)).status, 200)
  for (const turn of [5, 6]) {
    const waiting = await send('eve', turn)
    assert.deepEqual([waiting.status, waiting.json.code], [409, 'approval_required'])
    assert.match(waiting.json.approval_id, /^apr_/)
  }
  assert.equal((await send('me', 7)).status, 200)
  assert.equal((await harmlessRequest(key)).status, 200)
  const finding = await onlyFinding('outbound-burst', key.id)
  await releaseHold(served.app, served.bob.actor, finding.id)
  assert.equal((await send('eve', 8)).status, 200)
})

test('wandering-key: a key used from many addresses is reported and keeps working', async () => {
  const key = await newKey()
  const actor = await served.app.keys.authenticate(`Bearer ${key.key}`, 'api', { ip: '' })
  const { limits } = served.app
  for (const last of [1, 2, 3, 2, 1, 3]) limits.admit(actor, `198.51.100.${last}`, 1)
  limits.admit(actor, '198.51.100.4', 1)
  assert.equal((await harmlessRequest(key)).status, 200)
  assert.equal((await onlyFinding('wandering-key', key.id)).hold, 'none')
})

test('wandering-key: addresses in exempt networks do not count', async () => {
  const [hosted, roaming] = [await newKey(), await newKey()]
  for (const { key, id } of [hosted, roaming]) {
    const actor = await served.app.keys.authenticate(`Bearer ${key}`, 'api', { ip: '' })
    const network = id === hosted.id ? '203.0.113' : '198.51.100'
    for (let last = 1; last < 9; last++) served.app.limits.admit(actor, `${network}.${last}`, 1)
  }
  await onlyFinding('wandering-key', roaming.id)
  const all = await listFindings(served.app.store, served.clock.now(), { limit: 100 })
  assert.deepEqual(
    all.filter((finding) => finding.key_id === hosted.id),
    [],
  )
})

test('wandering-key: many addresses are normal for a hosted client, but not for a local one', async () => {
  const server = { ...served, issuer: served.url }
  const redirects = ['https://claude.ai/api/mcp/auth_callback', 'http://127.0.0.1:4000/callback']
  const ids: (string | undefined)[] = []
  for (const redirectUri of redirects) {
    const { access_token } = await connectDirectly(server, served.bob, { redirectUri })
    const from = { ip: '', url: `${served.url}/mcp` }
    const actor = await served.app.keys.authenticate(`Bearer ${access_token}`, 'mcp', from)
    ids.push(actor.key?.id)
    for (let last = 1; last < 9; last++) served.app.limits.admit(actor, `198.51.100.${last}`, 1)
  }
  await onlyFinding('wandering-key', ids[1] ?? '')
  const all = await listFindings(served.app.store, served.clock.now(), { limit: 100 })
  assert.deepEqual(
    all.filter((finding) => finding.key_id === ids[0]),
    [],
  )
})

test('bad-credentials: an expired or revoked key is refused without counting as a guess', async () => {
  const { key, id } = await newKey()
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: id })
  for (let n = 0; n < 20; n++)
    assert.equal((await served.ask('GET', '/api/labels', { key })).status, 401)
})

test('exposed-key: a working key in a URL is reported but not accepted; an invalid one is ignored', async () => {
  const key = await newKey()
  const { lookup } = mintKey()
  for (const url of [`/api/labels?key=${key.key}`, `/?k=${key.key.replace('_', '%5F')}`])
    assert.equal(
      (await served.ask('GET', url, { key: undefined })).status,
      url.startsWith('/api') ? 401 : 200,
    )
  const finding = await onlyFinding('exposed-key', key.id)
  assert.equal(finding.subject, 'url')
  assert.equal((await harmlessRequest(key)).status, 200)
  const listed = (await served.bob.call('list_api_keys', { limit: 100 })).items.find(
    (item: any) => item.id === key.id,
  )
  assert.deepEqual(
    listed.findings.map((item: any) => [item.id, item.rule, item.holds]),
    [[finding.id, 'exposed-key', undefined]],
  )
  assert.equal(
    await served.app.keys.recognize(key.key.slice(0, 4) + lookup + key.key.slice(16)),
    undefined,
  )
})

test('every finding is in the owner’s call log under the name of its rule', async () => {
  const key = await newKey()
  for (let i = 0; i < 8; i++) await request(key, 'GET', `/api/tasks/${unknownTaskId()}`)
  const finding = await onlyFinding('enumeration', key.id)
  const { items } = await served.bob.call('list_api_calls', {
    tool: 'abuse.enumeration',
    key_id: key.id,
  })
  assert.deepEqual(
    items.map((item: any) => item.arguments.finding),
    [finding.id],
  )
})

test('repeat-offender: a key held three times in a day is suspended everywhere until its owner or an administrator decides', async () => {
  const key = await newKey()
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 8; j++) await request(key, 'GET', `/api/tasks/${unknownTaskId()}`)
    if (i < 2) assertHeld(await harmlessRequest(key), 'enumeration')
    served.clock.wait(6 * minute)
  }
  const finding = await onlyFinding('repeat-offender', key.id)
  const suspendedAnswer = await harmlessRequest(key)
  assert.deepEqual([suspendedAnswer.status, suspendedAnswer.json.code], [403, 'permission_denied'])
  assert.match(suspendedAnswer.json.message, /suspended.*workspace abuse release/)
  assert.equal(
    (
      await served.ask('POST', '/mcp', {
        key: key.key,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
    ).status,
    403,
  )
  const listed = (await served.bob.call('list_api_keys', { status: 'suspended' })).items
  assert.deepEqual(
    listed.map((item: any) => [item.id, item.status, item.findings[0].holds]),
    [[key.id, 'suspended', 'key']],
  )
  await assert.rejects(releaseHold(served.app, served.carol.actor, finding.id), {
    code: 'not_found',
  })
  await assert.rejects(releaseHold(served.app, served.eve.actor, finding.id), { code: 'not_found' })
  await assert.rejects(
    releaseHold(served.app, { ...served.bob.actor, key: {} } as unknown as Actor, finding.id),
    { code: 'permission_denied' },
  )
  await releaseHold(served.app, served.ann.actor, finding.id)
  assert.equal((await harmlessRequest(key)).status, 200)
})

test('a hold survives a restart', async () => {
  const key = await newKey()
  for (let i = 0; i < 8; i++) await request(key, 'GET', `/api/tasks/${unknownTaskId()}`)
  await onlyFinding('enumeration', key.id)
  const next = new Limits(served.app)
  await next.findings.refresh(key.id)
  assert.deepEqual(
    next.findings.holdsOn(key.id).map((hold) => hold.rule),
    ['enumeration'],
  )
  served.clock.wait(6 * minute)
  assert.deepEqual(next.findings.holdsOn(key.id), [])
})

test('bad-credentials: an address with many failed keys is refused, except with a valid one', async () => {
  served.clock.wait(20 * minute)
  const key = await newKey()
  const revoked = await served.keyFor(served.carol)
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: revoked.id })
  const bad = () => served.ask('GET', '/api/labels', { key: mintKey().key })
  assert.equal(
    (
      await served.ask('GET', '/api/labels', {
        key: revoked.key,
        headers: { 'user-agent': revoked.key },
      })
    ).status,
    401,
  )
  for (let i = 0; i < 6; i++) assert.equal((await bad()).status, 401) // a revoked key does not count as a guess
  const refused = await bad()
  assertHeld(refused, 'bad-credentials')
  assert.ok(Number(refused.headers.get('retry-after')) > 500)
  assert.equal((await harmlessRequest(key)).status, 200)
  served.clock.wait(9 * minute)
  assertHeld(await bad(), 'bad-credentials')
  served.clock.wait(minute)
  assert.equal((await bad()).status, 401)
  assert.equal((await onlyFinding('bad-credentials')).subject, '127.0.0.1')
  const { items } = await served.carol.call('list_api_calls', { key_id: revoked.id })
  assert.deepEqual(
    items.map((item: any) => [item.status, item.error_code, item.tool]),
    [['denied', 'unauthenticated', 'list_labels']],
  )
  const detailsJson = served.app.store.raw.read
    .prepare('SELECT details_json FROM calls WHERE key_id = ?')
    .pluck()
    .get(revoked.id) as string
  assert.equal(
    JSON.parse(detailsJson).client.name,
    'svc_…',
    'a key sent in another header is redacted',
  )
})

test('an address is identified by the network of a single customer', () => {
  assert.equal(networkOf('203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(networkOf('2001:0DB8:0001:2::1'), '2001:db8:1:2')
  assert.equal(networkOf('::1'), '0:0:0:0')
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0')
})

test('bad-credentials: failures of the first minute after a start are counted for a whole minute', () => {
  let uptimeMs = 59_000
  const { settings, store, log, callLog, keys } = served.app
  const clock = { now: () => served.clock.now(), monotonic: () => uptimeMs }
  const { addresses } = new Limits({ settings, store, log, callLog, keys, clock })
  for (let i = 0; i < 6; i++) addresses.recordFailure('198.51.100.7')
  uptimeMs = 61_000
  assert.throws(() => addresses.recordFailure('198.51.100.7'), { code: 'rate_limited' })
})
