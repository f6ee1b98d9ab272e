import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplateText, firstVariable, hasTags, variablesOf } from './template-text.ts'

test('known recipient variables are filled in, and unknown ones are kept', () => {
  const variables = variablesOf('Cara van Long <cara@else.test>')
  assert.equal(
    fillTemplateText('Dear {{first_name}} {{ last_name }} ({{email}}), on {{day}}', variables),
    'Dear Cara van Long (cara@else.test), on {{day}}',
  )
  assert.equal(
    fillTemplateText('{{name}}: {{email}}', variablesOf('a@b.test')),
    '{{name}}: a@b.test',
  )
  assert.equal(fillTemplateText('{{name}}', variablesOf(undefined)), '{{name}}')
})

test('filled-in values are text and not interpreted again', () => {
  const variables = variablesOf('$& {{email}} <x@y.test>')
  assert.equal(fillTemplateText('Hi {{name}}', variables), 'Hi $& {{email}}')
})

test('the first open variable is found, also after a given position', () => {
  assert.deepEqual(firstVariable('On {{day}} or {{ other | upcase }}'), { start: 3, end: 10 })
  assert.deepEqual(firstVariable('On {{day}} or {{ other | upcase }}', 10), { start: 14, end: 34 })
  assert.equal(firstVariable('On {day}'), undefined)
  assert.ok(hasTags('{% if a %}b{% endif %}') && !hasTags('{{a}} % {'))
})
