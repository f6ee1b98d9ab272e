import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { date, freeObject, shortText } from '../kernel/fields.ts'
import { coercer } from './coerce.ts'
import { toJson } from './schemas.ts'

const input = z.strictObject({
  id: z.string().min(1).max(320),
  limit: z.int().min(1).max(100).default(25),
  ratio: z.number().optional(),
  shared: z.boolean().optional(),
  text: shortText().optional(),
  note: shortText().nullable().optional(),
  day: date().optional(),
  due: date().nullable().optional(),
  kind: z.enum(['a', 'b']).optional(),
  ids: z.array(z.string().max(10)).max(5).optional(),
  filter: freeObject().optional(),
  steps: z
    .array(z.strictObject({ title: z.string().max(10) }))
    .max(5)
    .optional(),
})
const coerce = coercer(toJson(input, 'input'))

test('numbers and booleans sent as text are converted', () => {
  assert.deepEqual(coerce({ limit: '20', ratio: '-1.5', shared: 'True' }), {
    limit: 20,
    ratio: -1.5,
    shared: true,
  })
})

test('values that are not valid numbers or booleans are left for validation to refuse', () => {
  assert.deepEqual(coerce({ limit: 'many', shared: 'perhaps', ratio: '1e5' }), {
    limit: 'many',
    shared: 'perhaps',
    ratio: '1e5',
  })
})

test('a blank is left for validation to refuse, even if null would clear the field', () => {
  const blank = { day: '', kind: '', limit: '', shared: '', text: '', id: '', due: '', note: '' }
  assert.deepEqual(coerce(blank), blank)
  assert.deepEqual(coerce({ due: null, note: null }), { due: null, note: null })
})

test('null for an argument that cannot be cleared means "not given"', () => {
  assert.deepEqual(coerce({ text: null, ids: null, limit: null }), {})
  assert.deepEqual(coerce({ id: null }), { id: null })
})

test('JSON in a text is parsed once if an object or a list is expected', () => {
  assert.deepEqual(coerce({ filter: '{"a": 1}', ids: '["x", "y"]', steps: '[{"title":"t"}]' }), {
    filter: { a: 1 },
    ids: ['x', 'y'],
    steps: [{ title: 't' }],
  })
  assert.deepEqual(coerce({ filter: '{"a": "{}"}', text: '{"a": 1}' }), {
    filter: { a: '{}' },
    text: '{"a": 1}',
  })
  assert.deepEqual(coerce({ filter: '{not json' }), { filter: '{not json' })
})

test('a single value for a list is wrapped into a list', () => {
  assert.deepEqual(coerce({ ids: 'x', steps: { title: 't' } }), {
    ids: ['x'],
    steps: [{ title: 't' }],
  })
})

test('a numeric id is converted to text', () => {
  assert.deepEqual(coerce({ id: 42 }), { id: '42' })
})

test('valid values and unknown fields are left unchanged', () => {
  const right = { id: 'x', limit: 5, shared: false, ids: ['a'], filter: { b: null }, colour: '7' }
  assert.deepEqual(coerce(right), right)
})

test('an argument is accepted under the name it has in other operations', () => {
  const period = coercer(
    toJson(
      z.strictObject({ after: z.string().optional(), before: z.string().optional() }),
      'input',
    ),
  )
  assert.deepEqual(period({ from: '2026-11-20', to: 'tomorrow' }), {
    after: '2026-11-20',
    before: 'tomorrow',
  })
  assert.deepEqual(period({ from: 'ann@acme.test' }), { from: 'ann@acme.test' }, 'a person')
  assert.deepEqual(
    period({ from: '2026-11-20', after: '2026-11-21' }),
    { from: '2026-11-20', after: '2026-11-21' },
    'both: validation refuses the one that is unknown',
  )
  const days = coercer(
    toJson(
      z.strictObject({
        from: z.string(),
        items: z.array(z.strictObject({ due_on: z.string().optional() })),
      }),
      'input',
    ),
  )
  assert.deepEqual(days({ after: '2026-11-20', items: [{ due_at: '2026-11-21' }] }), {
    from: '2026-11-20',
    items: [{ due_on: '2026-11-21' }],
  })
})
