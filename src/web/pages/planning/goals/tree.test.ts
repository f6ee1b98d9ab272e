import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  elapsedPercent,
  groupGoals,
  percentOf,
  periodsAround,
  progressSeries,
  type GoalRow,
  type KeyResult,
} from './tree.ts'

const goal = (id: string, period: string, parent?: string) =>
  ({ id, title: id, period, ...(parent && { parent: { id: parent, title: parent } }) }) as GoalRow

test('goals are nested below their parents, in the period group of the topmost', () => {
  const groups = groupGoals([
    goal('child', '2026-Q4', 'year'),
    goal('orphan', '2026-Q3', 'gone'),
    goal('year', '2026'),
    goal('grandchild', '2026-11', 'child'),
  ])
  assert.deepEqual(
    groups.map(({ period, lines }) => [
      period,
      lines.map((line) => `${line.depth} ${line.goal.id}`),
    ]),
    [
      ['2026-Q3', ['0 orphan']],
      ['2026', ['0 year', '1 child', '2 grandchild']],
    ],
  )
})

test('progress runs from start to target, also downwards, and is never rounded up to 100 %', () => {
  assert.equal(percentOf({ start_value: 0, target_value: 200 }, 50), 25)
  assert.equal(percentOf({ start_value: 80, target_value: 20 }, 50), 50)
  assert.equal(percentOf({ start_value: 0, target_value: 10_000 }, 9_999), 99.9)
  assert.equal(percentOf({ start_value: 0, target_value: 10 }, 15), 100)
  assert.equal(percentOf({ start_value: 0, target_value: 10 }, -5), 0)
})

test('a future period is 0 % elapsed, a past one 100 %', () => {
  assert.equal(elapsedPercent('2027', '2026-11-25'), 0)
  assert.equal(elapsedPercent('2026-Q3', '2026-11-25'), 100)
  assert.equal(elapsedPercent('2026-11', '2026-11-16'), 52)
  assert.equal(elapsedPercent('sometime', '2026-11-16'), 0)
})

test('in the last quarter the next period is in the next year', () => {
  assert.deepEqual(periodsAround('2026-11-25'), [
    '2026-Q4',
    '2027-Q1',
    '2026-H2',
    '2027-H1',
    '2026',
    '2027',
    '2026-11',
  ])
})

test('the series carries earlier values forward, and is empty if the past is unknown', () => {
  const result = (id: string, kind = 'manual') =>
    ({ id, start_value: 0, target_value: 10, retired: false, source: { kind } }) as KeyResult
  const checkins = [
    { created_at: '2026-11-02', values: { b: 10 } },
    { created_at: '2026-11-01', values: { a: 5 } },
  ]
  assert.deepEqual(progressSeries([result('a'), result('b')], checkins), [25, 75])
  assert.deepEqual(progressSeries([result('a'), result('b', 'tasks')], checkins), [])
  assert.deepEqual(progressSeries([], checkins), [])
})
