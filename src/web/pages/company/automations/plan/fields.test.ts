import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paramFields, paramText, parseValue } from './fields.ts'

const schema = {
  type: 'object',
  properties: {
    note: { type: 'string', maxLength: 200 },
    title: { type: 'string', description: 'what to do' },
    body_markdown: { type: 'string' },
    priority: { type: 'string', enum: ['low', 'urgent'] },
    estimate: { type: 'number' },
    private: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    due: { type: 'object' },
  },
  required: ['title'],
}

test('each field has an input for its type, required ones first', () => {
  const fields = paramFields('create_task', schema)
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ['title', 'text'],
      ['note', 'text'],
      ['body_markdown', 'longText'],
      ['priority', 'choice'],
      ['estimate', 'number'],
      ['private', 'truth'],
      ['labels', 'lines'],
      ['due', 'json'],
    ],
  )
  assert.deepEqual(fields[3]?.choices, ['low', 'urgent'])
  assert.equal(fields[0]?.about, 'what to do')
  assert.equal(
    paramFields('branch', { properties: { then: { type: 'array' } } })[0]?.kind,
    'actions',
  )
})

test('typed text is converted to a value and shown as typed; templates stay text', () => {
  for (const [kind, text, value] of [
    ['number', '2.5', 2.5],
    ['number', '{{ item.estimate }}', '{{ item.estimate }}'],
    ['truth', 'true', true],
    ['truth', 'false', false],
    ['lines', 'a\nb, c', ['a', 'b, c']],
    ['lines', '{{ item.label }}', ['{{ item.label }}']],
    ['text', ' as it is ', ' as it is '],
  ] as const) {
    assert.deepEqual(parseValue(kind, text), value)
    assert.equal(paramText(kind, value), text)
  }
  assert.deepEqual(parseValue('json', '{"a":1}'), { a: 1 })
  assert.equal(parseValue('text', '  '), undefined)
  assert.throws(() => parseValue('json', '{a'), SyntaxError)
})
