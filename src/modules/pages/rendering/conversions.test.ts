import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlOf } from './renderer.ts'
import { toHtml, toMarkdown } from './conversions.ts'

test('tables, task lists, code and footnotes become HTML', () => {
  const html = toHtml(
    '# Big *plan*\n\n# Big plan\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n- [x] done\n\n```js\nlet a\n```\n\nText[^1].\n\n[^1]: Note\n',
  )
  for (const piece of [
    '<h1 id="big-plan">Big <em>plan</em></h1>',
    '<h1 id="big-plan-1">',
    '<td align="center">2</td>',
    '<input type="checkbox" checked disabled>',
    '<code class="language-js">let a',
    'href="#user-content-fn-1"',
    'id="user-content-fn-1"',
  ])
    assert.ok(html.includes(piece), `${piece} in ${html}`)
})

test('page content cannot run scripts, load resources or show forms', () => {
  const html = toHtml(
    [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<iframe src="https://evil.test"></iframe>',
      '[a](javascript:alert(1))',
      '<a href="data:text/html,x" onclick="x">b</a>',
      '<form action="/x"><input name=p><button>go</button></form>',
      '<style>body{}</style>',
      '<svg onload=alert(1)></svg>',
      '<math><mi xlink:href="data:x"></mi></math>',
      '![x](http://plain.test/x.png)',
      '<meta http-equiv=refresh content=0>',
      '<base href="//evil.test">',
      '<details open><summary>More</summary>text</details>',
      '<https://safe.test>',
      '<object data=x></object>',
      '<p style="position:fixed">x</p>',
    ].join('\n\n'),
  )
  assert.doesNotMatch(
    html,
    /script|onerror|onclick|onload|iframe|javascript:|data:|<form|<button|<style|style=|<svg|<math|plain\.test|<meta|<base|<object/i,
  )
  assert.match(html, /<details open><summary>More<\/summary>text<\/details>/)
  assert.match(html, /<a href="https:\/\/safe.test" rel="nofollow noopener noreferrer">/)
})

test('images become plain links, so that no other site learns who reads a page', () => {
  const text =
    '![a chart](https://elsewhere.test/x.png) ![](https://elsewhere.test/y.png) <img src="https://elsewhere.test/z.png"> [![badge](https://elsewhere.test/b.png)](https://safe.test)'
  const html = toHtml(text)
  assert.doesNotMatch(html, /<img/)
  assert.match(
    html,
    /<a href="https:\/\/elsewhere.test\/x.png" rel="nofollow noopener noreferrer">a chart<\/a> <a href="[^"]*y.png"[^>]*>https:\/\/elsewhere.test\/y.png<\/a>/,
  )
  assert.match(html, /<a href="https:\/\/safe.test"[^>]*><span>badge<\/span><\/a>/)
  assert.match(
    toHtml(text, '', 0, true),
    /<img src="https:\/\/elsewhere.test\/x.png" alt="a chart">/,
    'exports keep images',
  )
})

test('anchors of several texts on one page do not collide', () => {
  assert.equal(
    toHtml('## Goals\n\n[up](#goals)', 'p2-'),
    '<h2 id="p2-goals">Goals</h2>\n<p><a href="#p2-goals">up</a></p>',
  )
})

test('HTML is converted to Markdown, with its title', () => {
  const { text, title } = toMarkdown(
    '<html><head><title>A &amp; B</title><style>x</style></head><body><h1>Head</h1><p>Some <strong>bold</strong> <a href="b.html">link</a></p><table><tr><th>x</th></tr><tr><td>1</td></tr></table><script>bad()</script></body></html>',
  )
  assert.equal(title, 'A & B')
  assert.equal(text, '# Head\n\nSome **bold** [link](b.html)\n\n| x |\n| - |\n| 1 |\n')
})

test('a text that cannot be rendered is shown as is, and the next one is rendered', async () => {
  const [deep, plain] = await Promise.all([htmlOf(`${'> '.repeat(20_000)}<b>`), htmlOf('*a*')])
  assert.ok(
    deep.startsWith('<pre>&#62; &#62; ') && deep.endsWith('&#60;b&#62;</pre>'),
    deep.slice(0, 100),
  )
  assert.equal(plain, '<p><em>a</em></p>')
})
