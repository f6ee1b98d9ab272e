import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { transferValues } from './field-transfers.ts'
import { orderOfItems } from '../refs.ts'
import { requireRequiredFields, mergeValues } from './values.ts'

const field = (
  id: string,
  type: Row<'custom_fields'>['type'],
  more: Partial<Row<'custom_fields'>> = {},
) =>
  ({
    id,
    name: id.toUpperCase(),
    type,
    options_json: '[]',
    required: 0,
    retired: 0,
    ...more,
  }) as Row<'custom_fields'>
const options = JSON.stringify([
  { id: 'o1', name: 'Red' },
  { id: 'o2', name: 'Blue' },
])
const fields = [
  field('t', 'text'),
  field('n', 'number'),
  field('d', 'date'),
  field('b', 'boolean'),
  field('s', 'select', { options_json: options }),
  field('m', 'multi_select', { options_json: options }),
  field('p', 'person'),
  field('u', 'url'),
  field('old', 'text', { retired: 1 }),
]
const members = async (text: string) => (text === 'bob@acme.test' ? { id: 'usr_bob' } : undefined)
const merge = (input: Record<string, unknown>, before = {}) =>
  mergeValues(fields, input, before, members)

test('values are accepted by field name or id and stored by ids', async () => {
  assert.deepEqual(
    await merge({
      T: 'x',
      n: 1.5,
      D: '2026-11-20',
      B: false,
      s: 'red',
      M: ['blue', 'o1', 'Blue'],
      p: 'bob@acme.test',
      U: 'https://example.org',
    }),
    {
      t: 'x',
      n: 1.5,
      d: '2026-11-20',
      b: false,
      s: 'o1',
      m: ['o2', 'o1'],
      p: 'usr_bob',
      u: 'https://example.org',
    },
  )
  assert.deepEqual(await merge({ T: null }, { t: 'x', n: 1 }), { n: 1 })
})

test('a value of the wrong type is refused with the field name', async () => {
  const wrong: Record<string, unknown>[] = [
    { t: 1 },
    { t: 'x'.repeat(5001) },
    { n: '1' },
    { n: NaN },
    { d: '2026-02-30' },
    { d: 'tomorrow' },
    { b: 'yes' },
    { s: 'green' },
    { s: ['red'] },
    { m: 'red' },
    { m: ['green'] },
    { p: 'eve@other.test' },
    { p: 7 },
    { u: 'javascript:alert(1)' },
    { u: 'https://me:pw@example.org' },
    { nope: 1 },
    { old: 'x' },
    { __proto: 1 },
  ]
  for (const values of wrong) {
    await assert.rejects(
      merge(values),
      (refusal: Refusal) =>
        refusal.code === 'invalid_argument' && refusal.more.field!.startsWith('custom_fields.'),
      JSON.stringify(values),
    )
  }
})

test('required fields need a value', () => {
  assert.throws(
    () => requireRequiredFields([field('n', 'number', { required: 1 })], {}),
    /"N" is required/,
  )
  requireRequiredFields(
    [field('n', 'number', { required: 1 }), field('x', 'text', { required: 1, retired: 1 })],
    { n: 0 },
  )
})

test('values are carried to another project if it has a field of the same name and type', () => {
  const from = [
    field('a', 'text', { name: 'Note' }),
    field('b', 'number', { name: 'Cost' }),
    field('c', 'select', { name: 'Color', options_json: options }),
    field('d', 'multi_select', { name: 'Colors', options_json: options }),
    field('e', 'person', { name: 'Owner' }),
  ]
  const targetOptions = JSON.stringify([{ id: 'x1', name: 'RED' }])
  const to = [
    field('v', 'text', { name: 'note' }),
    field('w', 'text', { name: 'Cost' }),
    field('x', 'select', { name: 'color', options_json: targetOptions }),
    field('y', 'multi_select', { name: 'Colors', options_json: targetOptions }),
    field('z', 'person', { name: 'Owner' }),
  ]
  const json = JSON.stringify({ a: 'x', b: 5, c: 'o1', d: ['o1', 'o2'], e: 'usr_bob' })
  assert.deepEqual(transferValues(from, to, json, new Set(['usr_bob'])), {
    values: { v: 'x', x: 'x1', z: 'usr_bob' },
    dropped: ['Cost', 'Colors'],
  })
  assert.deepEqual(transferValues(from, to, json, new Set()).dropped, ['Cost', 'Colors', 'Owner'])
})

test('parents come before their children, others keep their order', () => {
  assert.deepEqual(
    orderOfItems([
      { parent_ref: 'c' },
      {},
      { ref: 'b', parent_ref: 'a' },
      { ref: 'c', parent_ref: 'b' },
      { ref: 'a' },
    ]),
    [4, 2, 3, 0, 1],
  )
  assert.throws(
    () => orderOfItems([{ parent_ref: 'a', parent_id: 'tsk_1' }, { ref: 'a' }]),
    /not both/,
  )
})
