import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledText, firstSlot, hasTags, variablesOf } from './template-text.ts'

test('known recipient variables are filled in, and unknown ones are kept', () => {
  const variables = variablesOf('Cara van Long <cara@else.test>')
  assert.equal(
    filledText('Dear {{first_name}} {{ last_name }} ({{email}}), on {{day}}', variables),
    'Dear Cara van Long (cara@else.test), on {{day}}',
  )
  assert.equal(filledText('{{name}}: {{email}}', variablesOf('a@b.test')), '{{name}}: a@b.test')
  assert.equal(filledText('{{name}}', variablesOf(undefined)), '{{name}}')
})

test('filled-in values are text and not interpreted again', () => {
  const variables = variablesOf('$& {{email}} <x@y.test>')
  assert.equal(filledText('Hi {{name}}', variables), 'Hi $& {{email}}')
})

test('the first open variable is found, also after a given position', () => {
  assert.deepEqual(firstSlot('On {{day}} or {{ other | upcase }}'), { start: 3, end: 10 })
  assert.deepEqual(firstSlot('On {{day}} or {{ other | upcase }}', 10), { start: 14, end: 34 })
  assert.equal(firstSlot('On {day}'), undefined)
  assert.ok(hasTags('{% if a %}b{% endif %}') && !hasTags('{{a}} % {'))
})
