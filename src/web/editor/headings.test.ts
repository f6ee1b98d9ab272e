import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingsIn } from './headings.ts'

const listHeadings = (text: string) =>
  headingsIn(text).map(({ title, level, from }) => [level, title, text.slice(from, from + 3)])

test('headings are listed by their words only, excluding code, front matter and empty ones', () => {
  const text = `---
title: x
---

# The *whole* \`plan\` #

Set
===

## [Link](https://example.org "title") and [[Page]]

\`\`\`
# no heading
\`\`\`

#

> ### Quoted ~~out~~

Under
-----
`
  assert.deepEqual(listHeadings(text), [
    [1, 'The whole plan', '# T'],
    [1, 'Set', 'Set'],
    [2, 'Link and Page', '## '],
    [3, 'Quoted out', '###'],
    [2, 'Under', 'Und'],
  ])
})

test('bare addresses are kept in a heading', () => {
  assert.deepEqual(
    listHeadings('# See https://example.org now')[0]?.[1],
    'See https://example.org now',
  )
})

test('in a very long text, the headings at its beginning are found', () => {
  const text = `# First\n\n${'*a '.repeat(400_000)}\n\n# Last\n`
  assert.equal(headingsIn(text)[0]?.title, 'First')
})
