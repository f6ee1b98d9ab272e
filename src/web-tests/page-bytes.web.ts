// The Markdown files of this repository stay identical to the byte when opened in the editor and closed again.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const repositoryRoot = new URL('../../', import.meta.url).pathname

const files = globSync(['*.md', 'docs/*.md'], { cwd: repositoryRoot }).sort()
assert.ok(files.length > 40, `${files.length} files`)
/** Number of files in one test: each takes seconds. */
const filesPerTest = 8

for (let offset = 0; offset < files.length; offset += filesPerTest)
  test(`typing and deleting a character in a repository file preserves every byte and creates no version: from ${files[offset]}`, {
    skip,
  }, async () => {
    const { visitor, page, press } = await openFor(web, web.ann, '/pages')
    for (const [n, file] of files.slice(offset, offset + filesPerTest).entries()) {
      const text = readFileSync(repositoryRoot + file, 'utf8')
      const body_markdown = n % 4 === 0 ? text.replaceAll('\n', '\r\n') : text
      const { id } = await web.ann.call('create_page', { title: file, body_markdown })
      await page.getByRole('treeitem', { name: file, exact: true }).click()
      await page.getByRole('button', { name: 'Edit' }).waitFor()
      await press('e')
      const editor = page.getByRole('textbox', { name: `Text of ${file}` })
      await editor.waitFor()
      await press(n % 2 === 0 ? 'Control+End' : 'Control+Home')
      await page.keyboard.type('x')
      await press('Backspace')
      await page.getByText('Saved.').waitFor()
      await press('Control+Enter')
      await editor.waitFor({ state: 'detached' })
      const edited = await web.ann.call('get_page', { page_id: id })
      assert.equal(edited.body_markdown, body_markdown, file)
      const { items } = await web.ann.call('list_page_versions', { page_id: id })
      assert.equal(items.length, 1, `${file} has no other version`)
      await page.goBack()
      await web.ann.call('delete_page', { page_id: id }) // the tree renders only what fits on the screen
    }
    visitor.assertNoProblems()
  })
