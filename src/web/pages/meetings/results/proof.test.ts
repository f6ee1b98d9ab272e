import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt, quoteAsMarkdown, withProof } from './proof.ts'

const lines = [
  { n: 0, at_second: 5, speaker: 'Ann', text: 'Hello' },
  { n: 1, at_second: 3725, speaker: 'Bob_B', text: 'We take *two* years' },
  { n: 2, at_second: 3725, speaker: 'Ann', text: 'Agreed' },
]

test('a quote contains only plain text, with a link to its line', () => {
  assert.equal(
    withProof('Two years.', 'mtg_1', lines[1]),
    'Two years.\n\n> **Bob\\_B:** We take \\*two\\* years ([01:02:05](/meetings/mtg_1#line-1))',
  )
  assert.equal(withProof('As is', 'mtg_1', undefined), 'As is')
  assert.equal(
    quoteAsMarkdown('![x](http://a.example)\n<b> www.a.example [[Plan]] a@b.example'),
    '\\!\\[x\\](http\\://a.example) \\<b\\> www\\.a.example \\[ \\[Plan\\]\\] a\\@b.example',
  )
})

test('an address within a meeting leads to a line by number, or by the quote of an action item', () => {
  const actions = [
    { id: 'act_1', at_second: 3725, quote: 'Agreed' },
    { id: 'act_2', at_second: 5 },
    { id: 'act_3', quote: 'We take *two* years' },
    { id: 'act_4', quote: 'Never said' },
  ]
  const lineOf = (hash: string) => lineAt(hash, lines, actions)
  assert.deepEqual(
    ['line-1', 'line-3', 'source-act_1', 'source-act_2', 'source-act_3', 'source-act_4', 'x'].map(
      lineOf,
    ),
    [1, undefined, 2, 0, 1, undefined, undefined],
  )
})
