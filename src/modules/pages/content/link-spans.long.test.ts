import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { codeRanges } from '../../../kernel/text/code-ranges.ts'
import { linkSpans } from './link-spans.ts'

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

test('on real texts code and link targets match those found by remark', () => {
  assert.ok(corpus.length > 30, 'the corpus exists')
  const parser = unified().use(remarkParse).use(remarkGfm)
  let [links, missed, wrong] = [0, 0, 0]
  for (const text of corpus) {
    const nodes = [...nodesOf(parser.parse(text) as Nodes)]
    const remarkLinks = nodes
      .filter((node) => node.type === 'link' || node.type === 'image' || node.type === 'definition')
      .filter((node) => /^(https?:|\.|\/|[\w-]+\.md)/.test(node.url))
      .map((node) => ({ url: node.url, ...node.position! }))
      .filter(({ url, start, end }) => text.slice(start.offset, end.offset) !== url) // bare addresses do not count as links here
    const ourLinks = linkSpans(text).filter((linkSpan) => linkSpan.form !== 'wiki')
    const isIn = (
      span: { start: number; end: number },
      at: { start: { offset?: number | undefined }; end: { offset?: number | undefined } },
    ) => span.end > at.start.offset! && span.start < at.end.offset!
    links += remarkLinks.length
    missed += remarkLinks.filter((at) => !ourLinks.some((span) => isIn(span, at))).length
    const code = nodes
      .filter((node) => node.type === 'code' || node.type === 'inlineCode')
      .map((node) => node.position!)
    const ranges = codeRanges(text)
    wrong += ourLinks.filter((span) =>
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
