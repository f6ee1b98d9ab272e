import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompanyRow, ContactRow } from './data.ts'
import {
  addressSeparators,
  numberSeparators,
  companyMatches,
  contactMatches,
  splitValues,
} from './search.ts'

const ada = {
  name: 'Ada Lovelace',
  title: 'Analyst',
  emails: ['ada@engines.example'],
  phones: ['+49 30 901820'],
  labels: [{ id: 'lbl_1', title: 'Press' }],
  company: { id: 'cmp_1', title: 'Analytical Engines' },
} as unknown as ContactRow

test('a contact is found by words in any order, in any of its values', () => {
  for (const query of ['lovelace ada', 'ENGINES press', 'analyst', '901820', '4930901820'])
    assert.ok(contactMatches(ada, query), query)
  for (const query of ['ada byron', 'lovelacex']) assert.ok(!contactMatches(ada, query), query)
})

test('a contact is found with any typing of accents and characters', () => {
  const contact = { ...ada, name: 'Mesut Özil', title: '会议主持人', company: undefined }
  for (const query of ['ozil', 'OZIL mesut', '会议', 'ｐｒｅｓｓ'])
    assert.ok(contactMatches(contact as ContactRow, query), query)
})

test('a company is found by name, domain and industry', () => {
  const company = { name: 'Engines', domain: 'engines.example', industry: 'Steam' } as CompanyRow
  assert.ok(companyMatches(company, 'steam example'))
  assert.ok(!companyMatches(company, 'diesel'))
})

test('addresses are split at spaces, numbers only at commas', () => {
  assert.deepEqual(splitValues(' a@b.c;  d@e.f g@h.i,', addressSeparators), [
    'a@b.c',
    'd@e.f',
    'g@h.i',
  ])
  assert.deepEqual(splitValues('+49 30 1, 030 2', numberSeparators), ['+49 30 1', '030 2'])
  assert.deepEqual(splitValues('  ', addressSeparators), [])
})
