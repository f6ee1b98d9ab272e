import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { EventReader, type StreamEvent } from '../../testing/events.ts'
import { hour } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
let keys: Record<'ann' | 'bob' | 'other' | 'eve', { id: string; key: string }>
const openReaders: EventReader[] = []

before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
  const [a, b, other, e] = await Promise.all(
    [served.ann, served.bob, served.bob, served.eve].map((someone, i) =>
      served.keyFor(someone, { name: `key ${i}` }),
    ),
  )
  keys = { ann: a!, bob: b!, other: other!, eve: e! }
})
beforeEach(
  async () => void (await Promise.all(openReaders.splice(0).map((reader) => reader.cancel()))),
)
after(() => served.close())

const cookiesOf = (browser: Browser) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const ask = (browser: Browser, query = '', headers: Record<string, string> = {}) =>
  fetch(`${served.url}/web/activity/stream${query}`, {
    headers: { accept: 'text/event-stream', cookie: cookiesOf(browser), ...headers },
  })

async function follow(
  browser: Browser,
  query = '',
  headers = {},
): Promise<{ reader: EventReader; first: StreamEvent }> {
  const response = await ask(browser, query, headers)
  assert.equal(response.status, 200, response.ok ? '' : await response.text())
  const reader = new EventReader(response)
  openReaders.push(reader)
  return { reader, first: (await reader.next())! }
}

/** The next calls, except those that opened streams. */
async function nextCalls(reader: EventReader, count: number): Promise<StreamEvent[]> {
  const all: StreamEvent[] = []
  while (all.length < count) {
    const event = (await reader.next())!
    if (event.json.tool !== 'follow_api_calls') all.push(event)
  }
  return all
}

const createLabel = (key: { key: string }, name: string) =>
  served.ask('POST', '/api/labels', { key: key.key, body: { name } })
const listLabels = (key: { key: string }) => served.ask('GET', '/api/labels', { key: key.key })
const countEntries = (tool: string) =>
  served.app.store.raw.read
    .prepare('SELECT count(*) FROM calls WHERE tool = ?')
    .pluck()
    .get(tool) as number

test('each entry of one’s own log arrives as list_api_calls shows it: reads, writes and refusals', async () => {
  const { reader, first } = await follow(bob)
  assert.deepEqual([first.event, first.retry], ['ready', '2000'])
  await listLabels(keys.bob)
  await createLabel(keys.bob, 'Oil')
  await createLabel(keys.bob, '')
  const got = await nextCalls(reader, 3)
  const { items } = await served.bob.call('list_api_calls', { key_id: keys.bob.id, limit: 3 })
  assert.deepEqual(
    got.map((streamEvent) => streamEvent.event),
    ['call', 'call', 'call'],
  )
  assert.deepEqual(
    got.map((streamEvent) => streamEvent.id),
    items.map((item: { id: string }) => item.id).reverse(),
  )
  assert.deepEqual(
    got.map(
      ({ json: { actor, module, ...rest } }) => (
        assert.deepEqual([actor.title, module], ['Bob', 'labels']), rest
      ),
    ),
    items.reverse(),
  )
  assert.deepEqual(
    got.map(({ json }) => [json.tool, json.status, json.transport, json.key.title]),
    [
      ['list_labels', 'ok', 'rest', 'key 1'],
      ['create_label', 'ok', 'rest', 'key 1'],
      ['create_label', 'error', 'rest', 'key 1'],
    ],
  )
})

test('calls by a person in the web app are distinguishable from those of their keys', async () => {
  const { reader } = await follow(bob)
  await bob.post('/web/call/list_labels', {})
  await listLabels(keys.bob)
  const got = await nextCalls(reader, 2)
  assert.deepEqual(
    got.map(({ json }) => [json.transport, json.key.id]),
    [
      ['web', ''],
      ['rest', keys.bob.id],
    ],
  )
})

test('everyone receives their own calls; administrators, on request, those of their organization', async () => {
  const [bobs, anns, all, others] = await Promise.all([
    follow(bob),
    follow(ann),
    follow(ann, '?of=organization'),
    follow(eve, '?of=organization'),
  ])
  for (const key of [keys.eve, keys.bob, keys.ann, keys.eve, keys.bob, keys.ann])
    await listLabels(key)
  const actorsOf = async ({ reader }: { reader: EventReader }, count: number) =>
    (await nextCalls(reader, count)).map((streamEvent) => streamEvent.json.actor.title)
  const organizationCalls = await nextCalls(all!.reader, 4)
  assert.deepEqual(
    organizationCalls.map(({ json }) => [json.actor.title, 'arguments' in json]),
    [
      ['Bob', false],
      ['Ann', true],
      ['Bob', false],
      ['Ann', true],
    ],
  )
  assert.deepEqual(await actorsOf(bobs!, 2), ['Bob', 'Bob'])
  assert.deepEqual(await actorsOf(anns!, 2), ['Ann', 'Ann'])
  assert.deepEqual(await actorsOf(others!, 2), ['Eve', 'Eve'])
  const refused = await ask(bob, '?of=organization')
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { code: string }).code],
    [403, 'permission_denied'],
  )
})

test('a demoted administrator receives only their own calls', async () => {
  const { reader } = await follow(ann, '?of=organization')
  await listLabels(keys.bob)
  assert.equal((await nextCalls(reader, 1))[0]!.json.actor.title, 'Bob')
  const setRole = (role: string) =>
    served.app.store.writer.run(() =>
      served.app.store.write
        .updateTable('users')
        .set({ role: role as 'admin' })
        .where('id', '=', served.ann.id)
        .execute(),
    )
  await setRole('member')
  try {
    await listLabels(keys.bob)
    await listLabels(keys.ann)
    assert.equal((await nextCalls(reader, 1))[0]!.json.actor.title, 'Ann')
  } finally {
    await setRole('admin')
  }
})

test('a stream can be limited to one key; an administrator can choose any key of the organization', async () => {
  const [bobs, all] = await Promise.all([
    follow(bob, `?key_id=${keys.other.id}`),
    follow(ann, `?of=organization&key_id=${keys.other.id}`),
  ])
  for (const key of [keys.bob, keys.other, keys.ann, keys.other]) await listLabels(key)
  for (const { reader } of [bobs, all]) {
    for (const { json } of await nextCalls(reader, 2))
      assert.deepEqual(json.key, { id: keys.other.id, title: 'key 2' })
  }
  for (const [browser, id] of [
    [bob, keys.ann.id],
    [ann, keys.eve.id],
    [bob, 'key_nothing'],
  ] as const) {
    const refused = await ask(browser, `?of=me&key_id=${id}`)
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { field: string }).field],
      [404, 'key_id'],
    )
  }
})

test('reconnecting with the last event id replays missed events once; an unknown id starts over', async () => {
  const { reader, first } = await follow(bob, `?key_id=${keys.bob.id}`)
  await listLabels(keys.bob)
  const [seen] = await nextCalls(reader, 1)
  await reader.cancel()
  for (let i = 0; i < 3; i++) await listLabels(keys.bob)
  const later = await follow(bob, `?key_id=${keys.bob.id}`, { 'last-event-id': seen!.id! })
  const missed = await nextCalls(later.reader, 3)
  assert.equal(new Set([seen, ...missed].map((item) => item!.id)).size, 4)
  const again = await follow(bob, `?key_id=${keys.bob.id}&since=${first.id}`)
  assert.deepEqual(
    (await nextCalls(again.reader, 4)).map((streamEvent) => streamEvent.id),
    [seen, ...missed].map((item) => item!.id),
  )
  await listLabels(keys.ann)
  const foreign = served.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE key_id = ?')
    .pluck()
    .get(keys.ann.id) as string
  const { first: restarted } = await follow(bob, '', { 'last-event-id': foreign })
  assert.deepEqual([restarted.event, restarted.json.reason], ['reset', 'unknown'])
  assert.equal((await ask(bob, '?since=nonsense')).status, 400)
})

test('a stream is one log entry, however much it sends, and stops reading once closed', async () => {
  const before = countEntries('follow_api_calls')
  const { reader } = await follow(bob)
  for (let i = 0; i < 5; i++) await listLabels(keys.bob)
  await nextCalls(reader, 5)
  assert.equal(countEntries('follow_api_calls'), before + 1)
  const streams = served.app.live.streams
  await reader.cancel()
  for (let i = 0; i < 200 && served.app.live.streams === streams; i++) await listLabels(keys.bob)
  assert.equal(served.app.live.streams, streams - 1)
})

test('a stream ends with the session, and only the session cookie opens it', async () => {
  const browser = await new Browser(served).signIn('bob@acme.test')
  const { reader } = await follow(browser)
  await browser.post('/web/sign-out', {})
  for (let event; (event = await reader.next()); )
    assert.ok(['sign_out', 'sign_in', 'follow_api_calls'].includes(event.json.tool))
  assert.equal((await ask(browser)).status, 401)
  assert.equal(
    (await served.ask('GET', '/web/activity/stream', { headers: { accept: 'text/event-stream' } }))
      .status,
    401,
  )
  assert.equal(
    (await fetch(`${served.url}/web/activity/stream`, { headers: { cookie: cookiesOf(bob) } }))
      .status,
    406,
  )
  assert.equal((await bob.post('/web/activity/stream')).status, 405)
  assert.equal((await ask(bob, '', { 'sec-fetch-site': 'cross-site' })).status, 403)
  const unknown = await ask(bob, '?keys=1')
  assert.deepEqual(
    [unknown.status, ((await unknown.json()) as { code: string }).code],
    [400, 'invalid_argument'],
  )
})

test('the log is read in sequence order, not by scanning all calls of a person', () => {
  const plan = served.app.store.raw.read
    .prepare(
      "EXPLAIN QUERY PLAN SELECT * FROM calls WHERE calls.actor_id = ? AND calls.org_id = ? AND calls.seq > ? AND calls.seq <= ? AND calls.key_id || '' = ? ORDER BY calls.seq LIMIT 100",
    )
    .all('a', 'b', 1, 2, 'c') as { detail: string }[]
  assert.match(plan[0]!.detail, /org_id=\? AND seq>\? AND seq<\?/)
  assert.equal(plan.length, 1)
})

test('a stream ends when its session has been idle too long: an open stream does not count as use', async () => {
  const browser = await new Browser(served).signIn('bob@acme.test')
  const { reader } = await follow(browser)
  served.clock.pass(12 * hour)
  await createLabel(keys.bob, 'Twelve hours later')
  assert.deepEqual(
    (await reader.rest()).filter((streamEvent) => streamEvent.json.tool === 'create_label'),
    [],
  )
  assert.equal((await browser.get('/web/sessions')).status, 401)
})
