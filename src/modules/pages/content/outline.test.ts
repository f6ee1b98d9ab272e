import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingsNamed, pageOutline, pageSectionOf } from './outline.ts'
import { remarkHeadings, outlineHeadings } from './testing.ts'

test('fences, quotations, lists, HTML and indented code contain no headings, but underlined text is one', () => {
  const text =
    '# A\n\n```\n# no\n```\n\n> # no\n\n- # no\n\n    # no\n\n<div>\n# no\n</div>\n\nTwo *lines*\nof text\n===\n\nNot  \n---\n\n#not\n\n####### not\n\n##  `B`  ##\n'
  assert.deepEqual(outlineHeadings(text), remarkHeadings(text))
  assert.deepEqual(
    outlineHeadings(text).map((our) => our[1]),
    ['A', 'Two lines of text', 'Not', 'B'],
  )
})

test('a section ends before the next heading of its level or a higher one', () => {
  const text = '# A\na\n## B\nb\n# C\r\nc'
  const outline = pageOutline(text)
  const cut = (at: number) =>
    text.slice(
      pageSectionOf(outline, at, text.length).start,
      pageSectionOf(outline, at, text.length).end,
    )
  assert.deepEqual([cut(0), cut(1), cut(2)], ['# A\na\n## B\nb\n', '## B\nb\n', '# C\r\nc'])
  assert.deepEqual(
    outline.map((heading) => heading.anchor),
    ['a', 'b', 'c'],
  )
})

test('headings are addressed by their words, anchor or path', () => {
  const outline = pageOutline('# One > Two\n# Setup\n## On *Linux*\n### Notes\n# Other\n## Notes\n')
  assert.deepEqual(headingsNamed(outline, 'one > two'), [0])
  assert.deepEqual(headingsNamed(outline, 'on linux'), [2])
  assert.deepEqual(headingsNamed(outline, '#on-linux'), [2])
  assert.deepEqual(headingsNamed(outline, '## On Linux'), [2])
  assert.deepEqual(headingsNamed(outline, 'notes'), [3, 5])
  assert.deepEqual(headingsNamed(outline, 'Setup > Notes'), [3])
  assert.deepEqual(headingsNamed(outline, 'Other>Notes'), [5])
  assert.deepEqual(headingsNamed(outline, 'Nothing > Notes'), [])
})
