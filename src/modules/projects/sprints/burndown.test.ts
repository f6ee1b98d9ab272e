import assert from 'node:assert/strict'
import { test } from 'node:test'
import { burndown, sprintScope, type Move } from './burndown.ts'

const at = (day: number, hour = 12) => Date.UTC(2026, 10, day, hour)
const start = at(16, 9) // a Monday
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const isWorkday = (day: string) => ![0, 6].includes(new Date(day).getUTCDay())
const move = (task_id: string, op: Move['op'], time: number, points: number | null = null) =>
  ({ task_id, op, points, at: time }) as Move

const moves = [
  move('a', 'added', start, 3),
  move('b', 'added', start, 5),
  move('a', 'completed', at(17), 3),
  move('c', 'added', at(18), 2),
  move('a', 'reopened', at(18, 15), 3),
  move('b', 'removed', at(19), 5),
]

test('the scope lists committed, added and removed tasks', () => {
  assert.deepEqual(sprintScope(moves, start), {
    committed: { tasks: 2, points: 8 },
    added: ['c'],
    removed: ['b'],
  })
})

test('a task added and removed again after the start does not change the scope', () => {
  const repeatedMoves = [
    move('a', 'added', start),
    move('c', 'added', at(17)),
    move('c', 'removed', at(18)),
    move('a', 'removed', at(18)),
    move('a', 'added', at(19)),
  ]
  assert.deepEqual(sprintScope(repeatedMoves, start), {
    committed: { tasks: 1, points: 0 },
    added: [],
    removed: [],
  })
})

test('remaining points follow the moves day by day, and the tasks themselves on the last day', () => {
  const points = burndown({
    moves,
    unit: 'points',
    startedAt: start,
    endsOn: '2026-11-20',
    until: '2026-11-20',
    openNow: 4,
    dayOf,
    isWorkday,
  })
  assert.deepEqual(
    points.map((point) => point.remaining),
    [8, 5, 10, 5, 4],
  )
  assert.deepEqual(
    points.map((point) => point.ideal),
    [6.4, 4.8, 3.2, 1.6, 0],
  )
})

test('without points every task counts as one', () => {
  const points = burndown({
    moves,
    unit: 'tasks',
    startedAt: start,
    endsOn: '2026-11-20',
    until: '2026-11-18',
    openNow: 3,
    dayOf,
    isWorkday,
  })
  assert.deepEqual(
    points.map((point) => point.remaining),
    [2, 1, 3],
  )
})

test('the ideal line is flat on days off, and stays at zero after the end', () => {
  const points = burndown({
    moves,
    unit: 'points',
    startedAt: start,
    endsOn: '2026-11-23',
    until: '2026-11-24',
    openNow: 0,
    dayOf,
    isWorkday,
  })
  assert.deepEqual(
    points.map((point) => point.ideal),
    [6.67, 5.33, 4, 2.67, 1.33, 1.33, 1.33, 0, 0],
  )
})

test('a sprint of a single weekend day, or one that ended before it started, still has a line', () => {
  const saturday = at(21)
  const line = burndown({
    moves: [move('a', 'added', saturday)],
    unit: 'tasks',
    startedAt: saturday,
    endsOn: '2026-11-20',
    until: '2026-11-21',
    openNow: 1,
    dayOf,
    isWorkday,
  })
  assert.deepEqual(line, [{ date: '2026-11-21', remaining: 1, ideal: 0 }])
})
