import assert from 'node:assert/strict'
import { test } from 'node:test'
import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import type { HtmlNode } from '../../ui/source/html-tree.ts'
import { pastedTreeAsMarkdown } from './rich-text.ts'

const htmlParser = unified().use(rehypeParse, { fragment: true })

const toMarkdown = (html: string) =>
  pastedTreeAsMarkdown(htmlParser.parse(html) as HtmlNode, 'https://work.test')

test('HTML elements become Markdown syntax', () => {
  for (const [html, markdown] of [
    [
      '<h2>Plan</h2><p>It <b>is</b> <i>so</i>, <del>not</del> <code>x</code></p>',
      '## Plan\n\nIt **is** *so*, ~~not~~ `x`',
    ],
    [
      '<a href="https://a.test/b">words</a> and <a href="mailto:us@a.test">mail</a>',
      '[words](https://a.test/b) and [mail](mailto:us@a.test)',
    ],
    ['<ul><li>one<ul><li>two</li></ul></li><li><p>three</p></li></ul>', '- one\n  - two\n- three'],
    ['<ol start="3"><li>c</li><li>d</li></ol>', '3. c\n4. d'],
    [
      '<ul><li><input type="checkbox" checked disabled> done</li><li><input type="checkbox"> open</li></ul>',
      '- [x] done\n- [ ] open',
    ],
    ['<blockquote><p>q</p><p>r</p></blockquote><hr>', '> q\n>\n> r\n\n---'],
    [
      '<p>Run:</p><pre><code class="language-ts">let a\n\nlet b</code></pre>',
      'Run:\n\n```ts\nlet a\n\nlet b\n```',
    ],
    [
      '<table><tr><th>a|b</th><th>c</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a\\|b | c |\n| ---- | - |\n| 1    | 2 |',
    ],
    ['<p><img src="https://a.test/p.png" alt="A plan"></p>', '![A plan](https://a.test/p.png)'],
    [
      '<b>snake_case *stars* https://a.test/a_b.</b>',
      '**snake_case \\*stars\\* <https://a.test/a_b>.**',
    ],
  ] as const)
    assert.equal(toMarkdown(html), markdown)
})

test('HTML from browsers and office programs is converted', () => {
  for (const [html, markdown] of [
    [
      '<b style="font-weight:normal"><p><span style="font-weight:700">B</span><span style="font-style:italic"> it</span></p></b>',
      '**B** *it*',
    ],
    ['<ul><li>one</li><ul><li>two</li></ul><li>three</li></ul>', '- one\n  - two\n- three'],
    [
      '<ul><li role="checkbox" aria-checked="true"><p>x</p></li><li><span role="img">☐ </span>y</li></ul>',
      '- [x] x\n- [ ] y',
    ],
    [
      '<table><tr><td>a</td><td><p>b</p><ul><li>c</li></ul></td></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a | b c |\n| - | --- |\n| 1 | 2   |',
    ],
    [
      '<table><tr><td><table><tr><td>mail <b>x</b></td></tr></table></td></tr></table>',
      'mail **x**',
    ],
    ['<span>one</span><b> two </b><span>three</span>', 'one **two** three'],
    ['<h1><span style="font-weight:700">Plan</span></h1>', '# Plan'],
  ] as const)
    assert.equal(toMarkdown(html), markdown)
})

test('no link runs code, no image tracks readers, and workspace addresses become paths', () => {
  for (const [html, markdown] of [
    [
      '<b>x</b> <a href="javascript:alert(1)">no</a> <a href="#top">top</a> <a href="/a">a</a>',
      '**x** no top a',
    ],
    [
      '<b>x</b><img src="data:image/png;base64,AA"><img src="blob:x" alt="lost"><img src="https://t.test/" width="1">',
      '**x**lost',
    ],
    ['<a href="https://work.test/pages/p?a=1#b">own</a>', '[own](/pages/p?a=1#b)'],
    ['<h2><a href="https://a.test/#x"></a>Plan</h2>', '## Plan'],
  ] as const)
    assert.equal(toMarkdown(html), markdown)
})

test('unformatted text and pure code fall back to plain text', () => {
  for (const html of [
    '<p>plain <span style="color: red">words</span> https://a.test</p><div># no heading</div>',
    '<div style="font-family: Menlo, monospace; white-space: pre;"><div><span style="font-weight: bold"># x</span></div></div>',
    '<pre><code>let <b>a</b></code></pre>',
    '<b> </b><br>',
  ])
    assert.equal(toMarkdown(html), undefined, html)
})
