import assert from 'node:assert/strict'
import { test } from 'node:test'
import { denied, invalid, notFound, Refusal, refusalStatus } from './refusal.ts'

test('a refusal shows its code, what was wrong and what to do, and nothing that is not meant to be shown', () => {
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

test('every code has its HTTP status, a client’s fault below 500', () => {
  for (const [code, status] of Object.entries(refusalStatus)) {
    assert.ok(status >= 400 && status < 600)
    assert.equal(
      status >= 500,
      ['internal', 'unavailable', 'provider_error', 'storage_full'].includes(code),
      code,
    )
  }
})

test('absent and out of sight read alike', () => {
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
