import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pipelineColumns, stageOf, dealValue } from './columns.ts'
import type { DealRow } from './data.ts'

const now = Date.UTC(2026, 10, 27)
const deal = (id: string, overrides: Partial<DealRow>) =>
  ({ id, status: 'open', stage: 'Lead', currency: 'EUR', ...overrides }) as DealRow

test('open deals are grouped by stage in the order of the organization, former stages last', () => {
  const columns = pipelineColumns(
    [
      deal('a', { amount: 10 }),
      deal('b', { stage: 'Gone' }),
      deal('c', { amount: 0.1, expected_close_on: '2026-12-01' }),
      deal('d', { amount: 0.2, currency: 'USD' }),
    ],
    ['Lead', 'Offer'],
    now,
  )
  assert.deepEqual(
    columns.map(({ key, ids }) => [key, ids]),
    [
      ['stage Lead', ['c', 'd', 'a']],
      ['stage Offer', []],
      ['stage Gone', ['b']],
      ['won', []],
      ['lost', []],
    ],
  )
  assert.deepEqual(columns[0]?.value, { EUR: 10.1, USD: 0.2 })
  assert.equal(columns[1] && stageOf(columns[1]), 'Offer')
})

test('deals closed more than 90 days ago are not shown', () => {
  const closed = (id: string, closed_at: string) => deal(id, { status: 'won', closed_at })
  const columns = pipelineColumns(
    [
      closed('old', '2026-08-01T00:00:00Z'),
      closed('a', '2026-11-01T00:00:00Z'),
      closed('b', '2026-11-20T00:00:00Z'),
    ],
    [],
    now,
  )
  assert.deepEqual(columns[0]?.ids, ['b', 'a'])
})

test('sums are exact to the cent', () => {
  assert.deepEqual(dealValue([deal('a', { amount: 0.1 }), deal('b', { amount: 0.2 })]), {
    EUR: 0.3,
  })
})
