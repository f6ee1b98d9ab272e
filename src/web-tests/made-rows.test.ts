import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dependenciesOf,
  serverIdOf,
  createdRowIn,
  rememberCreatedId,
  withServerIds,
  withCreatedRow,
} from '../web/store/writing/made-rows.ts'
import type { PendingWrite } from '../web/store/writing/pending-writes.ts'

const pendingWrite = (overrides: Partial<PendingWrite>): PendingWrite => ({
  id: 'write',
  person: 'ann',
  operation: 'update_task',
  input: {},
  changes: [],
  before: [],
  text: 'A change',
  canUndo: true,
  at: 0,
  order: 0,
  ...overrides,
})

const createWrite = pendingWrite({
  operation: 'create_task',
  changes: [{ type: 'task', id: 'new-1', add: { title: 'One', position: '~', labels: [] } }],
})
const createdRow = { id: 'real-1', title: 'One', position: 'h', labels: [] }

test('a write depends on exactly the temporary rows it names, alone, in a list or nested', () => {
  const temporary = new Set(['new-1', 'new-2'])
  const change = { type: 'task', id: 'new-1', set: { title: 'x' } } as const
  assert.deepEqual(dependenciesOf({ input: {}, changes: [change] }, temporary), ['new-1'])
  const list = { task_ids: ['a', 'new-2'], filter: { parent: 'new-1' } } as PendingWrite['input']
  assert.deepEqual(dependenciesOf({ input: list, changes: [] }, temporary), ['new-2', 'new-1'])
  assert.deepEqual(dependenciesOf(createWrite, temporary), [], 'it does not follow itself')
  const text = { title: 'about new-1' } as PendingWrite['input']
  assert.deepEqual(dependenciesOf({ input: text, changes: [] }, temporary), [])
})

test('a dependent write takes the id of the created row, and keeps waiting for other rows', () => {
  const write = pendingWrite({
    input: { task_ids: ['new-1', 'new-2', 'a'] } as PendingWrite['input'],
    changes: [
      { type: 'task', id: 'new-1', set: { parent: { id: 'new-1' } } },
      { type: 'task', id: 'a', remove: true },
    ],
    follows: ['new-1', 'new-2'],
  })
  const released = withCreatedRow(write, createWrite, createdRow)
  assert.deepEqual(released.input, { task_ids: ['real-1', 'new-2', 'a'] })
  assert.deepEqual(released.changes, [
    { type: 'task', id: 'real-1', set: { parent: { id: 'real-1' } } },
    { type: 'task', id: 'a', remove: true },
  ])
  assert.deepEqual(released.follows, ['new-2'])
  assert.equal(released.id, write.id, 'its idempotency key stays')
})

test('previous values are those of the created row, unless an earlier change modified them', () => {
  const previousFields = { position: '~', title: 'Two', labels: [] }
  const released = withCreatedRow(
    pendingWrite({
      before: [{ type: 'task', id: 'new-1', fields: previousFields }],
      follows: ['new-1'],
    }),
    createWrite,
    createdRow,
  )
  assert.deepEqual(released.before, [
    { type: 'task', id: 'real-1', fields: { position: 'h', title: 'Two', labels: [] } },
  ])
})

test('a screen that still has the temporary id changes the created row', () => {
  withCreatedRow(pendingWrite({ follows: ['new-1'] }), createWrite, createdRow)
  const resolved = withServerIds({
    input: { task_id: 'new-1' } as PendingWrite['input'],
    changes: [{ type: 'task', id: 'new-1', set: { title: 'x' } }],
  })
  assert.deepEqual(resolved.input, { task_id: 'real-1' })
  assert.deepEqual(resolved.changes, [{ type: 'task', id: 'real-1', set: { title: 'x' } }])
})

test('a temporary id resolves to the real one even without dependent writes', () => {
  const change = { type: 'task' as const, id: 'new-2', add: { title: 'Two' } }
  rememberCreatedId(pendingWrite({ changes: [change] }), { id: 'real-2' })
  assert.deepEqual([serverIdOf('new-2'), serverIdOf('new-3')], ['real-2', 'new-3'])
})

test('a response without an id created no row', () => {
  assert.equal(createdRowIn(undefined), undefined)
  assert.equal(createdRowIn({ items: [] }), undefined)
  assert.deepEqual(createdRowIn(createdRow), createdRow)
})
