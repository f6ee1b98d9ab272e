import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../kernel/refusal.ts'
import { keywordOf, labelOf } from '../mailboxes/keywords.ts'
import { parseMailQuery, sizeOf } from './queries.ts'

test('operators, phrases and excluded words are distinguished', () => {
  assert.deepEqual(
    parseMailQuery(
      'from:ann  "exact words" -draft budget -in:trash subject:"two words" has:attachment',
    ),
    {
      words: '"exact words" budget',
      excludedWords: ['draft'],
      conditions: [
        { op: 'from', value: 'ann', not: false },
        { op: 'in', value: 'trash', not: true },
        { op: 'subject', value: 'two words', not: false },
        { op: 'has', value: 'attachment', not: false },
      ],
    },
  )
})

test('an unknown operator is treated as a word, and operators are case-insensitive', () => {
  assert.deepEqual(parseMailQuery('http://example.test Note:this FROM:Kim'), {
    words: 'http: //example.test Note: this',
    excludedWords: [],
    conditions: [{ op: 'from', value: 'Kim', not: false }],
  })
  assert.deepEqual(parseMailQuery('from: kim').conditions, [])
})

test('an invalid value is refused with the values that the operator accepts', () => {
  const refusalMessage = (text: string) => {
    try {
      parseMailQuery(text)
    } catch (error) {
      if (error instanceof Refusal) return error.body().message as string
    }
    throw new Error(`${text} was not refused.`)
  }
  assert.match(refusalMessage('is:purple'), /unread, read, starred or answered/)
  assert.match(refusalMessage('after:2026-02-30'), /a date such as/)
  assert.match(refusalMessage('larger:huge'), /a size such as/)
  assert.match(
    refusalMessage(Array.from({ length: 31 }, (_, i) => `-w${i}`).join(' ')),
    /more than 30/,
  )
})

test('sizes are parsed in common notations', () => {
  assert.deepEqual(['10', '5K', '5mb', '1G', 'x', '-1'].map(sizeOf), [
    10,
    5120,
    5 * 1024 ** 2,
    1024 ** 3,
    undefined,
    undefined,
  ])
})

test('every label maps to a keyword that a server accepts, and back', () => {
  const labels = [
    'Work',
    'To do',
    'Büro/2026',
    '重要',
    'a&b',
    'x(1)',
    '"quoted"',
    'important',
    '100%',
    ']',
  ]
  for (const label of labels) {
    assert.match(keywordOf(label), /^[!#$&'+,\-.0-9A-Z^_`a-z|~]+$/, label)
    assert.equal(labelOf(keywordOf(label), labels), label)
  }
  assert.equal(new Set(labels.map(keywordOf)).size, labels.length)
  assert.equal(labelOf('$Forwarded', []), undefined)
  assert.equal(labelOf('NonJunk', []), undefined)
  assert.equal(labelOf('Elsewhere_made', labels), 'Elsewhere_made')
})
