import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { RerankOutcome } from '../../kernel/meter.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'
import { waitLimitMs } from '../../testing/limits.ts'
import { startReranker, type RerankerServer } from '../../testing/servers/reranker.ts'

const count = 45
let server: RerankerServer
let workspace: TestWorkspace
let outcomes: RerankOutcome[] = []

before(async () => {
  server = await startReranker()
  workspace = await makeValves(waitLimitMs)
})

/** A workspace with tasks about valves, which reranks by the server. `timeoutMs`: for its answers. */
async function makeValves(timeoutMs: number): Promise<TestWorkspace> {
  const workspace = await makeWorkspace({
    settings: {
      rerank_url: server.url,
      outbound_allow: server.opening,
      rerank_timeout: timeoutMs,
    },
  })
  workspace.app.meter = {
    recordCall() {},
    recordRequest() {},
    recordConnectingStep() {},
    recordSsoStep() {},
    recordRerank: (outcome) => void outcomes.push(outcome),
    text: async () => ({ type: 'text/plain', text: '' }),
  }
  const { ann, bob, eve } = workspace
  await ann.call('create_project', { name: 'Harbour', key: 'HAR', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Private', key: 'PRI' })
  await eve.call('create_project', { name: 'Elsewhere', key: 'ELS' })
  for (let i = 0; i < count; i++)
    await ann.call('create_task', {
      project_id: 'HAR',
      title: `Valve ${i}`,
      description_markdown: `The valve of pump ${i} leaks${' valve'.repeat(i % 5)}.`,
    })
  const description_markdown = 'The valve leaks, valve after valve, valve by valve.'
  await ann.call('create_task', {
    project_id: 'PRI',
    title: 'Valve of the secret canary',
    description_markdown,
  })
  await eve.call('create_task', {
    project_id: 'ELS',
    title: 'Valve of the other canary',
    description_markdown,
  })
  await workspace.app.searchEngine.maintain()
  return workspace
}
after(async () => {
  await workspace.close()
  await server.close()
})
beforeEach(() => {
  server.score = (_, text) => Number(/Valve (\d+)/.exec(text)?.[1] ?? -1)
  server.fault = () => undefined
  workspace.clock.pass(600_000) // what was kept is forgotten, and nobody rests
  outcomes = []
})

interface Page {
  items: { item: { title: string }; score: number; snippet: string }[]
  next_cursor?: string
}

async function pages(who: Someone, limit: number, maxPages = 99): Promise<Page['items']> {
  const hits: Page['items'] = []
  let cursor: string | undefined
  for (let n = 0; n < maxPages && (n === 0 || cursor); n++) {
    const page: Page = await who.call('search_workspace', {
      query: 'valve',
      limit,
      ...(cursor ? { cursor } : {}),
    })
    hits.push(...page.items)
    cursor = page.next_cursor
  }
  return hits
}

const numbers = (items: Page['items']) =>
  items.map(({ item }) => Number(/Valve (\d+)/.exec(item.title)?.[1]))

async function plain(who: Someone, { clock } = workspace): Promise<Page['items']> {
  server.fault = () => ({ status: 500 })
  const hits = await pages(who, 100)
  server.fault = () => undefined
  clock.pass(600_000)
  outcomes = []
  return hits
}

test('the top thirty follow the reranker order, and the rest follows unchanged', async () => {
  const baseline = await plain(workspace.bob)
  assert.equal(baseline.length, count)
  const requestCount = server.requests.length
  const hits = await pages(workspace.bob, 100)
  const best = numbers(baseline.slice(0, 30)).sort((a, b) => b - a)
  assert.deepEqual(numbers(hits), [...best, ...numbers(baseline.slice(30))])
  assert.notDeepEqual(numbers(hits), numbers(baseline))
  const scores = hits.map((hit) => hit.score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  assert.ok(
    scores.every((score) => score > 0 && score < 1),
    'never the scores of the server',
  )
  assert.equal(server.requests.length, requestCount + 1)
  const { query, texts } = server.requests.at(-1)!
  assert.deepEqual([query, texts.length], ['valve', 30])
  assert.ok(texts.every((text) => /^Valve \d+\nThe valve of pump \d+ leaks/.test(text)))
  assert.deepEqual(outcomes, ['ok'])
})

test('pages of any size follow the reranked order, and only the first one queries the server', async () => {
  const whole = await pages(workspace.bob, 100)
  const requestCount = server.requests.length
  for (const limit of [7, 20, 30, 44])
    assert.deepEqual(numbers(await pages(workspace.bob, limit)), numbers(whole), `by ${limit}`)
  assert.equal(server.requests.length, requestCount)
})

test('equal scores from the server keep the usual order and its pages', async () => {
  const baseline = await plain(workspace.bob)
  server.score = () => 1
  assert.deepEqual(numbers(await pages(workspace.bob, 8)), numbers(baseline))
})

test('only texts visible to the caller are sent, and scores reveal no others', async () => {
  const hits = await pages(workspace.bob, 100)
  const sent = server.requests.flatMap((request) => request.texts)
  assert.ok(sent.length > 0)
  assert.ok(!sent.some((text) => text.includes('canary')))
  assert.ok(!hits.some((hit) => hit.item.title.includes('canary')))
  await pages(workspace.ann, 100)
  assert.ok(server.requests.at(-1)!.texts.some((text) => text.includes('secret canary')))
  assert.ok(!server.requests.at(-1)!.texts.some((text) => text.includes('other canary')))
})

for (const [what, fault, outcome] of [
  ['broken', { status: 500 }, 'failed'],
  ['talking nonsense', { status: 200, body: '{"results":[{"index":99}]}' }, 'malformed'],
  ['gone', 'close', 'unreachable'],
] as const)
  test(`while the server is ${what}, hits keep the usual order, and the failure is counted`, async () => {
    const baseline = await plain(workspace.bob)
    server.fault = () => fault
    assert.deepEqual(await pages(workspace.bob, 15), baseline)
    assert.deepEqual(outcomes, [outcome])
    server.fault = () => undefined
    await pages(workspace.bob, 15, 1)
    assert.deepEqual(outcomes, [outcome, 'resting'])
  })

test('while the server is slow, hits keep the usual order, and the failure is counted', async (t) => {
  const impatient = await makeValves(50)
  t.after(() => impatient.close())
  const baseline = await plain(impatient.bob, impatient)
  server.fault = () => 'hang'
  assert.deepEqual(await pages(impatient.bob, 15), baseline)
  assert.deepEqual(outcomes, ['timeout'])
  server.fault = () => undefined
  await pages(impatient.bob, 15, 1)
  assert.deepEqual(outcomes, ['timeout', 'resting'])
})

test('single-kind searches by meaning are reranked, those by words are not', async () => {
  const { bob } = workspace
  const search = (mode: string) =>
    bob.call('search_tasks', { query: 'valve', mode, limit: 10 }).then((page) => page.items)
  const requestCount = server.requests.length
  await search('keyword')
  assert.equal(server.requests.length, requestCount)
  const hits = (await search('hybrid')) as { task: { title: string } }[]
  assert.equal(server.requests.length, requestCount + 1)
  const valveNumbers = hits.map((hit) => Number(/Valve (\d+)/.exec(hit.task.title)?.[1]))
  assert.deepEqual(
    valveNumbers,
    valveNumbers.toSorted((a, b) => b - a),
  )
})
