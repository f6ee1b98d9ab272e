import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { byStage, forecastOf, dealOutcomeOf } from './pipeline-sums.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const summary = (more: Record<string, unknown> = {}, who: Someone = workspace.ann) =>
  who.call('get_pipeline_summary', more)

test('a workspace without deals has stages and no win rate', async () => {
  const pipeline = await summary()
  assert.deepEqual(
    pipeline.stages.map((stage: any) => [stage.stage, stage.weight, stage.count, stage.value]),
    [
      ['Lead', 0.2, 0, {}],
      ['Qualified', 0.4, 0, {}],
      ['Proposal', 0.6, 0, {}],
      ['Negotiation', 0.8, 0, {}],
    ],
  )
  assert.deepEqual(
    [
      pipeline.forecast,
      pipeline.stalled,
      pipeline.won,
      pipeline.win_rate,
      pipeline.average_cycle_days,
    ],
    [{}, [], { count: 0, value: {} }, undefined, undefined],
  )
  assert.deepEqual([pipeline.from, pipeline.to], ['2026-08-23', '2026-11-20'])
})

test('counts, values, forecast, stalled deals, win rate and cycle match manual calculation, separately per currency', async () => {
  const { ann, bob, clock } = workspace
  const createDeal = async (more: Record<string, unknown>) =>
    (await ann.call('create_deal', { name: 'd', ...more })).id as string
  const closeDeal = (deal_id: string, status: string) =>
    ann.call('update_deal', { deal_id, status, ...(status === 'lost' ? { lost_reason: 'x' } : {}) })
  const oldDeals = [
    await createDeal({ amount: 300 }),
    await createDeal({ amount: 50 }),
    await createDeal({ amount: 5 }),
  ] // closed after 10, 20 and 100 days
  const stalled = await createDeal({
    stage: 'Qualified',
    amount: 1000,
    expected_close_on: '2026-11-25',
  })
  clock.pass(10 * dayLong)
  await closeDeal(oldDeals[0]!, 'won')
  clock.pass(10 * dayLong)
  await closeDeal(oldDeals[1]!, 'won')
  clock.pass(80 * dayLong) // 28 February 2027
  await closeDeal(oldDeals[2]!, 'lost')
  const usdDeal = await createDeal({ amount: 700, currency: 'USD', owner_id: bob.id })
  await closeDeal(usdDeal, 'won') // at once
  await createDeal({ stage: 'Negotiation', amount: 100.1, expected_close_on: '2027-03-15' })
  await createDeal({
    stage: 'Negotiation',
    amount: 200.2,
    expected_close_on: '2027-03-31',
    owner_id: bob.id,
  })
  await createDeal({
    stage: 'Proposal',
    amount: 40,
    currency: 'USD',
    expected_close_on: '2027-03-01',
  })
  await createDeal({ stage: 'Proposal' })
  const pipeline = await summary()
  assert.deepEqual(
    pipeline.stages.map(({ stage, count, value, weighted }: any) => [
      stage,
      count,
      value,
      weighted,
    ]),
    [
      ['Lead', 0, {}, {}],
      ['Qualified', 1, { EUR: 1000 }, { EUR: 400 }],
      ['Proposal', 2, { USD: 40 }, { USD: 24 }],
      ['Negotiation', 2, { EUR: 300.3 }, { EUR: 240.24 }],
    ],
  )
  assert.deepEqual(pipeline.forecast, {
    '2027-03': { count: 3, value: { EUR: 300.3, USD: 40 }, weighted: { EUR: 240.24, USD: 24 } },
    overdue: { count: 1, value: { EUR: 1000 }, weighted: { EUR: 400 } },
    undated: { count: 1, value: {}, weighted: {} },
  })
  assert.deepEqual(
    [pipeline.stalled.map((item: any) => [item.id, item.stale_days]), pipeline.stalled_count],
    [[[stalled, 100]], 1],
  )
  assert.deepEqual([pipeline.from, pipeline.to], ['2026-12-01', '2027-02-28'])
  assert.deepEqual(
    [pipeline.won, pipeline.lost],
    [
      { count: 2, value: { EUR: 50, USD: 700 } },
      { count: 1, value: { EUR: 5 } },
    ],
  )
  assert.deepEqual([pipeline.win_rate, pipeline.average_cycle_days], [0.667, 10])
  const all = await summary({ from: '2026-01-01' })
  assert.deepEqual(
    [all.won, all.win_rate, all.average_cycle_days],
    [{ count: 3, value: { EUR: 350, USD: 700 } }, 0.75, 10],
  )
  const ownPipeline = await summary({ owner_id: bob.id, from: '2027-02-28', to: '2027-02-28' })
  assert.deepEqual(
    [
      ownPipeline.won,
      ownPipeline.win_rate,
      ownPipeline.average_cycle_days,
      ownPipeline.stages[3].count,
      ownPipeline.stalled_count,
    ],
    [{ count: 1, value: { USD: 700 } }, 1, 0, 1, 0],
  )
  assert.deepEqual(
    (await summary({ to: '2026-11-30' })).won,
    { count: 1, value: { EUR: 300 } },
    'the second was won on 10 December',
  )
})

test('days start and end in the caller’s time zone', async () => {
  const { ann, clock } = workspace
  clock.at = Date.UTC(2027, 4, 31, 22, 30) // 1 June, 0:30 in Berlin
  const { id } = await ann.call('create_deal', { name: 'Night', amount: 1 })
  await ann.call('update_deal', { deal_id: id, status: 'won' })
  assert.equal((await summary({ from: '2027-06-01', to: '2027-06-01' })).won.count, 1)
  assert.equal((await summary({ from: '2027-05-31', to: '2027-05-31' })).won.count, 0)
  assert.equal(
    (await ann.refused('get_pipeline_summary', { from: '2027-06-02', to: '2027-06-01' })).more
      .field,
    'from',
  )
})

test('guests and other organizations see no deals in it', async () => {
  const guest = await workspace.person('Gus', { role: 'guest' })
  for (const who of [workspace.eve, guest]) {
    const pipeline = await summary({ from: '2026-01-01' }, who)
    assert.deepEqual(
      [
        pipeline.stages.reduce((sum: number, stage: any) => sum + stage.count, 0),
        pipeline.won.count,
        pipeline.stalled_count,
        pipeline.forecast,
      ],
      [0, 0, 0, {}],
    )
  }
})

test('removed stages come last with zero weight, and missing amounts add nothing', () => {
  const open = [
    { stage: 'Old', month: 'undated', currency: 'EUR', count: 2, sum: 10 },
    { stage: 'A', month: '2026-12', currency: 'EUR', count: 1, sum: null },
    { stage: 'B', month: '2026-12', currency: 'EUR', count: 1, sum: 9 },
  ]
  assert.deepEqual(
    byStage(['A', 'B'], open).map((item) => [
      item.stage,
      item.weight,
      item.count,
      item.value,
      item.weighted,
    ]),
    [
      ['A', 0.33, 1, {}, {}],
      ['B', 0.67, 1, { EUR: 9 }, { EUR: 6 }],
      ['Old', 0, 2, { EUR: 10 }, { EUR: 0 }],
    ],
  )
  assert.deepEqual(Object.keys(forecastOf(['A', 'B'], open)), ['2026-12', 'undated'])
  assert.deepEqual(dealOutcomeOf([]), {
    won: { count: 0, value: {} },
    lost: { count: 0, value: {} },
  })
})
