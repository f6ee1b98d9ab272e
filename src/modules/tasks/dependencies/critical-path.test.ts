import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../../testing/cost.ts'
import { criticalPath } from './critical-path.ts'
import { findCycles, pathBetween } from './cycles.ts'

const links = (text: string) => text.split(' ').map((part) => ({ from: part[0]!, to: part[1]! }))

test('the shortest path between two tasks is found, and none if there is none', () => {
  assert.deepEqual(pathBetween(links('ab bc cd ad'), 'a', 'd'), ['a', 'd'])
  assert.deepEqual(pathBetween(links('ab bc cd'), 'a', 'd'), ['a', 'b', 'c', 'd'])
  assert.equal(pathBetween(links('ab bc'), 'c', 'a'), undefined)
})

test('each cycle is reported once, with only the tasks on it', () => {
  assert.deepEqual(findCycles(links('ab bc cd')), [])
  assert.deepEqual(
    findCycles(links('xa ab bc ca cz')).map((circle) => circle.toSorted()),
    [['a', 'b', 'c']],
  )
})

test('a path through a cycle ends where it began', () => {
  const minutes = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  assert.equal(criticalPath(links('ab bc ca'), minutes, 'a').filter((id) => id === 'a').length, 1)
})

test('a ladder of a thousand tasks is traversed quickly', () => {
  const steps = Array.from({ length: 500 }, (_, i) => [
    { from: `${i}`, to: `${i + 1}` },
    { from: `${i}`, to: `x${i + 1}` },
    { from: `x${i + 1}`, to: `${i + 1}` },
  ]).flat()
  const minutes = new Map(
    steps.flatMap(
      (step) =>
        [
          [step.from, 1],
          [step.to, 1],
        ] as const,
    ),
  )
  const spent = cpuWatch()
  assert.equal(criticalPath(steps, minutes, '0').length, 1001)
  assert.deepEqual(findCycles(steps), [])
  assert.ok(spent() < 1000)
})
