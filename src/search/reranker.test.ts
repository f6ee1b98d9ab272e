import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readSettings, type Settings } from '../config/settings.ts'
import type { RerankOutcome } from '../kernel/meter.ts'
import { checkReranking } from '../ops/doctor/search.ts'
import { parseAllowedDestinations } from '../outbound/allow.ts'
import { Outbound } from '../outbound/outbound.ts'
import { startReranker, type RerankFault } from '../testing/servers/reranker.ts'
import { rerankerOf, type Reranker } from './reranker.ts'

const passages = ['It rains.', 'The key is under the mat.', 'A key.']

interface RerankerSetup {
  reranker: Reranker
  outcomes: RerankOutcome[]
  clock: { at: number }
}

function createReranker(more: Partial<Settings>, env: NodeJS.ProcessEnv = {}): RerankerSetup {
  const settings = { ...readSettings({}, {}), rerank_timeout: 2000, ...more }
  const outbound = new Outbound({
    enabled: settings.outbound,
    openings: parseAllowedDestinations(settings.outbound_allow)!,
    resolve: async () => [],
    ownAddresses: () => [],
    logFailure: () => {},
  })
  const outcomes: RerankOutcome[] = []
  const clock = { at: 1_800_000_000_000 }
  const tell = (outcome: RerankOutcome) => void outcomes.push(outcome)
  const reranker = rerankerOf(settings, outbound, () => clock.at, { tell, env })!
  return { reranker, outcomes, clock }
}

async function startServer(t: TestContext, ...args: Parameters<typeof startReranker>) {
  const started = await startReranker(...args)
  t.after(() => started.close())
  started.score = (_, text) => text.length / 10
  return started
}

for (const kind of ['cohere', 'jina', 'llama.cpp', 'vllm', 'tei'] as const)
  test(`scores from a server like ${kind} are returned in passage order`, async (t) => {
    const { url, opening, requests } = await startServer(t, kind)
    const { reranker, outcomes } = createReranker({ rerank_url: url, outbound_allow: opening })
    assert.deepEqual(await reranker.scores('where is the key', passages, true), [0.9, 2.5, 0.6])
    assert.deepEqual(requests[0]!.texts, passages)
    assert.deepEqual(outcomes, ['ok'])
  })

test('an address is accepted with or without version and slash, and unchanged with /rerank', async (t) => {
  const { url, opening, requests } = await startServer(t, 'jina')
  const base = url.replace('/v1', '')
  for (const rerank_url of [base, `${base}/`, `${base}/v1/`, `${base}/v1/rerank`]) {
    const { reranker } = createReranker({ rerank_url, outbound_allow: opening })
    assert.ok(await reranker.scores('key', passages, true), rerank_url)
  }
  assert.ok(requests.every((request) => request.path === '/v1/rerank'))
})

test('key and model are sent: the key from its file, read each time, or from the environment', async (t) => {
  const started = await startServer(t, 'vllm', { key: 'sesame', model: 'bge' })
  const dir = mkdtempSync(join(tmpdir(), 'rerank-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'key')
  const settings = { rerank_url: started.url, outbound_allow: started.opening, rerank_model: 'bge' }
  const fromFile = createReranker({ ...settings, rerank_key_file: file })
  assert.equal(await fromFile.reranker.scores('key', passages, true), undefined)
  writeFileSync(file, 'sesame\n')
  fromFile.clock.at += 60_000
  assert.ok(await fromFile.reranker.scores('key', passages, true))
  assert.deepEqual(fromFile.outcomes, ['refused', 'ok'])
  const fromEnv = createReranker(settings, { WORKSPACE_RERANK_KEY: 'sesame' })
  assert.ok(await fromEnv.reranker.scores('key', passages, true))
  const other = createReranker(
    { ...settings, rerank_model: 'other' },
    { WORKSPACE_RERANK_KEY: 'sesame' },
  )
  assert.equal(await other.reranker.scores('key', passages, true), undefined)
  assert.deepEqual(other.outcomes, ['refused'])
})

const results = (...list: object[]) => ({ status: 200, body: JSON.stringify({ results: list }) })
const faults: [string, RerankFault, RerankOutcome][] = [
  ['fails', { status: 500 }, 'failed'],
  ['asks to slow down', { status: 429 }, 'failed'],
  ['rejects every request', { status: 400 }, 'refused'],
  ['hangs', 'hang', 'timeout'],
  ['closes the connection', 'close', 'unreachable'],
  ['is slow', { status: 200, after: 400 }, 'timeout'],
  ['returns no JSON', { status: 200, body: '<html>' }, 'malformed'],
  ['returns null', { status: 200, body: 'null' }, 'malformed'],
  ['returns another object', { status: 200, body: '{"results":{}}' }, 'malformed'],
  ['returns too few scores', results({ index: 0, relevance_score: 1 }), 'malformed'],
  [
    'scores a passage twice',
    results(...[0, 1, 1].map((index) => ({ index, relevance_score: 1 }))),
    'malformed',
  ],
  [
    'scores a passage that was not sent',
    results(...[0, 1, 7].map((index) => ({ index, relevance_score: 1 }))),
    'malformed',
  ],
  [
    'returns scores that are not numbers',
    results(...[0, 1, 2].map((index) => ({ index, relevance_score: 'high' }))),
    'malformed',
  ],
  ['sends too long a response', { status: 200, body: `[${'1,'.repeat(600_000)}1]` }, 'malformed'],
]
for (const [misbehavior, fault, outcome] of faults)
  test(`a server that ${misbehavior} yields no scores, is reported, and is not queried for a while`, async (t) => {
    const started = await startServer(t)
    started.fault = () => fault
    const { reranker, outcomes, clock } = createReranker({
      rerank_url: started.url,
      outbound_allow: started.opening,
      rerank_timeout: outcome === 'timeout' ? 150 : 5000,
    })
    assert.equal(await reranker.scores('key', passages, true), undefined)
    assert.equal(await reranker.scores('key', passages, true), undefined)
    assert.deepEqual(outcomes, [outcome, 'resting'])
    assert.equal(started.requests.length, 1)
    started.fault = () => undefined
    clock.at += 60_000
    assert.ok(await reranker.scores('key', passages, true))
  })

test('an internal host is not contacted without --outbound-allow, and no host with --outbound no', async (t) => {
  const started = await startServer(t)
  for (const more of [{}, { outbound_allow: started.opening, outbound: false }]) {
    const { reranker, outcomes } = createReranker({ rerank_url: started.url, ...more })
    assert.equal(await reranker.scores('key', passages, true), undefined)
    assert.deepEqual(outcomes, ['unreachable'])
  }
  assert.equal(started.requests.length, 0)
})

test('the same query is sent once, and later pages send nothing', async (t) => {
  const started = await startServer(t)
  const { reranker, clock } = createReranker({
    rerank_url: started.url,
    outbound_allow: started.opening,
  })
  assert.equal(await reranker.scores('key', passages, false), undefined)
  assert.equal(started.requests.length, 0)
  const first = await reranker.scores('key', passages, true)
  assert.deepEqual(await reranker.scores('key', passages, false), first)
  assert.deepEqual(await reranker.scores('key', passages, true), first)
  assert.equal(started.requests.length, 1)
  clock.at += 600_000
  await reranker.scores('key', passages, true)
  assert.equal(started.requests.length, 2)
})

test('the doctor reports a working, slow or failing server', async (t) => {
  const started = await startServer(t)
  const settings = { rerank_url: started.url, outbound_allow: started.opening }
  const findingsOf = async (reranker: Reranker | undefined, within: number) =>
    (await checkReranking(reranker, within)).map(({ state, says }) => `${state} ${says}`)
  assert.deepEqual(await findingsOf(undefined, 150), [])
  assert.match(
    (await findingsOf(createReranker(settings).reranker, 5000))[0]!,
    /^ok The reranker answered within/,
  )
  started.fault = () => ({ status: 200, after: 60 })
  assert.match(
    (await findingsOf(createReranker(settings).reranker, 20))[0]!,
    /^warn The reranker took \d+ ms .* waits 20/,
  )
  started.fault = () => ({ status: 401 })
  assert.match(
    (await findingsOf(createReranker(settings).reranker, 150))[0]!,
    /^warn .* does not accept the key \(401\)/,
  )
  const notAllowed = createReranker({ rerank_url: started.url })
  assert.match((await findingsOf(notAllowed.reranker, 150))[0]!, /^warn .* needs --outbound-allow/)
})
