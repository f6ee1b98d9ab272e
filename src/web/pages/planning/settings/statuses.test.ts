import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  haveUniqueNames,
  editedStatuses,
  moveByStep,
  removedStatuses,
  defaultTarget,
  workflowOf,
} from './statuses.ts'

const status = (name: string, category: 'todo' | 'in_progress' | 'done', position: number) => ({
  name,
  category,
  position,
  color: '#808080',
})
const original = [
  status('Done', 'done', 2),
  status('To do', 'todo', 0),
  status('Doing', 'in_progress', 1),
  status('Review', 'in_progress', 3),
]

test('statuses are edited in order, and sent with their previous names', () => {
  const edited = editedStatuses(original)
  assert.deepEqual(
    edited.map(({ name }) => name),
    ['To do', 'Doing', 'Done', 'Review'],
  )
  const changed = moveByStep(edited, 3, -1).map((item) =>
    item.name === 'Doing' ? { ...item, name: ' Now ', limit: 4 } : item,
  )
  assert.deepEqual(workflowOf(changed), [
    { name: 'To do', category: 'todo', color: '#808080' },
    { name: 'Now', category: 'in_progress', color: '#808080', wip_limit: 4, was: 'Doing' },
    { name: 'Review', category: 'in_progress', color: '#808080' },
    { name: 'Done', category: 'done', color: '#808080' },
  ])
})

test('a status cannot be moved past the ends', () => {
  assert.deepEqual(moveByStep([1, 2, 3], 0, 1), [2, 1, 3])
  assert.deepEqual(moveByStep([1, 2, 3], 0, -1), [1, 2, 3])
  assert.deepEqual(moveByStep([1, 2, 3], 2, 1), [1, 2, 3])
})

test('tasks of a removed status go to one of the same category, or else to the first', () => {
  const edited = editedStatuses(original).filter(({ name }) => name !== 'Review' && name !== 'Done')
  const removed = removedStatuses(original, edited)
  assert.deepEqual(
    removed.map((item) => [item.name, defaultTarget(item, edited)?.name]),
    [
      ['Done', 'To do'],
      ['Review', 'Doing'],
    ],
  )
})

test('each status needs a unique name', () => {
  const edited = editedStatuses(original)
  assert.ok(haveUniqueNames(edited))
  const withName = (name: string) => edited.with(0, { ...edited[0]!, name })
  assert.ok(!haveUniqueNames(withName('  ')))
  assert.ok(!haveUniqueNames(withName('doing ')))
})
