import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseQuery } from './query.ts'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readSettings, type Settings } from '../config/settings.ts'
import {
  startEmbeddings,
  type EmbeddingsOptions,
  type EmbeddingsServer,
} from '../testing/servers/embeddings.ts'
import { startReceiver } from '../testing/servers/receiver.ts'
import { openProvided, type Provided } from '../testing/search-provider.ts'
import type { SearchRequest } from './worker/protocol.ts'
import { describeStatus, searchStatus } from './status.ts'

const texts = [
  { id: 'outage', title: 'Sunday', body: 'The server had an outage of two hours on Sunday.' },
  { id: 'bread', body: 'We bake bread with flour and salt.' },
  { id: 'money', body: 'Invoices are paid within a month.' },
]

interface House extends Provided {
  server: EmbeddingsServer
  clock: { at: number }
  settings: Partial<Settings>
  dir: string
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'provided-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function house(
  t: TestContext,
  of: EmbeddingsOptions = {},
  more: Partial<Settings> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<House> {
  const server = await startEmbeddings(of)
  const dir = folder(t)
  const settings = {
    embeddings_url: server.url,
    embeddings_model: 'test-embed',
    outbound_allow: server.opening,
    ...more,
  }
  const clock = { at: 1_800_000_000_000 }
  const opened = openProvided(dir, settings, () => clock.at, env)
  t.after(async () => {
    await opened.close()
    await server.close()
  })
  return { ...opened, server, clock, settings, dir }
}

async function ask({ engine }: Provided, text: string, mode: SearchRequest['mode'] = 'semantic') {
  const looked = await engine.search({
    query: parseQuery(text),
    mode,
    scope: { containers: ['one'], types: ['page'] },
  })
  const hits = await engine.rank(looked.id, {
    allowed: looked.candidates.map((candidate) => candidate.item_id),
    links: [],
    limit: 10,
  })
  return { model: looked.model, pending: looked.pending, ids: hits.map((hit) => hit.item_id) }
}

const spaces = ({ store }: Provided) =>
  store.raw.read
    .prepare('select provider, state, dimensions from search_spaces order by provider, state')
    .all()
const vectors = ({ store }: Provided) =>
  store.raw.read
    .prepare(
      "select count(distinct v.doc) from search_vectors as v join search_spaces as s on s.id = v.space where s.provider = 'openai'",
    )
    .pluck()
    .get()
const standing = ({ store }: Provided) => searchStatus(store.raw.read)

async function tended({ engine }: Provided) {
  await engine.maintain()
  await engine.maintainProvider()
}

test('the vectors of a provider answer once all texts have theirs, and it says so; until then those of this program do', async (t) => {
  const item = await house(
    t,
    {},
    { embeddings_query_prefix: 'search_query: ', embeddings_document_prefix: 'search_document: ' },
  )
  await item.put(...texts)
  item.server.fault = (_, n) => (n === 2 ? 'hang' : undefined)
  await item.engine.maintain()
  while (item.server.asked.length < 2) await pause(10)
  const before = await ask(item, 'downtime failover')
  assert.deepEqual([before.model, before.ids[0]], ['static-256', 'outage'])
  assert.equal(standing(item).provider!.state, 'building')
  await item.engine.close()
  const again = openProvided(item.dir, item.settings, () => item.clock.at)
  t.after(() => again.close())
  await tended(again)
  const after = await ask(again, 'downtime failover')
  assert.deepEqual([after.model, after.ids[0], after.pending], ['test-embed', 'outage', 0])
  assert.deepEqual(spaces(again), [
    { provider: 'embedded', state: 'active', dimensions: 256 },
    { provider: 'openai', state: 'active', dimensions: 256 },
  ])
  assert.equal(standing(again).answers, 'test-embed')
  const sent = item.server.asked.at(-1)!.input
  assert.equal(sent[1], 'search_query: downtime failover')
  assert.ok(
    item.server.asked.some((request) =>
      request.input.includes(`search_document: Sunday. ${texts[0]!.body}`),
    ),
  )
})

test('a question is sent once, and the texts that change are sent by themselves; one that moves is not', async (t) => {
  const item = await house(t)
  await item.put(...texts)
  await tended(item)
  await ask(item, 'downtime failover')
  const asked = item.server.asked.length
  await ask(item, 'downtime failover')
  assert.equal(item.server.asked.length, asked)
  await item.put({ id: 'bread', body: 'A blackout of the computers.' })
  await tended(item)
  assert.equal(item.server.asked.length, asked + 1)
  assert.equal(item.server.asked.at(-1)!.input.length, 2, 'the probe, and the one text')
  assert.deepEqual((await ask(item, 'downtime failover')).ids.slice(0, 2).sort(), [
    'bread',
    'outage',
  ])
  await item.store.writer.run(
    async () =>
      void item.store.raw.write.exec(
        "update search_docs set container = 'two' where ref = 'outage'",
      ),
  )
  await tended(item)
  assert.deepEqual((await ask(item, 'downtime failover')).ids.includes('outage'), false)
  await item.store.writer.run(
    async () => void item.store.raw.write.exec("delete from search_docs where ref = 'money'"),
  )
  await tended(item)
  assert.equal(item.server.asked.length, asked + 1)
  assert.equal(vectors(item), 2)
})

test('words alone ask no one, and without a provider no search and no text does', async (t) => {
  const item = await house(t)
  await item.put(...texts)
  await tended(item)
  const asked = item.server.asked.length
  await ask(item, 'bread', 'keyword')
  assert.equal(item.server.asked.length, asked)
  assert.equal(readSettings({}, {}).embeddings_url, '')
  const own = openProvided(folder(t), { outbound_allow: item.server.opening })
  t.after(() => own.close())
  await own.put(...texts)
  await tended(own)
  assert.equal((await ask(own, 'downtime failover')).ids[0], 'outage')
  assert.equal(item.server.asked.length, asked)
  assert.deepEqual(own.store.raw.read.prepare('select count(*) from search_todo').pluck().get(), 0)
  assert.match(describeStatus(standing(own)).join(' '), /nothing leaves this machine/)
})

test('a provider that is taken out of the settings leaves nothing behind', async (t) => {
  const item = await house(t)
  await item.put(...texts)
  await tended(item)
  await item.engine.close()
  const own = openProvided(item.dir, {})
  t.after(() => own.close())
  await own.put({ id: 'more', body: 'More of it.' })
  await tended(own)
  assert.deepEqual(spaces(own), [{ provider: 'embedded', state: 'active', dimensions: 256 }])
  assert.deepEqual(
    own.store.raw.read
      .prepare(
        'select (select count(*) from search_todo) + (select count(*) from search_providers)',
      )
      .pluck()
      .get(),
    0,
  )
  assert.equal((await ask(own, 'downtime failover')).model, 'static-256')
})

const failures: [string, EmbeddingsOptions, Partial<Settings>, RegExp][] = [
  ['a wrong key', { key: 'right' }, {}, /does not accept the key \(401\).*--embeddings-key-file/],
  ['an unknown model', { model: 'other' }, {}, /no model “test-embed”.*ollama pull test-embed/],
  [
    'a size that the model has not',
    {},
    { embeddings_dimensions: 64 },
    /did not accept the request \(400\).*--embeddings-dimensions/,
  ],
  [
    'an address that was not opened',
    {},
    { outbound_allow: '' },
    /could not be reached.*--outbound-allow/,
  ],
  [
    'an answer that never comes',
    {},
    { embeddings_timeout: 1, embeddings_model: 'hang' },
    /could not be reached or timed out/,
  ],
  ['a connection that breaks off', {}, { embeddings_model: 'close' }, /could not be reached/],
  [
    'an answer that is no JSON',
    {},
    { embeddings_model: 'words' },
    /not a list of vectors: it is not JSON/,
  ],
  ['too few vectors', {}, { embeddings_model: 'few' }, /0 for \d+ texts/],
  [
    'a key file that is not there',
    {},
    { embeddings_key_file: '/nowhere/key' },
    /could not be read from \/nowhere\/key \(ENOENT\)/,
  ],
]

test(`${failures.length} failures are told in words, no one asks again at once, and search answers meanwhile`, async (t) => {
  for (const [what, of, more, words] of failures) {
    await t.test(what, async (inner) => {
      const item = await house(inner, of, more)
      const bodies: Record<string, { status: number; body: string }> = {
        words: { status: 200, body: 'hello' },
        few: { status: 200, body: '{"data":[]}' },
      }
      item.server.fault = ({ model }) =>
        model === 'hang' || model === 'close' ? model : bodies[model]
      await item.put(...texts)
      await tended(item)
      const { state, problem, retry_at } = standing(item).provider!
      assert.equal(state, 'away')
      assert.match(problem!, words)
      assert.doesNotMatch(problem!, /outage|right/)
      assert.ok(retry_at! > item.clock.at)
      const asked = item.server.asked.length
      await tended(item)
      const found = await ask(item, 'downtime failover')
      assert.deepEqual([found.model, found.ids[0]], ['static-256', 'outage'])
      assert.equal(item.server.asked.length, asked)
      assert.match(describeStatus(standing(item)).join('\n'), words)
    })
  }
})

test('a pause that the server asks for is kept, and after it the work goes on where it was', async (t) => {
  const item = await house(t, {}, { embeddings_batch: 1 })
  await item.put(...texts)
  item.server.fault = (_, n) => {
    if (n === 3) return { status: 429, headers: { 'retry-after': '120' } }
    return n === 4 ? { status: 500 } : undefined
  }
  await tended(item)
  assert.deepEqual([vectors(item), standing(item).provider!.done], [1, 1])
  assert.ok(standing(item).provider!.retry_at! >= item.clock.at + 120_000)
  item.clock.at += 119_000
  await tended(item)
  assert.equal(item.server.asked.length, 3)
  item.clock.at += 2_000
  await tended(item)
  assert.match(standing(item).provider!.problem!, /failed \(500\)/)
  item.clock.at += 60_000
  await tended(item)
  assert.deepEqual(
    [vectors(item), standing(item).provider!.state, standing(item).provider!.problem],
    [3, 'ready', null],
  )
  const sent = item.server.asked
    .flatMap((request) => request.input.slice(1))
    .filter((text) => text.includes('bread'))
  assert.ok(sent.length <= 3)
})

test('a provider that goes away between questions is replaced by the vectors of this program, at once and without a word to it', async (t) => {
  const item = await house(t, {}, { embeddings_query_timeout: 200 })
  await item.put(...texts)
  await tended(item)
  assert.equal((await ask(item, 'flour')).model, 'test-embed')
  item.server.fault = () => 'hang'
  assert.equal((await ask(item, 'downtime failover')).model, 'static-256') // the provider never answers
  const asked = item.server.asked.length
  assert.equal((await ask(item, 'downtime failover')).model, 'static-256')
  assert.equal(item.server.asked.length, asked)
  item.server.fault = () => undefined
  item.clock.at += 16_000
  assert.equal((await ask(item, 'downtime failover')).model, 'test-embed')
})

test('another model under the same name is noticed by the next question or text; its space is made beside, and no vectors are mixed', async (t) => {
  const item = await house(t)
  await item.put(...texts)
  await tended(item)
  const first = item.store.raw.read
    .prepare("select id from search_spaces where provider = 'openai'")
    .pluck()
    .get()
  item.server.change()
  assert.equal((await ask(item, 'downtime failover')).model, 'static-256')
  await tended(item)
  const second = item.store.raw.read
    .prepare("select id from search_spaces where provider = 'openai'")
    .pluck()
    .all()
  assert.equal(second.length, 1)
  assert.notEqual(second[0], first)
  assert.deepEqual(
    [(await ask(item, 'downtime failover')).model, (await ask(item, 'downtime failover')).ids[0]],
    ['test-embed', 'outage'],
  )
  item.server.change({ dimensions: 128 })
  await item.put({ id: 'new', body: 'A blackout of the computers.' })
  await tended(item)
  assert.deepEqual(spaces(item)[1], { provider: 'openai', state: 'active', dimensions: 128 })
  assert.equal(vectors(item), 4)
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

test('a model that changes while its space is made begins it anew; one that changes with each request is told', async (t) => {
  const item = await house(t, {}, { embeddings_batch: 1 })
  await item.put(...texts)
  item.server.fault = (_, n) => void (n === 3 && item.server.change())
  await tended(item)
  assert.deepEqual([vectors(item), standing(item).provider!.state], [3, 'ready'])
  const other = await house(t, {}, { embeddings_batch: 1 })
  await other.put(...texts)
  other.server.fault = () => other.server.change() as undefined
  await tended(other)
  assert.match(standing(other).provider!.problem!, /answers with changing models/)
})

test('a server that takes fewer texts at once, or shorter ones, gets fewer and shorter ones', async (t) => {
  const item = await house(t, { most: 9, longest: 60 }, { embeddings_batch: 64 })
  await item.put(
    ...Array.from({ length: 40 }, (_, i) => ({
      id: `p${i}`,
      body: `Note ${i} about bread and flour.`,
    })),
    { id: 'long', body: Array.from({ length: 75 }, (_, i) => `word${i}`).join(' ') },
  )
  await tended(item)
  assert.deepEqual([vectors(item), standing(item).provider!.state], [41, 'ready'])
  assert.ok(item.server.asked.slice(-2).every((request) => request.input.length <= 9))
})

test('vectors in base64, of fewer dimensions, with a key of a file that changed or of the environment are taken', async (t) => {
  const file = join(folder(t), 'key')
  writeFileSync(file, 'first\n')
  const item = await house(
    t,
    { base64: true, cuts: true, key: 'second' },
    { embeddings_dimensions: 100, embeddings_key_file: file },
  )
  await item.put(...texts)
  await tended(item)
  assert.match(standing(item).provider!.problem!, /401/)
  writeFileSync(file, 'second\n')
  item.clock.at += 10_000
  await tended(item)
  assert.deepEqual(spaces(item)[1], { provider: 'openai', state: 'active', dimensions: 100 })
  assert.equal((await ask(item, 'downtime failover')).ids[0], 'outage')
  const other = await house(
    t,
    { key: 'of the environment' },
    {},
    { WORKSPACE_EMBEDDINGS_KEY: 'of the environment' },
  )
  await tended(other)
  assert.equal(standing(other).provider!.problem, null)
})

test('a redirect is not followed, and no text goes where it leads', async (t) => {
  const elsewhere = await startReceiver()
  const item = await house(t, {}, {})
  t.after(() => elsewhere.close())
  item.server.fault = () => ({
    status: 307,
    headers: { location: `${elsewhere.url}/v1/embeddings` },
  })
  await item.put(...texts)
  await tended(item)
  assert.match(standing(item).provider!.problem!, /not followed/)
  assert.equal(elsewhere.received.length, 0)
})

const program = fileURLToPath(new URL('../testing/search-provider.ts', import.meta.url))

test('kill -9 while a space is made, again and again: what was made is kept, and in the end it is complete and answers', {
  timeout: 100_000,
}, async (t) => {
  const item = await house(t, {}, { embeddings_batch: 8 })
  const many = Array.from({ length: 480 }, (_, i) => ({
    id: `p${i}`,
    body: i % 7 === 0 ? `Outage ${i} of a server.` : `Bread number ${i} with flour and salt.`,
  }))
  await item.put(...many)
  await item.engine.maintain()
  await item.close()
  item.server.fault = () => undefined
  let before = 0
  let kills = 0
  for (let isDone = false; !isDone; ) {
    const child = spawn(process.execPath, [program, item.dir, JSON.stringify(item.settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const gone = new Promise((go) => child.once('exit', go))
    const done = new Promise<boolean>((go) => child.stdout.once('data', () => go(true)))
    const from = item.server.asked.length
    let isOver = false
    const late = (async () => {
      while (!isOver && item.server.asked.length < from + 9) await pause(2)
      return false
    })()
    isDone = await Promise.race([done, late])
    isOver = true // a wait that went on would keep this process
    child.kill('SIGKILL')
    await gone
    kills++
    const look = openProvided(item.dir, {})
    const kept = vectors(look) as number
    const { state } = standing(look).provider!
    assert.deepEqual(look.store.raw.read.prepare('pragma integrity_check').pluck().get(), 'ok')
    await look.store.close()
    assert.ok(kept >= before, 'nothing that was kept is lost')
    assert.ok(kept > before || isDone || state === 'ready', 'each life brings it on')
    before = kept
    if (kills > 12) break
  }
  const sent = item.server.asked.flatMap((request) => request.input.slice(1)).length
  assert.ok(sent < 480 + kills * 24, `${sent} texts were sent for 480`)
  const end = openProvided(item.dir, item.settings)
  t.after(() => end.close())
  await tended(end)
  assert.deepEqual(
    [vectors(end), standing(end).provider!.state, standing(end).provider!.due],
    [480, 'ready', 0],
  )
  assert.equal((await ask(end, 'downtime failover')).model, 'test-embed')
  assert.ok(kills > 2)
})

test('kill -9 while one space takes the place of another: exactly one answers, and it is whole', {
  timeout: 100_000,
}, async (t) => {
  const item = await house(t)
  await item.put(
    ...Array.from({ length: 60 }, (_, i) => ({
      id: `p${i}`,
      body: `Bread number ${i} with flour and salt.`,
    })),
  )
  await tended(item)
  await item.close()
  for (let round = 0; round < 4; round++) {
    item.server.change()
    const from = item.server.asked.length
    const child = spawn(process.execPath, [program, item.dir, JSON.stringify(item.settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const gone = new Promise((go) => child.once('exit', go))
    while (item.server.asked.length < from + 2) await pause(1) // the probe, and the last texts: then it switches
    await pause(round * 4)
    child.kill('SIGKILL')
    await gone
    const look = openProvided(item.dir, {})
    const active = look.store.raw.read
      .prepare(
        "select s.id, count(distinct v.doc) as docs from search_spaces as s join search_vectors as v on v.space = s.id where s.provider = 'openai' and s.state = 'active' group by s.id",
      )
      .all() as { docs: number }[]
    await look.store.close()
    assert.deepEqual(
      active.map((space) => space.docs),
      [60],
    )
  }
  const end = openProvided(item.dir, item.settings)
  t.after(() => end.close())
  await tended(end)
  assert.deepEqual(spaces(end), [
    { provider: 'embedded', state: 'active', dimensions: 256 },
    { provider: 'openai', state: 'active', dimensions: 256 },
  ])
  assert.equal(vectors(end), 60)
})
