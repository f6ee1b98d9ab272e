import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerColumns,
  conditionValue,
  draftsOf,
  moveField,
  newField,
  draftProblem,
  fieldInput,
  withoutField,
  type FormField,
} from './fields.ts'

const fields: FormField[] = [
  { id: 'rating', label: 'How was it?', type: 'rating', required: true, max: 5 },
  {
    id: 'why',
    label: 'Why?',
    help: 'In your words',
    type: 'long_text',
    required: false,
    show_if: { field_id: 'rating', op: 'less', value: 3 },
  },
  { id: 'where', label: 'Where?', type: 'select', required: false, options: ['Shop', 'Online'] },
]

test('unchanged questions are sent as they were', () => {
  assert.deepEqual(draftsOf(fields).map(fieldInput), fields)
})

test('only a question moved before the one it depends on loses its condition', () => {
  const drafts = draftsOf(fields)
  const why = drafts[1]
  assert.ok(why)
  const movedDown = moveField(drafts, why.key, 2)
  assert.deepEqual(
    movedDown.map(({ id, showIf }) => [id, showIf !== undefined]),
    [
      ['rating', false],
      ['where', false],
      ['why', true],
    ],
  )
  const movedUp = moveField(drafts, why.key, 0)
  assert.deepEqual(
    movedUp.map(({ id, showIf }) => [id, showIf !== undefined]),
    [
      ['why', false],
      ['rating', false],
      ['where', false],
    ],
  )
  assert.equal(moveField(drafts, why.key, 3), drafts)
})

test('removing a question removes conditions on it', () => {
  const drafts = draftsOf(fields)
  const remaining = withoutField(drafts, drafts[0]?.key ?? '')
  assert.deepEqual(
    remaining.map(({ id, showIf }) => [id, showIf]),
    [
      ['why', undefined],
      ['where', undefined],
    ],
  )
})

test('a question without text or choices is not saved, and choices are read one per line, without duplicates', () => {
  assert.equal(draftProblem([newField('Name'), newField(' ')]), 'noLabel')
  const choice = { ...newField('Which'), type: 'select' as const }
  assert.equal(draftProblem([choice]), 'noOptions')
  const full = { ...choice, options: ' One\n\nTwo\nOne ' }
  assert.equal(draftProblem([full]), undefined)
  assert.deepEqual(fieldInput(full).options, ['One', 'Two'])
})

test('the value of a condition has the type of its question', () => {
  assert.deepEqual(
    [conditionValue('nps', '7'), conditionValue('yes_no', 'true'), conditionValue('select', '7')],
    [7, true, '7'],
  )
})

test('questions keep their place on screen when the server assigns ids', () => {
  const drafts = draftsOf(fields)
  assert.deepEqual(
    draftsOf(fields.toReversed(), drafts).map(({ key }) => key),
    drafts.map(({ key }) => key).toReversed(),
  )
})

test('there is a column for every question, for removed ones and for other answers', () => {
  const [rating, ...retired] = fields
  assert.ok(rating)
  const answers = [
    { answers: [{ field_id: 'rating', label: 'Once' }] },
    { answers: [{ field_id: 'note', label: 'Anything else?' }] },
  ]
  assert.deepEqual(
    answerColumns({ fields: [rating], retired_fields: retired }, answers).map(
      ({ id, label, isRemoved }) => [id, label, isRemoved],
    ),
    [
      ['rating', 'How was it?', false],
      ['why', 'Why?', true],
      ['where', 'Where?', true],
      ['note', 'Anything else?', true],
    ],
  )
})
