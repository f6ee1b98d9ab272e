import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledText, firstSlot, hasTags, variablesOf } from './template-text.ts'

test('what is known of the recipient is filled in, and what is not stays', () => {
  const variables = variablesOf('Cara van Long <cara@else.test>')
  assert.equal(
    filledText('Dear {{first_name}} {{ last_name }} ({{email}}), on {{day}}', variables),
    'Dear Cara van Long (cara@else.test), on {{day}}',
  )
  assert.equal(filledText('{{name}}: {{email}}', variablesOf('a@b.test')), '{{name}}: a@b.test')
  assert.equal(filledText('{{name}}', variablesOf(undefined)), '{{name}}')
})

test('what is filled in is text: no sign of it is read again', () => {
  const variables = variablesOf('$& {{email}} <x@y.test>')
  assert.equal(filledText('Hi {{name}}', variables), 'Hi $& {{email}}')
})

test('the first variable that is open is found, also behind a place', () => {
  assert.deepEqual(firstSlot('On {{day}} or {{ other | upcase }}'), { start: 3, end: 10 })
  assert.deepEqual(firstSlot('On {{day}} or {{ other | upcase }}', 10), { start: 14, end: 34 })
  assert.equal(firstSlot('On {day}'), undefined)
  assert.ok(hasTags('{% if a %}b{% endif %}') && !hasTags('{{a}} % {'))
})
