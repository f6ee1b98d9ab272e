import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAnswers, scoreOf } from './answers.ts'
import { fieldsToAsk } from '../forms/conditions.ts'
import type { FormField } from '../forms/fields.ts'
import { nextStep, pagesOf } from '../public/steps.ts'
import { fillTemplate, placeholdersIn } from '../forms/templates.ts'

const field = (id: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  id,
  label: id,
  type,
  required: false,
  ...more,
})
const problemsOf = (fields: FormField[], answers: Record<string, unknown>) =>
  checkAnswers(fields, answers).problems.map((problem) => `${problem.field_id}: ${problem.message}`)

test('each type accepts its values, as JSON and as sent by browsers', () => {
  const fields = [
    field('s', 'short_text', { max: 5 }),
    field('l', 'long_text', { min: 3 }),
    field('n', 'number', { min: 1, max: 9.5 }),
    field('e', 'email'),
    field('p', 'phone'),
    field('d', 'date'),
    field('c', 'select', { options: ['A', 'B'] }),
    field('m', 'multi_select', { options: ['A', 'B', 'C'], max: 2 }),
    field('r', 'rating'),
    field('y', 'yes_no'),
    field('q', 'nps'),
  ]
  const json = {
    s: ' a  b ',
    l: 'one\r\ntwo',
    n: 9.5,
    e: 'Ann@x.test',
    p: '+49 (30) 123-45',
    d: '2028-02-29',
    c: 'B',
    m: ['C', 'A', 'A'],
    r: 5,
    y: false,
    q: 0,
  }
  const sent = { ...json, n: '9.5', r: '5', y: 'false', q: '0' }
  const storedValues = {
    s: 'a b',
    l: 'one\ntwo',
    n: 9.5,
    e: 'Ann@x.test',
    p: '+49 (30) 123-45',
    d: '2028-02-29',
    c: 'B',
    m: ['A', 'C'],
    r: 5,
    y: false,
    q: 0,
  }
  for (const rawValues of [json, sent])
    assert.deepEqual(checkAnswers(fields, rawValues), { values: storedValues, problems: [] })
  const invalidValues = {
    s: 'abcdef',
    l: 'ab',
    n: 10,
    e: 'ann@',
    p: 'call me',
    d: '2027-02-29',
    c: 'C',
    m: ['A', 'B', 'C'],
    r: 6,
    y: 'maybe',
    q: 10.5,
  }
  assert.deepEqual(problemsOf(fields, invalidValues), [
    's: must have at most 5 characters; it has 6',
    'l: must have at least 3 characters; it has 2',
    'n: must be from 1 to 9.5',
    'e: must be an email address, such as name@example.com',
    'p: must be a phone number, such as +49 30 1234567',
    'd: must be a valid date, such as 2026-11-20',
    'c: must be one of: A, B',
    'm: choose at most 2',
    'r: must be from 1 to 5',
    'y: must be yes or no',
    'q: must be a whole number from 0 to 10',
  ])
  for (const wrongValues of [
    { n: '1e3' },
    { n: '0x10' },
    { n: 'NaN' },
    { n: ` ${'9'.repeat(40)}` },
    { n: {} },
    { s: 5 },
    { s: ['a'] },
    { m: [5] },
    { c: ['A', 'B'] },
    { d: 20261120 },
  ])
    assert.equal(problemsOf(fields, wrongValues).length, 1, JSON.stringify(wrongValues))
})

test('a blank is no answer, a required field needs one, and an unknown field is named', () => {
  const fields = [
    field('a', 'short_text', { required: true }),
    field('m', 'multi_select', { options: ['A'], required: true }),
    field('b', 'short_text'),
  ]
  assert.deepEqual(problemsOf(fields, { a: '  ', m: [], b: null, x: 1 }), [
    'x: this form has no such field',
    'a: this field is required',
    'm: choose at least one',
  ])
  assert.deepEqual(problemsOf(fields, { a: '\u0000', m: ['A'] }), ['a: this field is required'])
  assert.deepEqual(problemsOf([field('l', 'long_text')], { l: 'é'.repeat(10_001) }).length, 1)
  assert.deepEqual(
    problemsOf(
      Array.from({ length: 10 }, (_, i) => field(`l${i}`, 'long_text')),
      Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`l${i}`, 'x'.repeat(9_000)])),
    ),
    ['l0: all answers together are longer than 64 KiB'],
  )
})

test('questions depend on earlier answers, and answers to hidden fields are ignored', () => {
  const fields = [
    field('kind', 'select', { options: ['bug', 'idea'], required: true }),
    field('bad', 'rating', {
      required: true,
      show_if: { field_id: 'kind', op: 'equals', value: 'bug' },
    }),
    field('why', 'short_text', {
      required: true,
      show_if: { field_id: 'bad', op: 'greater', value: 3 },
    }),
    field('calm', 'short_text', { show_if: { field_id: 'bad', op: 'answered', value: false } }),
  ]
  const ids = (values: Record<string, unknown>) =>
    fieldsToAsk(fields, values).map((formField) => formField.id)
  assert.deepEqual(ids({}), ['kind', 'calm'])
  assert.deepEqual(ids({ kind: 'bug', bad: 4 }), ['kind', 'bad', 'why'])
  assert.deepEqual(ids({ kind: 'idea', bad: 5, why: 'x' }), ['kind', 'calm'])
  assert.deepEqual(checkAnswers(fields, { kind: 'idea', bad: 5, why: 'x' }), {
    values: { kind: 'idea' },
    problems: [],
  })
  assert.deepEqual(problemsOf(fields, { kind: 'bug', bad: 5 }), ['why: this field is required'])
  assert.deepEqual(
    checkAnswers(fields, { kind: 'idea', bad: 'nonsense' }).problems,
    [],
    'answers to hidden fields are not validated',
  )
})

test('each operator of a condition compares answers as its name says', () => {
  const isMet = (type: FormField['type'], op: string, value: unknown, answer: unknown) =>
    fieldsToAsk(
      [
        field('a', type, { options: ['x', 'y'] }),
        field('b', 'short_text', { show_if: { field_id: 'a', op, value } as never }),
      ],
      { a: answer },
    ).length === 2
  assert.ok(
    isMet('short_text', 'equals', 'Yes', 'yes') &&
      !isMet('short_text', 'equals', 'Yes', 'no') &&
      !isMet('short_text', 'equals', 'x', undefined),
  )
  assert.ok(
    isMet('short_text', 'not_equals', 'x', undefined) &&
      isMet('short_text', 'contains', 'URG', 'this is urgent'),
  )
  assert.ok(
    isMet('multi_select', 'contains', 'x', ['y', 'x']) &&
      isMet('multi_select', 'equals', 'x', ['x']) &&
      !isMet('multi_select', 'equals', 'x', ['x', 'y']),
  )
  assert.ok(
    isMet('date', 'less', '2026-12-01', '2026-11-30') &&
      !isMet('date', 'greater', '2026-12-01', '2026-11-30'),
  )
  assert.ok(
    isMet('yes_no', 'equals', false, false) &&
      !isMet('yes_no', 'equals', true, false) &&
      isMet('number', 'less', 5, -1),
  )
})

test('a page ends where the next question depends on it, and files come last', () => {
  const fields = [
    field('a', 'short_text'),
    field('f', 'file'),
    field('b', 'short_text', { show_if: { field_id: 'a', op: 'answered' } }),
    field('c', 'short_text'),
    field('d', 'short_text', { show_if: { field_id: 'c', op: 'answered' } }),
  ]
  const pages = pagesOf(fields)
  assert.deepEqual(
    pages.map((page) => page.map((formField) => formField.id)),
    [['a'], ['b', 'c'], ['d'], ['f']],
  )
  assert.deepEqual(
    [
      nextStep(pages, 0, 1, {}),
      nextStep(pages, 1, 1, {}),
      nextStep(pages, 1, 1, { c: 'x' }),
      nextStep(pages, 3, 1, {}),
      nextStep(pages, 3, -1, {}),
    ],
    [1, 3, 2, 4, 1],
  )
  assert.deepEqual(
    pagesOf([field('f', 'file'), field('a', 'short_text')]).map((page) =>
      page.map((formField) => formField.id),
    ),
    [['f', 'a']],
  )
  assert.deepEqual(pagesOf([field('f', 'file')]).length, 1)
})

test('the score is the first nps, or else the mean of the ratings', () => {
  const fields = [field('r1', 'rating'), field('r2', 'rating'), field('q', 'nps')]
  assert.deepEqual(
    [scoreOf(fields, { r1: 4, q: 9 }), scoreOf(fields, { r1: 4, r2: 5 }), scoreOf(fields, {})],
    [9, 4.5, null],
  )
})

test('answers fill mappings as values or as text, and unanswered ones are omitted', () => {
  const values: Record<string, unknown> = { n: 5, t: 'hello', m: ['a', 'b'] }
  const source = {
    value: (name: string) => values[name],
    text: (name: string) => String(values[name] ?? ''),
    all: () => 'ALL',
  }
  assert.deepEqual(
    fillTemplate(
      {
        points: '{{n}}',
        title: 'Re: {{ t }} {{x}}',
        list: ['{{t}}', '{{x}}', 'c'],
        none: '{{x}}',
        deep: { m: '{{m}}' },
        all: '>{{*}}',
        flag: true,
      },
      source,
    ),
    {
      points: 5,
      title: 'Re: hello ',
      list: ['hello', 'c'],
      deep: { m: ['a', 'b'] },
      all: '>ALL',
      flag: true,
    },
  )
  assert.deepEqual(placeholdersIn({ a: '{{b}} {{*}}', c: ['{{d}}'], e: '{{E}} {b}' }), [
    'b',
    '*',
    'd',
  ])
  assert.equal(
    fillTemplate('{{t}}', { ...source, value: () => '{{n}}' }),
    '{{n}}',
    'placeholders in answers are not filled in',
  )
})

test('a number may have a comma and group separators if it is unambiguous', () => {
  const fields = [field('n', 'number'), field('r', 'rating')]
  const expected: [string, number][] = [
    ['3,5', 3.5],
    ['0,75', 0.75],
    ['-12,25', -12.25],
    ['1.234,5', 1234.5],
    ['1\u202f234', 1234],
    ['1’234.50', 1234.5],
  ]
  for (const [n, value] of expected)
    assert.deepEqual(checkAnswers(fields, { n }).values, { n: value }, n)
  assert.deepEqual(problemsOf(fields, { n: '3,5,1' }), [
    'n: must be one number, such as 12, 3.5 or 3,5',
  ])
  assert.match(problemsOf(fields, { n: '1,234' })[0]!, /may be two numbers/)
  assert.deepEqual(problemsOf(fields, { r: '3,5' }), ['r: must be a whole number from 1 to 5'])
})
