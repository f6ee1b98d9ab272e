import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { newId } from '../kernel/ids.ts'
import { openStore, type Store } from '../db/open.ts'
import { SearchUnavailable, SearchEngine } from './engine.ts'
import { SearchIndex } from './index.ts'
import { parseQuery } from './query.ts'
import type { Link, SearchRequest } from './worker/protocol.ts'

const org = newId<'orgs'>('org', 1)

interface Text {
  id: string
  title?: string
  body: string
  container?: string
  type?: string
  at?: number
}

async function openEngine(t: TestContext): Promise<{
  store: Store
  engine: SearchEngine
  putTexts(...texts: Text[]): Promise<void>
  removeText(id: string): Promise<void>
}> {
  const dir = mkdtempSync(join(tmpdir(), 'search-'))
  const store = openStore(dir)
  const engine = new SearchEngine(store, () => 1_800_000_000_000)
  const index = new SearchIndex()
  t.after(async () => {
    await engine.close()
    await store.close()
    rmSync(dir, { recursive: true })
  })
  store.raw.write
    .prepare(
      "insert into orgs (id, name, default_timezone, work_week_json, holidays_json, severity_scale_json, deal_stages_json, trash_days, revision, created_at, updated_at) values (?, 'A', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
    )
    .run(org)
  return {
    store,
    engine,
    putTexts: (...texts) =>
      store.writer.run(async () => {
        for (const { id, title = '', body, container = 'one', type = 'page', at = 1 } of texts)
          await index.put(store.write, id, org, {
            title,
            body,
            container,
            part: 'item',
            item_id: id,
            item_type: type,
            at,
          })
      }),
    removeText: (id) => store.writer.run(() => index.remove(store.write, id)),
  }
}

const scope = (containers: string[] | null = ['one'], types = ['page']) => ({ containers, types })

async function runSearch(
  engine: SearchEngine,
  { text, ...request }: Partial<SearchRequest> & { text: string },
  links: Link[] = [],
  allowed?: string[],
) {
  const searched = await engine.search({
    query: parseQuery(text),
    mode: 'hybrid',
    scope: scope(),
    ...request,
  })
  const all = allowed ?? [
    ...searched.candidates.map((candidate) => candidate.item_id),
    ...searched.mentions.map((mention) => mention.to),
    ...links.map((link) => link.to),
  ]
  return {
    looked: searched,
    ...(await engine.rank(searched.id, {
      allowed: all,
      links: [...searched.mentions, ...links],
      limit: 20,
    })),
  }
}

test('texts with the same meaning are found without a common word', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts(
    { id: 'a', body: 'The server had an outage of two hours on Sunday.' },
    { id: 'b', body: 'We bake bread with flour and salt.' },
    { id: 'c', body: 'Invoices are paid within a month.' },
  )
  await engine.maintain()
  const { looked, hits } = await runSearch(engine, { text: 'downtime failover' })
  assert.equal(looked.byMeaning, true)
  assert.equal(hits[0]!.item_id, 'a')
  assert.deepEqual(hits[0]!.foundBy, ['vector'])
  const words = await runSearch(engine, { text: 'downtime failover', mode: 'keyword' })
  assert.deepEqual(words.hits, [])
})

test('words are found before any vector exists, and pending work is reported', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts({ id: 'a', title: 'Valves', body: 'The vent valve opens too late.' })
  const { looked, hits } = await runSearch(engine, { text: 'vent valve' })
  assert.deepEqual([looked.byMeaning, looked.pending], [false, 1])
  assert.deepEqual(
    hits.map((hit) => [hit.item_id, hit.foundBy]),
    [['a', ['keyword']]],
  )
  assert.deepEqual(
    hits[0]!.ranges.map(([at, length]) => hits[0]!.snippet.slice(at, at + length)),
    ['vent', 'valve'],
  )
  await engine.maintain()
  assert.equal((await runSearch(engine, { text: 'vent valve' })).looked.pending, 0)
})

test('only texts of the requested containers and types are returned, by words or by meaning', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts(
    { id: 'a', body: 'The canary word zanzibar.', container: 'two' },
    { id: 'b', body: 'The canary word zanzibar.', type: 'task' },
    { id: 'c', body: 'Nothing here.' },
  )
  await engine.maintain()
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
    const { hits } = await runSearch(engine, { text: 'canary zanzibar', mode })
    assert.ok(
      hits.every((hit) => hit.item_id === 'c'),
      mode,
    )
  }
  assert.deepEqual(
    (
      await runSearch(engine, { text: 'zanzibar', scope: scope(['one', 'two'], ['page', 'task']) })
    ).hits
      .map((hit) => hit.item_id)
      .sort()
      .slice(0, 2),
    ['a', 'b'],
  )
})

test('an item invisible to the caller contributes nothing and is not shown, even if its container was given', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts(
    { id: 'secret', title: 'Kestrel Plan', body: 'The kestrel plan of the board.' },
    { id: 'open', body: 'Something else entirely, about bread.' },
  )
  await engine.maintain()
  const link = { from: 'secret', to: 'open', kind: 'reply', weight: 1 }
  const all = await runSearch(engine, { text: 'kestrel plan board' }, [link], ['secret', 'open'])
  assert.ok(all.hits.find((hit) => hit.item_id === 'open')!.foundBy.includes('graph'))
  const partial = await runSearch(engine, { text: 'kestrel plan board' }, [link], ['open'])
  assert.deepEqual(
    partial.hits.filter((hit) => hit.item_id === 'secret' || hit.foundBy.includes('graph')),
    [],
  )
})

test('a changed, moved or deleted text is found in its current state', async (t) => {
  const { engine, store, putTexts, removeText } = await openEngine(t)
  await putTexts({ id: 'a', body: 'Bread and flour.' }, { id: 'b', body: 'A cat sleeps.' })
  await engine.maintain()
  await putTexts({ id: 'a', body: 'An outage of the server.' })
  await engine.maintain()
  assert.equal(
    (await runSearch(engine, { text: 'downtime', mode: 'semantic' })).hits[0]!.item_id,
    'a',
  )
  await store.writer.run(() => new SearchIndex().moveToContainer(store.write, 'a', 'two'))
  assert.ok(
    (await runSearch(engine, { text: 'downtime', mode: 'semantic' })).hits.every(
      (hit) => hit.item_id !== 'a',
    ),
    'the text was moved, its vector not yet',
  )
  await engine.maintain()
  assert.equal(
    (await runSearch(engine, { text: 'downtime', mode: 'semantic', scope: scope(['two']) }))
      .hits[0]!.item_id,
    'a',
  )
  await removeText('a')
  assert.deepEqual(
    (await runSearch(engine, { text: 'downtime', mode: 'semantic', scope: scope(['two']) })).hits,
    [],
    'the text was deleted, its vector not yet',
  )
  await engine.maintain()
  assert.equal(store.raw.read.prepare('select count(*) from search_vectors').pluck().get(), 1)
})

test('a title mentioned in another text brings up its item', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts(
    { id: 'note', body: 'The budget for boats was cut, as agreed in the Winter Summit.' },
    { id: 'summit', title: 'Winter Summit', body: 'Held in Lugano with seven people.' },
    { id: 'c', body: 'Bread and flour.' },
  )
  await engine.maintain()
  const { hits } = await runSearch(engine, { text: 'budget boats cut' })
  assert.deepEqual(
    hits.slice(0, 2).map((hit) => hit.item_id),
    ['note', 'summit'],
  )
  assert.deepEqual(hits[1]!.via, [{ from: 'note', kind: 'mention' }])
})

test('a space built from workspace texts knows their names, and replaces the previous one as a whole', async (t) => {
  const { engine, store, putTexts } = await openEngine(t)
  const texts = Array.from({ length: 60 }, (_, i) => ({
    id: `p${i}`,
    body:
      i % 3 === 0
        ? `The zorblat ${i} failed: outage, downtime of the server.`
        : `Bread number ${i} with flour and salt, baked at noon.`,
  }))
  await putTexts(...texts)
  await engine.maintain()
  const before = store.raw.read
    .prepare("select id from search_spaces where state = 'active'")
    .pluck()
    .all()
  const { passages } = await engine.rebuild()
  const after = store.raw.read
    .prepare("select id from search_spaces where state = 'active'")
    .pluck()
    .all()
  assert.equal(passages, 60)
  assert.equal(after.length, 1)
  assert.notDeepEqual(after, before)
  assert.deepEqual(
    store.raw.read.prepare('select distinct space from search_vectors').pluck().all(),
    after,
  )
  const { hits } = await runSearch(engine, { text: 'zorblat', mode: 'semantic' })
  assert.ok(hits.slice(0, 10).every((hit) => Number(hit.item_id.slice(1)) % 3 === 0))
})

test('a search without links is ranked in one round trip, with the same hits and scores as two', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts(
    { id: 'a', title: 'Vent valve', body: 'The vent valve opens too late.' },
    { id: 'b', body: 'A valve was ordered for the other pump.' },
    { id: 'c', body: 'Bread and flour.' },
  )
  await engine.maintain()
  const request = { query: parseQuery('vent valve'), mode: 'hybrid', scope: scope() } as const
  const twoSteps = await runSearch(engine, { text: 'vent valve', links: false })
  const oneStep = await engine.search({ ...request, links: false, ranked: { limit: 20 } })
  assert.deepEqual(oneStep.ranked, { hits: twoSteps.hits, countByType: twoSteps.countByType })
  assert.deepEqual(twoSteps.countByType, { page: 2 })
  assert.deepEqual(
    (await engine.rank(oneStep.id, { allowed: ['a'], links: [], limit: 20 })).hits,
    [],
  )
  const narrowed = await engine.search({
    ...request,
    links: false,
    ranked: { limit: 20, allowed: ['b'], page: { limit: 1 } },
  })
  assert.deepEqual(
    narrowed.ranked?.hits,
    twoSteps.hits.filter((hit) => hit.item_id === 'b'),
  )
})

test('pending searches are rejected when the engine closes, and later ones are not sent', async (t) => {
  const { engine, putTexts } = await openEngine(t)
  await putTexts({ id: 'a', body: 'The vent valve opens too late.' })
  const rejection = assert.rejects(
    engine.search({ query: parseQuery('valve'), mode: 'hybrid', scope: scope() }),
    SearchUnavailable,
  )
  await engine.close()
  await rejection
  await assert.rejects(
    engine.search({ query: parseQuery('valve'), mode: 'hybrid', scope: scope() }),
    SearchUnavailable,
  )
})

test('word rarity depends only on texts of the same organization', async (t) => {
  const { engine, putTexts, store } = await openEngine(t)
  const other = newId<'orgs'>('org', 2)
  store.raw.write
    .prepare(
      "insert into orgs (id, name, default_timezone, work_week_json, holidays_json, severity_scale_json, deal_stages_json, trash_days, revision, created_at, updated_at) values (?, 'B', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
    )
    .run(other)
  await putTexts(
    { id: 'a', body: 'the gasket of the pump' },
    { id: 'b', body: 'the flange of the pump and the gasket' },
    { id: 'c', body: 'the flange of the tank' },
    { id: 'd', body: 'a tank' },
    { id: 'e', body: 'a boiler' },
  )
  await engine.maintain()
  const scores = async () => {
    const { hits } = await runSearch(engine, {
      text: 'gasket flange',
      mode: 'keyword',
      organization: org,
    })
    return hits.map((hit) => [hit.item_id, hit.score, hit.why])
  }
  const before = await scores()
  assert.equal(before.length, 3)
  await store.writer.run(async () => {
    for (let i = 0; i < 50; i++)
      await new SearchIndex().put(store.write, `o${i}`, other, {
        title: 'Gasket',
        body: 'the gasket '.repeat(i),
        container: 'two',
        part: 'item',
        item_id: `o${i}`,
        item_type: 'page',
        at: 1,
      })
  })
  assert.deepEqual(await scores(), before) // before the vectors are computed
  await engine.maintain()
  assert.deepEqual(await scores(), before)
})

test('a moved text is found in its new container and not in the old one, even before its vectors are updated', async (t) => {
  const { engine, putTexts, store } = await openEngine(t)
  await putTexts({ id: 'a', body: 'a gasket' }, { id: 'b', body: 'a boiler' })
  await engine.maintain()
  const findIn = async (container: string) =>
    (await runSearch(engine, { text: 'gasket', scope: scope([container]) })).hits.map(
      (h) => h.item_id,
    )
  assert.deepEqual([await findIn('one'), await findIn('two')], [['a'], []])
  await store.writer.run(() => new SearchIndex().moveToContainer(store.write, 'a', 'two'))
  assert.deepEqual([await findIn('one'), await findIn('two')], [[], ['a']])
})
