// The versions of a page: authors, and how to restore one, without a mouse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const lines = Array.from({ length: 24 }, (_, n) => `Line ${n + 1} of the handbook.`)

/** A page with three versions: by Ann, by Bob's assistant, and one written by both. */
async function makePage(): Promise<{ id: string; body: () => Promise<string> }> {
  const { id } = await web.ann.call('create_page', {
    title: 'Handbook',
    body_markdown: `${lines.join('\n\n')}\n`,
  })
  await web.ann.call('share_page', { page_id: id, person_id: web.bob.id, role: 'editor' })
  const key = await web.key(web.bob, { name: 'Proofreader' })
  await web.bob.call(
    'edit_page_section',
    { page_id: id, find: 'Line 12 of the handbook.', new_markdown: 'Line twelve of the handbook.' },
    { key, via: 'mcp' },
  )
  const body = async () => (await web.ann.call('get_page', { page_id: id })).body_markdown as string
  return { id, body }
}

/** Types at the end of a page's text, and leaves it open. */
async function typeAs(person: Someone, id: string, text: string) {
  const session = await openFor(web, person, `/pages/${id}`)
  await session.press('e')
  const editor = session.page.getByRole('textbox', { name: 'Text of Handbook' })
  await editor.waitFor()
  await session.press('Control+End')
  await session.page.keyboard.type(text)
  await session.page.getByText('Saved.').waitFor()
  const leave = async () => {
    await session.press('Control+Enter')
    await editor.waitFor({ state: 'detached' })
  }
  return { ...session, leave }
}

test('by keyboard: versions show their authors and changes, and an earlier one is restored with undo', {
  skip,
}, async () => {
  const { id, body } = await makePage()
  const ann = await typeAs(web.ann, id, 'Written by Ann. ')
  const bob = await typeAs(web.bob, id, 'Written by Bob.')
  await bob.leave()
  await ann.leave()
  bob.visitor.assertNoProblems()
  const { visitor, page, press } = ann
  const typedBody = await body()

  await press('h')
  await page.waitForURL(`**/pages/${id}/versions`)
  const list = page.getByRole('navigation', { name: 'Versions' })
  const latest = list.getByRole('link', { name: /^Version 3/ })
  await latest.waitFor()
  assert.match((await latest.textContent()) ?? '', /current.*Ann.*Bob|current.*Bob.*Ann/)
  const view = page.getByRole('article')
  await view.getByText('Written by Ann. Written by Bob.').waitFor()
  await visitor.checkPage('page-versions')

  await press('j')
  await page.waitForURL(`**/pages/${id}/versions/*`)
  await page.waitForFunction(() => /^Version 2/.test(document.activeElement?.textContent ?? ''))
  await view.getByText('by a key of Bob').waitFor()
  assert.equal(await view.getByText('Proofreader').count(), 1)
  assert.equal(await view.locator('del mark').textContent(), '12')
  assert.equal(await view.locator('ins mark').textContent(), 'twelve')
  await view.getByText('1 line added, 1 line removed').waitFor()
  await view.getByText('19 unchanged lines').waitFor()
  await visitor.checkPage('page-version')

  await press('j', '2')
  await view.getByRole('heading', { name: 'Version 1' }).waitFor()
  await view.getByText('Line twelve').waitFor()
  await view.getByText('Written by Bob.').waitFor()
  await press('3')
  await view.locator('.markdown').getByText('Line 12 of the handbook.').waitFor()
  await press('k', 'k', '4')
  const lastLines = view.getByRole('listitem').filter({ hasText: 'Written by Bob.' })
  await lastLines.getByText('Ann', { exact: true }).waitFor()
  await lastLines.getByRole('link', { name: 'Version 3' }).waitFor()
  const editedLine = view.getByRole('listitem', { name: 'Line 23' })
  assert.match((await editedLine.textContent()) ?? '', /Proofreader by a key of Bob.*Line twelve/)
  await visitor.checkPage('page-line-authors')
  await press('j', 'j', '3')
  await view.locator('.markdown').getByText('Line 12 of the handbook.').waitFor()
  await press('r')
  await page.getByText('Handbook: version 1 restored').waitFor()
  await list.getByRole('link', { name: /^Version 4.*current/ }).waitFor()
  assert.equal(await body(), `${lines.join('\n\n')}\n`)
  await press('z')
  await untilTrue(async () => (await body()) === typedBody, 'the restore was not undone')
  await list.getByRole('link', { name: /^Version 3.*current/ }).waitFor()
  await press('Escape')
  await page.waitForURL(`**/pages/${id}`)
  await page.getByRole('link', { name: 'Versions', exact: false }).first().waitFor()
  visitor.assertNoProblems()
})

test('a read-only person cannot restore, and a stranger finds no page', {
  skip,
}, async () => {
  const { id } = await makePage()
  const { items } = await web.ann.call('list_page_versions', { page_id: id })
  const path = `/pages/${id}/versions/${items[0].id}`
  await web.ann.call('update_page', { page_id: id, title: 'Handbook of all' })
  await web.ann.call('share_page', { page_id: id, person_id: web.carol.actor.id, role: 'viewer' })
  const carol = await openFor(web, web.carol, path)
  const view = carol.page.getByRole('article')
  await view.getByText('by a key of Bob').waitFor()
  assert.equal(await view.getByText('An assistant').count(), 1) // the name of a key is for its owner and administrators
  await view.getByText('Line twelve').waitFor()
  assert.equal(await carol.page.getByRole('button', { name: 'Restore this version' }).count(), 0)
  await carol.press('r', 'k')
  await view.getByText('Title before: Handbook').waitFor()
  await view.getByText('The texts are the same.').waitFor()
  assert.equal((await web.ann.call('list_page_versions', { page_id: id })).items.length, 3)
  carol.visitor.assertNoProblems()
  const eve = await openFor(web, web.eve, path)
  await eve.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assert.deepEqual(eve.visitor.problems, [])
})
