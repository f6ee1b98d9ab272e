import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readSettings, type Settings } from '../../config/settings.ts'
import {
  askSearch,
  providerVectors,
  searchFolder,
  searchHouse,
  searchSpaces,
  searchStanding,
  tendSearch,
} from '../../testing/provided-search.ts'
import { openProvided } from '../../testing/search-provider.ts'
import type { EmbeddingsOptions } from '../../testing/servers/embeddings.ts'
import { startReceiver } from '../../testing/servers/receiver.ts'
import { describeStatus } from '../status.ts'

const texts = [
  { id: 'outage', title: 'Sunday', body: 'The server had an outage of two hours on Sunday.' },
  { id: 'bread', body: 'We bake bread with flour and salt.' },
  { id: 'money', body: 'Invoices are paid within a month.' },
]

test('provider vectors are used, and reported so, once all texts have them; until then the embedded ones are', async (t) => {
  const item = await searchHouse(
    t,
    {},
    { embeddings_query_prefix: 'search_query: ', embeddings_document_prefix: 'search_document: ' },
  )
  await item.put(...texts)
  item.server.fault = (_, n) => (n === 2 ? 'hang' : undefined)
  await item.engine.maintain()
  while (item.server.requests.length < 2) await pause(10)
  const before = await askSearch(item, 'downtime failover')
  assert.deepEqual([before.model, before.ids[0]], ['static-256', 'outage'])
  assert.equal(searchStanding(item).provider!.state, 'building')
  await item.engine.close()
  const reopened = openProvided(item.dir, item.settings, () => item.clock.at)
  t.after(() => reopened.close())
  await tendSearch(reopened)
  const after = await askSearch(reopened, 'downtime failover')
  assert.deepEqual([after.model, after.ids[0], after.pending], ['test-embed', 'outage', 0])
  assert.deepEqual(searchSpaces(reopened), [
    { provider: 'embedded', state: 'active', dimensions: 256 },
    { provider: 'openai', state: 'active', dimensions: 256 },
  ])
  assert.equal(searchStanding(reopened).answers, 'test-embed')
  const sent = item.server.requests.at(-1)!.input
  assert.equal(sent[1], 'search_query: downtime failover')
  assert.ok(
    item.server.requests.some((request) =>
      request.input.includes(`search_document: Sunday. ${texts[0]!.body}`),
    ),
  )
})

test('a query is sent once, and only changed texts are sent again; a moved one is not', async (t) => {
  const item = await searchHouse(t)
  await item.put(...texts)
  await tendSearch(item)
  await askSearch(item, 'downtime failover')
  const requestCount = item.server.requests.length
  await askSearch(item, 'downtime failover')
  assert.equal(item.server.requests.length, requestCount)
  await item.put({ id: 'bread', body: 'A blackout of the computers.' })
  await tendSearch(item)
  assert.equal(item.server.requests.length, requestCount + 1)
  assert.equal(item.server.requests.at(-1)!.input.length, 2, 'the probe, and the one text')
  assert.deepEqual((await askSearch(item, 'downtime failover')).ids.slice(0, 2).sort(), [
    'bread',
    'outage',
  ])
  await item.store.writer.run(
    async () =>
      void item.store.raw.write.exec(
        "update search_docs set container = 'two' where ref = 'outage'",
      ),
  )
  await tendSearch(item)
  assert.deepEqual((await askSearch(item, 'downtime failover')).ids.includes('outage'), false)
  await item.store.writer.run(
    async () => void item.store.raw.write.exec("delete from search_docs where ref = 'money'"),
  )
  await tendSearch(item)
  assert.equal(item.server.requests.length, requestCount + 1)
  assert.equal(providerVectors(item), 2)
})

test('keyword search does not contact the provider, and without a provider no search does', async (t) => {
  const item = await searchHouse(t)
  await item.put(...texts)
  await tendSearch(item)
  const requestCount = item.server.requests.length
  await askSearch(item, 'bread', 'keyword')
  assert.equal(item.server.requests.length, requestCount)
  assert.equal(readSettings({}, {}).embeddings_url, '')
  const local = openProvided(searchFolder(t), { outbound_allow: item.server.opening })
  t.after(() => local.close())
  await local.put(...texts)
  await tendSearch(local)
  assert.equal((await askSearch(local, 'downtime failover')).ids[0], 'outage')
  assert.equal(item.server.requests.length, requestCount)
  assert.deepEqual(
    local.store.raw.read.prepare('select count(*) from search_todo').pluck().get(),
    0,
  )
  assert.match(describeStatus(searchStanding(local)).join(' '), /nothing leaves this machine/)
})

test('removing a provider from the settings leaves nothing behind', async (t) => {
  const item = await searchHouse(t)
  await item.put(...texts)
  await tendSearch(item)
  await item.engine.close()
  const local = openProvided(item.dir, {})
  t.after(() => local.close())
  await local.put({ id: 'more', body: 'More of it.' })
  await tendSearch(local)
  assert.deepEqual(searchSpaces(local), [
    { provider: 'embedded', state: 'active', dimensions: 256 },
  ])
  assert.deepEqual(
    local.store.raw.read
      .prepare(
        'select (select count(*) from search_todo) + (select count(*) from search_providers)',
      )
      .pluck()
      .get(),
    0,
  )
  assert.equal((await askSearch(local, 'downtime failover')).model, 'static-256')
})

const failures: [string, EmbeddingsOptions, Partial<Settings>, RegExp][] = [
  ['a wrong key', { key: 'right' }, {}, /does not accept the key \(401\).*--embeddings-key-file/],
  ['an unknown model', { model: 'other' }, {}, /no model “test-embed”.*ollama pull test-embed/],
  [
    'a size that the model does not support',
    {},
    { embeddings_dimensions: 64 },
    /did not accept the request \(400\).*--embeddings-dimensions/,
  ],
  [
    'an address that the operator did not allow',
    {},
    { outbound_allow: '' },
    /could not be reached.*--outbound-allow/,
  ],
  [
    'a request that times out',
    {},
    { embeddings_timeout: 1, embeddings_model: 'hang' },
    /could not be reached or timed out/,
  ],
  ['a connection that breaks off', {}, { embeddings_model: 'close' }, /could not be reached/],
  [
    'a response that is not JSON',
    {},
    { embeddings_model: 'words' },
    /not a list of vectors: it is not JSON/,
  ],
  ['too few vectors', {}, { embeddings_model: 'few' }, /0 for \d+ texts/],
  [
    'a missing key file',
    {},
    { embeddings_key_file: '/nowhere/key' },
    /could not be read from \/nowhere\/key \(ENOENT\)/,
  ],
]

test(`${failures.length} failures are reported in plain words, not retried at once, and search keeps working`, async (t) => {
  for (const [description, serverOptions, settings, expected] of failures) {
    await t.test(description, async (inner) => {
      const item = await searchHouse(inner, serverOptions, settings)
      const bodies: Record<string, { status: number; body: string }> = {
        words: { status: 200, body: 'hello' },
        few: { status: 200, body: '{"data":[]}' },
      }
      item.server.fault = ({ model }) =>
        model === 'hang' || model === 'close' ? model : bodies[model]
      await item.put(...texts)
      await tendSearch(item)
      const { state, problem, retry_at } = searchStanding(item).provider!
      assert.equal(state, 'away')
      assert.match(problem!, expected)
      assert.doesNotMatch(problem!, /outage|right/)
      assert.ok(retry_at! > item.clock.at)
      const requestCount = item.server.requests.length
      await tendSearch(item)
      const answer = await askSearch(item, 'downtime failover')
      assert.deepEqual([answer.model, answer.ids[0]], ['static-256', 'outage'])
      assert.equal(item.server.requests.length, requestCount)
      assert.match(describeStatus(searchStanding(item)).join('\n'), expected)
    })
  }
})

test('a pause requested by the server is respected, and work then resumes', async (t) => {
  const item = await searchHouse(t, {}, { embeddings_batch: 1 })
  await item.put(...texts)
  item.server.fault = (_, n) => {
    if (n === 3) return { status: 429, headers: { 'retry-after': '120' } }
    return n === 4 ? { status: 500 } : undefined
  }
  await tendSearch(item)
  assert.deepEqual([providerVectors(item), searchStanding(item).provider!.done], [1, 1])
  assert.ok(searchStanding(item).provider!.retry_at! >= item.clock.at + 120_000)
  item.clock.at += 119_000
  await tendSearch(item)
  assert.equal(item.server.requests.length, 3)
  item.clock.at += 2_000
  await tendSearch(item)
  assert.match(searchStanding(item).provider!.problem!, /failed \(500\)/)
  item.clock.at += 60_000
  await tendSearch(item)
  assert.deepEqual(
    [
      providerVectors(item),
      searchStanding(item).provider!.state,
      searchStanding(item).provider!.problem,
    ],
    [3, 'ready', null],
  )
  const sent = item.server.requests
    .flatMap((request) => request.input.slice(1))
    .filter((text) => text.includes('bread'))
  assert.ok(sent.length <= 3)
})

test('if the provider fails between queries, embedded vectors are used at once, without further requests', async (t) => {
  const item = await searchHouse(t)
  await item.put(...texts)
  await tendSearch(item)
  assert.equal((await askSearch(item, 'flour')).model, 'test-embed')
  item.server.fault = () => 'hang'
  item.change({ embeddings_query_timeout: 200 })
  assert.equal((await askSearch(item, 'downtime failover')).model, 'static-256') // the provider never answers
  const requestCount = item.server.requests.length
  assert.equal((await askSearch(item, 'downtime failover')).model, 'static-256')
  assert.equal(item.server.requests.length, requestCount)
  item.server.fault = () => undefined
  item.change({ embeddings_query_timeout: 60_000 })
  item.clock.at += 16_000
  assert.equal((await askSearch(item, 'downtime failover')).model, 'test-embed')
})

test('a changed model under the same name is detected by the next query or text; a new space is built alongside, without mixing vectors', async (t) => {
  const item = await searchHouse(t)
  await item.put(...texts)
  await tendSearch(item)
  const first = item.store.raw.read
    .prepare("select id from search_spaces where provider = 'openai'")
    .pluck()
    .get()
  item.server.change()
  assert.equal((await askSearch(item, 'downtime failover')).model, 'static-256')
  await tendSearch(item)
  const second = item.store.raw.read
    .prepare("select id from search_spaces where provider = 'openai'")
    .pluck()
    .all()
  assert.equal(second.length, 1)
  assert.notEqual(second[0], first)
  assert.deepEqual(
    [
      (await askSearch(item, 'downtime failover')).model,
      (await askSearch(item, 'downtime failover')).ids[0],
    ],
    ['test-embed', 'outage'],
  )
  item.server.change({ dimensions: 128 })
  await item.put({ id: 'new', body: 'A blackout of the computers.' })
  await tendSearch(item)
  assert.deepEqual(searchSpaces(item)[1], { provider: 'openai', state: 'active', dimensions: 128 })
  assert.equal(providerVectors(item), 4)
  assert.deepEqual(
    item.store.raw.read
      .prepare(
        "select distinct length(v.vector) from search_vectors as v join search_spaces as s on s.id = v.space where s.provider = 'openai'",
      )
      .pluck()
      .all(),
    [128],
  )
})

test('a model change during the build restarts it; a model that changes with each request is reported', async (t) => {
  const item = await searchHouse(t, {}, { embeddings_batch: 1 })
  await item.put(...texts)
  item.server.fault = (_, n) => void (n === 3 && item.server.change())
  await tendSearch(item)
  assert.deepEqual([providerVectors(item), searchStanding(item).provider!.state], [3, 'ready'])
  const other = await searchHouse(t, {}, { embeddings_batch: 1 })
  await other.put(...texts)
  other.server.fault = () => other.server.change() as undefined
  await tendSearch(other)
  assert.match(searchStanding(other).provider!.problem!, /answers with changing models/)
})

test('a server with smaller limits gets fewer and shorter texts', async (t) => {
  const item = await searchHouse(t, { most: 9, longest: 60 }, { embeddings_batch: 64 })
  await item.put(
    ...Array.from({ length: 40 }, (_, i) => ({
      id: `p${i}`,
      body: `Note ${i} about bread and flour.`,
    })),
    { id: 'long', body: Array.from({ length: 75 }, (_, i) => `word${i}`).join(' ') },
  )
  await tendSearch(item)
  assert.deepEqual([providerVectors(item), searchStanding(item).provider!.state], [41, 'ready'])
  assert.ok(item.server.requests.slice(-2).every((request) => request.input.length <= 9))
})

test('base64 vectors, fewer dimensions, and a key from a changed file or the environment are supported', async (t) => {
  const file = join(searchFolder(t), 'key')
  writeFileSync(file, 'first\n')
  const item = await searchHouse(
    t,
    { base64: true, cuts: true, key: 'second' },
    { embeddings_dimensions: 100, embeddings_key_file: file },
  )
  await item.put(...texts)
  await tendSearch(item)
  assert.match(searchStanding(item).provider!.problem!, /401/)
  writeFileSync(file, 'second\n')
  item.clock.at += 10_000
  await tendSearch(item)
  assert.deepEqual(searchSpaces(item)[1], { provider: 'openai', state: 'active', dimensions: 100 })
  assert.equal((await askSearch(item, 'downtime failover')).ids[0], 'outage')
  const other = await searchHouse(
    t,
    { key: 'of the environment' },
    {},
    { WORKSPACE_EMBEDDINGS_KEY: 'of the environment' },
  )
  await tendSearch(other)
  assert.equal(searchStanding(other).provider!.problem, null)
})

test('a redirect is not followed, and no text is sent to its target', async (t) => {
  const redirectTarget = await startReceiver()
  const item = await searchHouse(t, {}, {})
  t.after(() => redirectTarget.close())
  item.server.fault = () => ({
    status: 307,
    headers: { location: `${redirectTarget.url}/v1/embeddings` },
  })
  await item.put(...texts)
  await tendSearch(item)
  assert.match(searchStanding(item).provider!.problem!, /not followed/)
  assert.equal(redirectTarget.received.length, 0)
})
