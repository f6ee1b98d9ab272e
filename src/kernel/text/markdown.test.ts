import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocks, factList, fenced, quotation, section } from './markdown.ts'

test('a quotation has its mark before every line, for any line ending', () => {
  assert.equal(
    quotation('# one\r\ntwo\rthree\u2028## four\n\nfive\n'),
    '> # one\n> two\n> three\n> ## four\n>\n> five',
  )
})

test('a fence is longer than any in the text', () => {
  assert.equal(fenced('a'), '```\na\n```')
  assert.equal(fenced('````\na', 'json'), '`````json\n````\na\n`````')
})

test('a fact is one line, and facts without a value are omitted', () => {
  assert.equal(
    factList({ Name: 'a\n- Role: admin', Role: '', Points: 0, Due: undefined }),
    '- Name: a - Role: admin\n- Points: 0',
  )
})

test('sections without a body are omitted', () => {
  assert.equal(
    blocks('# a', section('b', []), section('c', ['- d', '- e'])),
    '# a\n\n## c\n\n- d\n- e\n',
  )
})
