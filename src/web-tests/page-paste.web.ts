// Tests that formatted content copied from other programs becomes Markdown when pasted into a page.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { copyHtml, makePage, pasteInto, writeAsAnn } from './page-writing.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

/** Creates a page of Ann's, and opens it in the editor; `becomes` waits until it has a text. */
async function openEditor(title: string, text: string) {
  const { id, body } = await makePage(web, title, text)
  const session = await writeAsAnn(web, id, title)
  const becomes = async (expected: string) => {
    let content = ''
    await untilTrue(
      async () => {
        content = await body()
        return content === expected
      },
      () => `the text is ${JSON.stringify(content)}`,
    )
  }
  return { ...session, becomes }
}

const html = `<meta charset="utf-8"><h2>Plan</h2><p>It <b>is</b> <a href="https://example.org/a">here</a>.</p>
<ul><li>one<ul><li>two</li></ul></li><li><input type="checkbox" checked> done</li></ul>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<p>Run:</p><pre><code class="language-sh">npm test</code></pre>
<img src="https://tracker.test/p.png" alt="A map">`

const markdown = `## Plan

It **is** [here](https://example.org/a).

- one
  - two
- [x] done

| a | b |
| - | - |
| 1 | 2 |

Run:

\`\`\`sh
npm test
\`\`\`

![A map](https://tracker.test/p.png)`

test('formatted text is pasted as Markdown, or as plain text on request, and nothing in it runs or is loaded', {
  skip,
}, async () => {
  const { visitor, page, press, text, becomes } = await openEditor('Pasted', 'Before.\n')
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await press('Control+End')
  await copyHtml(page, html, 'the plain text')
  await press('Control+v')
  await becomes(`Before.\n${markdown}`)
  await visitor.checkPage('page-paste')
  await page.keyboard.type(' On.')
  await becomes(`Before.\n${markdown} On.`)
  await press('Control+z', 'Control+z')
  await becomes('Before.\n')
  await press('Control+Shift+v')
  await becomes('Before.\nthe plain text')
  await press('Control+a')
  await pasteInto(
    text,
    'run',
    `<img src="https://tracker.test/q.png" onerror="document.title='run'"><script>document.title='run'</script><b onclick="alert(1)" style="color:red">never</b> <a href="javascript:alert(1)">run</a>`,
  )
  await becomes('![](https://tracker.test/q.png)**never** run')
  assert.notEqual(await page.title(), 'run')
  assert.deepEqual(
    requested.filter((url) => url.includes('tracker.test')),
    [],
  )
  visitor.assertNoProblems()
})

test('text copied in the editor is pasted unchanged, and code stays code', {
  skip,
}, async () => {
  const text = '# *Odd*  _text_ [x]\n\n* one\n'
  const { visitor, page, press, becomes } = await openEditor('Copied', text)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press('Control+a', 'Control+c', 'Control+End', 'Control+v')
  await becomes(text + text)
  await press('Control+a', 'Delete')
  await page.keyboard.type('```')
  await press('Enter')
  await copyHtml(page, '<p><b>let</b> a</p>', 'let a')
  await press('Control+v')
  await becomes('```\nlet a')
  visitor.assertNoProblems()
})

test('typing during a paste is kept, and the paste goes to its original position', {
  skip,
}, async () => {
  const { visitor, page, press, text, becomes } = await openEditor('Typed', 'one two')
  await copyHtml(page, '<b>new</b>', 'new')
  await press('Control+Home')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/rich-text-.*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  await press('Control+v')
  await page.keyboard.type('<')
  await press('Control+End')
  await page.keyboard.type('>')
  resolve()
  await becomes('**new**<one two>')
  await text.focus()
  await page.keyboard.type('!')
  await becomes('**new**<one two>!')
  visitor.assertNoProblems()
})

test('a drive image is rendered in place, and as Markdown at the cursor', {
  skip,
}, async () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const { id } = await web.ann.call('upload_file', {
    name: 'map.png',
    content_base64: pixel,
    mime_type: 'image/png',
  })
  const missingImage = '![none](/files/fil_00000000000000000000000000)'
  const image = `![A map](/files/${id})`
  const start = `Top\n\n${image}\n\n${missingImage}\n\n![far](https://tracker.test/x.png)\n`
  const { visitor, page, press, text, becomes } = await openEditor('Pictures', start)
  const picture = text.getByRole('img', { name: 'A map' })
  await picture.waitFor()
  assert.equal(await text.locator('img.picture').count(), 1)
  assert.match((await picture.getAttribute('src')) ?? '', /^blob:/)
  await visitor.checkPage('page-pictures')
  await press('Control+Home', 'ArrowDown', 'ArrowDown')
  await text.getByText(image).waitFor()
  await press('Control+Home')
  await picture.waitFor()
  await page.keyboard.type('At the ')
  await becomes(`At the ${start}`)
})

test('HTML that is too long, too deep or too fragmented is pasted as plain text', {
  skip,
}, async () => {
  const { visitor, press, text, becomes } = await openEditor('Large', '')
  for (const [plain, richText] of [
    ['long', `<b>long</b>${' '.repeat(1_000_000)}`],
    ['deep', `${'<div>'.repeat(101)}<b>deep</b>`],
    ['many', '<b>many</b>'.repeat(16_000)],
  ] as const) {
    await press('Control+a', 'Delete')
    await pasteInto(text, plain, richText)
    await becomes(plain)
  }
  visitor.assertNoProblems()
})
