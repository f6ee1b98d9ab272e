import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../../testing/cost.ts'
import { internalTargetOf, linksIn, linkSpans, withTarget, rewriteLinks } from './link-spans.ts'

const id = `pag_${'0'.repeat(25)}1`
const other = `pag_${'0'.repeat(25)}2`
const base = 'https://work.test'

test('page links are found in every supported form', () => {
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

test('code, escaped brackets and other hosts contain no links', () => {
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

test('text after code and after an unclosed backtick is still scanned', () => {
  assert.deepEqual(linksIn('a ` b [[Plan]]\n\n`c` [[Goal]]', base), [
    { title: 'plan' },
    { title: 'goal' },
  ])
})

test('footnotes and reference texts are not wiki links', () => {
  assert.deepEqual(linksIn('[[1]](https://example.com) [[2]][ref]', base), [])
  assert.deepEqual(linksIn('See [[Plan]]: it says so', base), [{ title: 'plan' }])
})

test('rewriting a target changes nothing else', () => {
  const text = `a [b (c)](/pages/${id}#x "t") d`
  assert.equal(
    rewriteLinks(text, (link) => withTarget(link, `Other page.md${link.hash}`)),
    'a [b (c)](<Other page.md#x> "t") d',
  )
  assert.equal(
    rewriteLinks('nothing here', (link) => withTarget(link, 'x')),
    'nothing here',
  )
})

test('images are distinguished from links', () => {
  assert.deepEqual(
    linkSpans('![a [b]](x.png) [c](d.md) ![[e.png]]').map((linkSpan) => [
      linkSpan.target,
      linkSpan.isEmbedded,
    ]),
    [
      ['x.png', true],
      ['d.md', false],
      ['e.png', true],
    ],
  )
})

test('a path refers to the item that its last segment names', () => {
  const to = (target: string) => internalTargetOf({ form: 'inline', target }, base)
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

test('a long text is scanned quickly', () => {
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
