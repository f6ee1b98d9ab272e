import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { headingsNamed, pageOutline, sectionOf } from './outline.ts'

interface Node {
  type: string
  depth?: number
  value?: string
  alt?: string
  children?: Node[]
  position?: { start: { offset?: number; line: number } }
}

const remark = unified().use(remarkParse).use(remarkGfm)

/** The headings that remark finds at the top of a text. */
function byRemark(text: string): [number, string, number][] {
  const plain = (node: Node): string =>
    node.type === 'html' || node.type === 'footnoteReference'
      ? ''
      : (node.value ??
        node.alt ??
        (node.type === 'break' ? ' ' : (node.children ?? []).map(plain).join('')))
  const tree = remark.parse(text) as Node
  return tree
    .children!.filter((node) => node.type === 'heading')
    .map((node) => [
      node.depth!,
      plain(node).replaceAll(/\s+/g, ' ').trim(),
      node.position!.start.line,
    ])
}

const ours = (text: string) =>
  pageOutline(text).map(({ level, heading, line }) => [level, heading, line])

test('the outline is the one that remark finds, in every document of the project and of its packages', () => {
  const root = join(import.meta.dirname, '../../../..')
  const inPackages = readdirSync(join(root, 'node_modules'), { withFileTypes: true })
    .filter((dirent) => dirent.isDirectory() && !dirent.name.startsWith('@'))
    .map((dirent) => join(root, 'node_modules', dirent.name, 'README.md'))
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name))
  let looked = 0
  for (const file of [...inDocs.slice(0, 40), ...inPackages]) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      continue // not every package has one of this name
    }
    if (text.length > 40_000 || looked > 150) continue
    looked++
    assert.deepEqual(ours(text), byRemark(text), file)
  }
  assert.ok(looked > 100, `${looked} documents`)
})

test('fences, quotations, lists, HTML and indented code hold no headings, and underlines make some', () => {
  const text =
    '# A\n\n```\n# no\n```\n\n> # no\n\n- # no\n\n    # no\n\n<div>\n# no\n</div>\n\nTwo *lines*\nof text\n===\n\nNot  \n---\n\n#not\n\n####### not\n\n##  `B`  ##\n'
  assert.deepEqual(ours(text), byRemark(text))
  assert.deepEqual(
    ours(text).map((our) => our[1]),
    ['A', 'Two lines of text', 'Not', 'B'],
  )
})

test('both agree on texts that nobody would write', () => {
  const pieces = fc.constantFrom(
    '# a',
    '## b\n',
    '---',
    '===',
    'text',
    '\n',
    '\n\n',
    '\r\n',
    '```',
    '~~~',
    '> ',
    '- ',
    '1. ',
    '    ',
    '\t',
    '<div>',
    '<!--',
    '-->',
    '| a |',
    '| - |',
    '**',
    '`',
    '#',
    '# ',
    'x\n---\n',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = parts.join('')
      assert.deepEqual(
        ours(text).map((our) => [our[0], our[2]]),
        byRemark(text).map((item) => [item[0], item[2]]),
      )
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('a section ends before the next heading of its level or a higher one', () => {
  const text = '# A\na\n## B\nb\n# C\r\nc'
  const outline = pageOutline(text)
  const cut = (at: number) =>
    text.slice(sectionOf(outline, at, text.length).start, sectionOf(outline, at, text.length).end)
  assert.deepEqual([cut(0), cut(1), cut(2)], ['# A\na\n## B\nb\n', '## B\nb\n', '# C\r\nc'])
  assert.deepEqual(
    outline.map((heading) => heading.anchor),
    ['a', 'b', 'c'],
  )
})

test('headings are named by their words, anchor or path', () => {
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
