import assert from 'node:assert/strict'
import { test } from 'node:test'
import { denied, invalid, notFound, Refusal, refusalStatus } from './refusal.ts'

test('a refusal shows its code, the problem and the remedy, and nothing internal', () => {
  const refusal = new Refusal('conflict', 'It is taken.', {
    hint: 'Choose another.',
    field: 'name',
    context: { existing_id: 'x' },
  })
  assert.deepEqual(refusal.body(), {
    code: 'conflict',
    message: 'It is taken. Choose another.',
    field: 'name',
    context: { existing_id: 'x' },
  })
  assert.deepEqual(new Refusal('not_found', 'Gone.', 'Look elsewhere.').body(), {
    code: 'not_found',
    message: 'Gone. Look elsewhere.',
  })
})

test('every code has an HTTP status, below 500 for client errors', () => {
  for (const [code, status] of Object.entries(refusalStatus)) {
    assert.ok(status >= 400 && status < 600)
    assert.equal(
      status >= 500,
      ['internal', 'unavailable', 'provider_error', 'storage_full'].includes(code),
      code,
    )
  }
})

test('missing and inaccessible items get the same error', () => {
  assert.deepEqual(notFound('task', 'task_id').body(), {
    code: 'not_found',
    message: 'Task not found, or you have no access.',
    field: 'task_id',
  })
  assert.equal(denied('No.').code, 'permission_denied')
  assert.deepEqual(invalid('due_at', 'is in the past.').body(), {
    code: 'invalid_argument',
    message: 'due_at: is in the past.',
    field: 'due_at',
    errors: [{ path: 'due_at', message: 'is in the past.' }],
  })
})
