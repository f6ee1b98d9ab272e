import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { codeRanges } from '../../../kernel/text/code-ranges.ts'
import { cpuWatch } from '../../../testing/cost.ts'
import { insideOf, linksIn, linkSpans, retargeted, rewritten } from './link-spans.ts'

const id = `pag_${'0'.repeat(25)}1`
const other = `pag_${'0'.repeat(25)}2`
const base = 'https://work.test'

test('links to pages are found in every form that they have', () => {
  const text = `See [[Plan]] and [[Big  PLAN|that]], [[${id}]], [here](${base}/pages/${other}#goals "title"), <${base}/pages/${id}>, ![[Picture page]] and
[ref]. Bare: ${base}/pages/${other}.

[ref]: /pages/${id}`
  assert.deepEqual(linksIn(text, base), [
    { title: 'plan' },
    { title: 'big plan' },
    { page: id },
    { page: other },
    { title: 'picture page' },
  ])
})

test('code, escaped brackets and other hosts hold no links', () => {
  const text = [
    '`[[Plan]]`',
    '```',
    '[[Plan]]',
    '```',
    '',
    '    [[Plan]]',
    '',
    '\\[[Plan]]',
    `[x](https://other.test/pages/${id})`,
    '``a ` [[Plan]]``',
    '~~~md',
    `[x](/pages/${id})`,
    '~~~',
  ].join('\n')
  assert.deepEqual(linksIn(text, base), [])
})

test('text behind code and after an unclosed backtick still counts', () => {
  assert.deepEqual(linksIn('a ` b [[Plan]]\n\n`c` [[Goal]]', base), [
    { title: 'plan' },
    { title: 'goal' },
  ])
})

test('footnotes and reference texts are no wiki links', () => {
  assert.deepEqual(linksIn('[[1]](https://example.com) [[2]][ref]', base), [])
  assert.deepEqual(linksIn('See [[Plan]]: it says so', base), [{ title: 'plan' }])
})

test('a target is written otherwise without touching anything else', () => {
  const text = `a [b (c)](/pages/${id}#x "t") d`
  assert.equal(
    rewritten(text, (link) => retargeted(link, `Other page.md${link.hash}`)),
    'a [b (c)](<Other page.md#x> "t") d',
  )
  assert.equal(
    rewritten('nothing here', (link) => retargeted(link, 'x')),
    'nothing here',
  )
})

test('images are told from links', () => {
  assert.deepEqual(
    linkSpans('![a [b]](x.png) [c](d.md) ![[e.png]]').map((linkSpan) => [
      linkSpan.target,
      linkSpan.embeds,
    ]),
    [
      ['x.png', true],
      ['d.md', false],
      ['e.png', true],
    ],
  )
})

test('a path leads to what its last part names', () => {
  const to = (target: string) => insideOf({ form: 'inline', target }, base)
  assert.deepEqual(
    [
      to(`/pages/${id}`),
      to(`${base}/files/fil_${'0'.repeat(26)}`),
      to(id),
      to(`//evil.test/${id}`),
      to(`${base}.evil.test/${id}`),
    ],
    [{ page: id }, { file: `fil_${'0'.repeat(26)}` }, { page: id }, undefined, undefined],
  )
})

/** All nodes of a tree. */
function* nodesOf(node: Nodes): Generator<Nodes> {
  yield node
  if ('children' in node) for (const child of node.children) yield* nodesOf(child as Nodes)
}

const corpus = globSync([
  'node_modules/*/README.md',
  'node_modules/*/CHANGELOG.md',
  'node_modules/@*/*/README.md',
])
  .sort()
  .slice(0, 200)
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => text.length < 60_000)

test('on real texts code and link targets are those that remark finds', () => {
  assert.ok(corpus.length > 30, 'the corpus is there')
  const parser = unified().use(remarkParse).use(remarkGfm)
  let [links, missed, wrong] = [0, 0, 0]
  for (const text of corpus) {
    const nodes = [...nodesOf(parser.parse(text) as Nodes)]
    const theirs = nodes
      .filter((node) => node.type === 'link' || node.type === 'image' || node.type === 'definition')
      .filter((node) => /^(https?:|\.|\/|[\w-]+\.md)/.test(node.url))
      .map((node) => node.position!)
    const ours = linkSpans(text).filter((linkSpan) => linkSpan.form !== 'wiki')
    const isIn = (
      span: { start: number; end: number },
      at: { start: { offset?: number | undefined }; end: { offset?: number | undefined } },
    ) => span.end > at.start.offset! && span.start < at.end.offset!
    links += theirs.length
    missed += theirs.filter((at) => !ours.some((span) => isIn(span, at))).length
    const code = nodes
      .filter((node) => node.type === 'code' || node.type === 'inlineCode')
      .map((node) => node.position!)
    const ranges = codeRanges(text)
    wrong += ours.filter((span) =>
      code.some((at) => span.start >= at.start.offset! && span.end <= at.end.offset!),
    ).length
    assert.ok(
      ranges.every((range, i) => i === 0 || ranges[i - 1]!.end <= range.start),
      'ranges are in order',
    )
  }
  assert.ok(links > 500)
  assert.ok(missed <= links / 50, `${missed} of ${links} links were not found`)
  assert.ok(wrong <= links / 100, `${wrong} links were found in code`)
})

test('a long text is looked through in a moment', () => {
  const text = `# Heading\n\nSome words and a [link](/pages/${id}) with \`code\`.\n\n`.repeat(
    120_000,
  )
  const spent = cpuWatch()
  assert.equal(linksIn(text, base).length, 1)
  assert.ok(spent() < 3000)
  for (const unit of ['[[', '](', '`', '[a](b', '<http://', '``` ']) {
    const spent = cpuWatch()
    linkSpans(unit.repeat(200_000))
    assert.ok(spent() < 3000, unit)
  }
})
