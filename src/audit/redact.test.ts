import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { freeObject, markdown, secret, shortText } from '../kernel/fields.ts'
import { redactClient, redactArguments, removeKeys } from './redact.ts'

const shape = {
  id: z.string().max(40),
  body: markdown().optional(),
  token: secret(z.string().max(99)).nullable().optional(),
  text: shortText(5000),
  count: z.int(),
  list: z.array(z.string().max(9)),
  filter: freeObject(),
}
const key = `svc_${'a1B2'.repeat(15)}x`

test('ids, numbers and short texts are kept unchanged', () => {
  assert.deepEqual(
    redactArguments(shape, { id: 'tsk_1', count: 3, text: 'short', list: ['a', 'b'] }),
    { id: 'tsk_1', count: 3, text: 'short', list: ['a', 'b'] },
  )
})

test('bodies, secrets and long texts are replaced by their length and hash', () => {
  const redacted = redactArguments(shape, {
    body: 'x',
    token: 'hunter2',
    text: 't'.repeat(121),
  }) as Record<string, any>
  assert.deepEqual([redacted.body.length, redacted.token.length, redacted.text.length], [1, 7, 121])
  assert.doesNotMatch(JSON.stringify(redacted), /hunter2|tttt/)
  assert.notEqual(redacted.body.sha256, redacted.token.sha256)
})

test('a key is never logged, whether in a text, a list or an argument name', () => {
  const redactedText = JSON.stringify(
    redactArguments(shape, {
      id: key,
      text: `my ${key}`,
      list: [key],
      filter: { [key]: 1, a: { [`x${key}`]: key } },
      [key]: 1,
      [`${'n'.repeat(55)}${key}`]: 2,
    }),
  )
  assert.doesNotMatch(redactedText, /a1B2/)
})

test('a key is not logged from data sent alongside the arguments either', () => {
  assert.equal(removeKeys(`${key} and ${key}`), 'svc_… and svc_…')
  assert.deepEqual(redactClient({ name: key, version: `1-${key}` }), {
    name: 'svc_…',
    version: '1-svc_…',
  })
  assert.deepEqual(
    [redactClient({ name: 'curl' }), redactClient(undefined)],
    [{ name: 'curl' }, undefined],
  )
})

test('nested object values are replaced by length and hash, down to a limited depth', () => {
  const redacted = redactArguments(shape, {
    filter: { priority: 'high', deep: { deeper: { deepest: { x: 'hunter2' } } } },
  }) as Record<string, any>
  assert.equal(redacted.filter.priority.length, 4)
  assert.equal(redacted.filter.deep.deeper.deepest, 'object')
})

test('unknown arguments are reduced to their type', () => {
  assert.deepEqual(
    redactArguments(shape, { password: 'hunter2', constructor: 'x', list2: [1], nothing: null }),
    { password: 'string', constructor: 'string', list2: 'array', nothing: 'null' },
  )
  assert.deepEqual(redactArguments(shape, 'hunter2'), { value: 'string' })
  assert.deepEqual(redactArguments(shape, null), { value: 'null' })
})

test('long lists and long arguments are not kept in full', () => {
  assert.deepEqual(redactArguments(shape, { list: Array.from({ length: 51 }, () => 'x') }), {
    list: '51 values',
  })
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`n${i}`, i]))
  assert.equal(Object.keys(redactArguments(shape, many)).length, 60)
})
