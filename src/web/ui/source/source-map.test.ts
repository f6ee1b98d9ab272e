import assert from 'node:assert/strict'
import { test } from 'node:test'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { mapSource, type Passage, type SourceNode } from './source-map.ts'

/** The spans of a rendered text: their text, their source position, and the passage that contains them. */
function spansOf(source: string, passages: readonly Passage[] = []) {
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype)
  const tree = processor.runSync(processor.parse(source)) as SourceNode
  mapSource(tree, source, passages)
  const drawnSpans: { shown: string; source: string; passage?: unknown }[] = []
  const walk = (node: SourceNode, passage?: unknown): void => {
    const { dataFrom, dataTo, dataPassage } = node.properties ?? {}
    if (dataFrom !== undefined)
      drawnSpans.push({
        shown: node.children?.[0]?.value ?? '',
        source: source.slice(Number(dataFrom), Number(dataTo)),
        ...(passage === undefined ? {} : { passage }),
      })
    else for (const child of node.children ?? []) walk(child, dataPassage ?? passage)
  }
  walk(tree)
  return drawnSpans
}

test('every rendered piece of text maps to its position in the source', () => {
  const source =
    '# Plan for **us**\n\nOne *two* `three` and [four](https://example.org).\n\n- five\n- [ ] six [[Seven|7]]\n\n> eight\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet nine = 9\n```\n'
  const spans = spansOf(source)
  for (const { shown, source: sourceText } of spans) assert.equal(sourceText, shown)
  const texts = spans.map((item) => item.shown.trim())
  const expected =
    'Plan for|us|One|two|three|and|four|.|five|six|[[Seven|7]]|eight|a|b|1|2|let nine = 9'
  assert.equal(texts.join('|'), expected)
})

test('repeated words map to their own positions, and text that differs from its source maps as a whole', () => {
  const source = 'word `word` word\n\n> one\n> two &amp; three\n'
  const spans = spansOf(source)
  assert.deepEqual(
    spans.slice(0, 3).map((span) => span.shown.trim()),
    ['word', 'word', 'word'],
  )
  assert.match(spans[3]?.source ?? '', /^one\n> two &amp; three$/)
})

test('a passage is marked across everything it spans, and only there', () => {
  const source = 'One *two* three and four.'
  const passages = [{ id: 'c1', start: 0, end: source.indexOf(' and') }]
  assert.deepEqual(
    spansOf(source, passages).map(({ shown, passage }) => [shown, passage]),
    [
      ['One ', 'c1'],
      ['two', 'c1'],
      [' three', 'c1'],
      [' and four.', undefined],
    ],
  )
})
