// Pages are edited in place, without a mouse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const plan =
  '# Plan\n\nFirst paragraph with *words* and `code`.\n\n## Risks\n\n- one\n- two\n\n- [ ] open\n- [x] done\n\n> quoted\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n```js\nlet a = 1\n```\n\n[[Other]] and [link](https://example.org)\n\n---\n\nLast line.\n'

async function makePage(title: string, body_markdown: string) {
  const { id } = await web.ann.call('create_page', { title, body_markdown })
  const body = async (reader: Someone = web.ann) =>
    (await reader.call('get_page', { page_id: id })).body_markdown as string
  return { id: id as string, body }
}

test('a page is edited and saved by keyboard, rendered as it looks', { skip }, async () => {
  const { id, body } = await makePage('Plan', plan)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await press('e')
  const text = page.getByRole('textbox', { name: 'Text of Plan' })
  await text.waitFor()
  await visitor.checkPage('page-editor')
  assert.equal(await text.evaluate((node) => node === document.activeElement), true)
  await press('Control+End')
  await page.keyboard.type('- three')
  await press('Enter')
  await page.keyboard.type('four')
  await press('Control+b')
  await page.keyboard.type('bold')
  await page.getByText('Saved.').waitFor()
  await press('Control+;')
  await visitor.checkPage('page-editor-source')
  await press('Control+Enter')
  await text.waitFor({ state: 'detached' })
  assert.equal(await body(), `${plan}- three\n- four**bold**`)
  await page.locator('.markdown').getByText('four').waitFor()
  visitor.assertNoProblems()
})

test('a page that is opened and saved unchanged keeps every byte and gets no version', {
  skip,
}, async () => {
  const odd = '\ufeff# Odd\r\n\r\ntabs\tand\u00a0spaces  \n<!-- html -->\r\n😀 שלום\n\n\n'
  const windows = '# Windows\r\n\r\none\r\ntwo\r\n'
  for (const [title, originalText] of Object.entries({ Odd: odd, Windows: windows })) {
    const { id, body } = await makePage(title, originalText)
    const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
    await press('e')
    const text = page.getByRole('textbox', { name: `Text of ${title}` })
    await text.waitFor()
    await press('Control+Enter')
    await text.waitFor({ state: 'detached' })
    assert.equal(await body(), originalText)
    await press('e')
    await text.waitFor()
    await press('Control+Home', 'End')
    await page.keyboard.type('x')
    await untilTrue(async () => (await body()) !== originalText, 'the character was not sent')
    await press('Backspace')
    await untilTrue(async () => (await body()) === originalText, 'it was not removed')
    await press('End')
    await page.keyboard.type('!')
    await press('Control+Enter')
    await text.waitFor({ state: 'detached' })
    const firstLine = originalText.split(/\r?\n/)[0] ?? ''
    assert.equal(await body(), originalText.replace(firstLine, `${firstLine}!`))
    const { items } = await web.ann.call('list_page_versions', { page_id: id })
    assert.equal(items.length, 2)
    visitor.assertNoProblems()
  }
})

/** Opens the text of a page for a person. */
async function openEditor(person: Someone, id: string, title: string) {
  const session = await openFor(web, person, `/pages/${id}`)
  await session.press('e')
  const text = session.page.getByRole('textbox', { name: `Text of ${title}` })
  await text.waitFor()
  return { ...session, text }
}

test('two people and an assistant edit one text without moving each other’s cursors', {
  skip,
}, async () => {
  const { id, body } = await makePage('Shared', 'one\ntwo\nthree\nfour\n')
  await web.ann.call('share_page', { page_id: id, person_id: web.bob.actor.id, role: 'editor' })
  const ann = await openEditor(web.ann, id, 'Shared')
  const bob = await openEditor(web.bob, id, 'Shared')
  await ann.press('Control+Home', 'ArrowDown', 'ArrowDown', 'End')
  await ann.page.keyboard.type(' of ann')
  await bob.text.getByText('three of ann').waitFor()
  await bob.press('Control+Home')
  await bob.page.keyboard.type('bob: ')
  await ann.text.getByText('bob: one').waitFor()
  const key = await web.key(web.ann)
  await web.ann.call(
    'edit_page_section',
    { page_id: id, find: 'two', new_markdown: 'TWO' },
    { key },
  )
  await ann.text.getByText('TWO').waitFor()
  await bob.text.getByText('TWO').waitFor()
  await bob.visitor.checkPage('page-together')
  await bob.text.focus()
  await ann.page.keyboard.type('!')
  await bob.text.getByText('three of ann!').waitFor()
  await ann.press('Control+z')
  await bob.page.keyboard.type('x')
  await ann.text.getByText('bob: xone').waitFor()
  for (const writer of [ann, bob]) {
    await writer.page.getByText('Saved.').waitFor()
    await writer.press('Control+Enter')
    await writer.text.waitFor({ state: 'detached' })
  }
  const finalText = await body()
  assert.match(finalText, /^bob: xone\nTWO\nthree/)
  assert.match(finalText, /\nfour\n$/)
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('typing survives lost responses, a reload and an offline period, and appears once', {
  skip,
}, async () => {
  const { id, body } = await makePage('Offline', 'one\n')
  const { visitor, page, press, text } = await openEditor(web.ann, id, 'Offline')
  const stepsUrl = '**/web/pages/*/steps'
  await page.route(stepsUrl, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press('Control+End')
  await page.keyboard.type('two')
  await untilTrue(async () => (await body()) === 'one\ntwo', 'the server does not have it')
  await page.getByText('Saved.').waitFor() // the stream reports it, although no response arrives
  await page.unroute(stepsUrl)
  await page.route(stepsUrl, (route) => route.abort())
  await page.keyboard.type(' and three')
  await page.getByText('it is sent when the connection is back').waitFor()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  await page.reload()
  assert.deepEqual(dialogs, ['beforeunload'], 'the browser asks while something is not sent')
  await text.getByText('two and three').waitFor()
  for (const addition of [' at once', ', again']) {
    await press('Control+End')
    await page.keyboard.type(addition)
    await page.reload() // by then, even the last letter is stored
    await text.getByText(addition).waitFor()
  }
  await web.ann.call('append_to_page', { page_id: id, position: 'start', body_markdown: 'zero' })
  await text.getByText('zero').waitFor()
  await page.unroute(stepsUrl)
  await page.getByText('Saved.').waitFor()
  await visitor.context.setOffline(true)
  await press('Control+End')
  await page.keyboard.type(' and four')
  await page.getByText('it is sent when the connection is back').waitFor()
  await visitor.context.setOffline(false)
  await page.getByText('Saved.').waitFor()
  assert.match(await body(), /^zero\n+one\ntwo and three at once, again and four$/)
  await press('Escape')
  await text.waitFor({ state: 'detached' })
  dialogs.length = 0
  await page.reload()
  assert.deepEqual(dialogs, [], 'it asks nothing once all is sent')
})

const filler = 'A line that makes the text long.\n'.repeat(30_500) // above the limit of live editing, within one request

test('a text too long for live editing is saved as a whole: other saves are merged, and conflicting lines offer a choice', {
  skip,
}, async () => {
  const { id, body } = await makePage('Long', `one\ntwo\nthree\nfour\n${filler}`)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await press('e')
  const text = page.getByRole('textbox', { name: 'Text of Long' })
  await text.waitFor()
  await page.keyboard.type('mine ')
  await web.ann.call('edit_page_section', { page_id: id, find: 'three', new_markdown: 'theirs' })
  await text.getByText('theirs').waitFor()
  await page.keyboard.type('too ')
  await web.ann.call('edit_page_section', { page_id: id, find: 'one', new_markdown: 'ONE' })
  await page.getByRole('alert').getByText('Others changed 1 place').waitFor()
  await visitor.checkPage('page-conflict')
  assert.equal(await body(), `ONE\ntwo\ntheirs\nfour\n${filler}`)
  await press('Tab', 'Tab')
  await page.getByRole('button', { name: 'Use these lines' }).focus()
  await press('Enter')
  await text.waitFor()
  await press('Control+Enter')
  await text.waitFor({ state: 'detached' })
  assert.equal(await body(), `ONE\nmine too one\ntwo\ntheirs\nfour\n${filler}`)
  visitor.assertNoProblems()
})

test('a read-only person has no editor, and a person who loses access keeps nothing of the page', {
  skip,
}, async () => {
  const { id } = await makePage('Lent', 'secret words\n')
  await web.ann.call('share_page', { page_id: id, person_id: web.bob.actor.id, role: 'viewer' })
  const { visitor, page, press } = await openFor(web, web.bob, `/pages/${id}`)
  await page.getByText('secret words').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
  await web.ann.call('share_page', { page_id: id, person_id: web.bob.actor.id, role: 'editor' })
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  await press('e')
  await page.getByRole('textbox', { name: 'Text of Lent' }).waitFor()
  await page.keyboard.type('more ')
  await page.getByText('Saved.').waitFor()
  await web.ann.call('unshare_page', { page_id: id, person_id: web.bob.actor.id })
  await page.getByText('secret words').waitFor({ state: 'detached' })
  await untilTrue(
    async () =>
      (await page.evaluate(async () => {
        const openRequest = indexedDB.open('workspace-drafts')
        await new Promise((resolve) => (openRequest.onsuccess = resolve))
        const allDrafts = openRequest.result.transaction('pages').objectStore('pages').getAll()
        await new Promise((resolve) => (allDrafts.onsuccess = resolve))
        openRequest.result.close()
        return allDrafts.result.length
      })) === 0,
    'a draft of the page is left',
  )
  assert.deepEqual(visitor.problems, [])
})

/** Finds the databases and storages of this browser that contain a text. */
const storagesWith = (page: Page, text: string) =>
  page.evaluate(async (text) => {
    const locations: string[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const openRequest = indexedDB.open(name)
      await new Promise((resolve) => (openRequest.onsuccess = resolve))
      const db = openRequest.result
      for (const store of db.objectStoreNames) {
        const allValues = db.transaction(store).objectStore(store).getAll()
        await new Promise((resolve) => (allValues.onsuccess = resolve))
        if (JSON.stringify(allValues.result).includes(text)) locations.push(`${name} ${store}`)
      }
      db.close()
    }
    for (const storage of [localStorage, sessionStorage])
      if (JSON.stringify(storage).includes(text)) locations.push('storage')
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys())
        if ((await (await caches.match(request))?.text())?.includes(text)) locations.push(name)
    return locations
  }, text)

test('an open page that is unshared, while reading or editing, closes on the event and leaves nothing', {
  skip,
}, async () => {
  for (const isWriting of [false, true]) {
    const { id } = await makePage('On loan', 'borrowed words\n')
    await web.ann.call('share_page', { page_id: id, person_id: web.bob.actor.id, role: 'editor' })
    const { visitor, page, press } = await openFor(web, web.bob, `/pages/${id}`)
    await page.getByText('borrowed words').waitFor()
    if (isWriting) {
      await press('e')
      await page.getByRole('textbox', { name: 'Text of On loan' }).waitFor()
    }
    await page.route('**/web/pages/**', (route) => route.abort()) // so that no response tells the editor
    await web.ann.call('unshare_page', { page_id: id, person_id: web.bob.actor.id })
    await page.getByText('borrowed words').waitFor({ state: 'detached' })
    await untilTrue(
      async () => (await storagesWith(page, 'borrowed words')).length === 0,
      'the text is still in the browser',
    )
    assert.deepEqual(visitor.problems, [])
    await page.close()
  }
})

test('a page unshared before the event stream opens closes once it does', {
  skip,
}, async () => {
  const { id } = await makePage('Short loan', 'lent words\n')
  await web.ann.call('share_page', { page_id: id, person_id: web.bob.actor.id, role: 'viewer' })
  const { visitor, page } = await openFor(web, web.bob, `/pages/${id}`)
  await page.getByText('lent words').waitFor()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/web/events', async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  await page.getByText('lent words').waitFor()
  await web.ann.call('unshare_page', { page_id: id, person_id: web.bob.actor.id })
  release()
  await page.getByText('lent words').waitFor({ state: 'detached' })
  assert.deepEqual(visitor.problems, [])
})

test('the title is edited in place, and the text with buttons', { skip }, async () => {
  const { id, body } = await makePage('Old title', 'words\n')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByRole('textbox', { name: 'Title' }).fill('New title')
  await press('Enter')
  await untilTrue(
    async () => (await web.ann.call('get_page', { page_id: id })).title === 'New title',
    'the title was not saved',
  )
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Text of New title' }).waitFor()
  await page.getByRole('button', { name: 'Task list' }).click()
  await page.getByRole('checkbox', { name: 'To do' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  assert.equal(await body(), '- [x] words\n')
  visitor.assertNoProblems()
})

test('brackets suggest pages by title and a new one, @ suggests people; concurrent typing is kept, and undo is one step', {
  skip,
}, async () => {
  const { id, body } = await makePage('Launch', 'See \n')
  const { id: handbookId } = await makePage('Handbook', '')
  await web.ann.call('create_page', { title: 'Rota (2027)', parent_id: handbookId })
  const twins = await Promise.all(['a', 'b'].map((text) => makePage('Twin [x]', text)))
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  await page.evaluate(() => localStorage.setItem('workspace.sidebar-folded', 'true')) // else it loads the tree earlier
  await visitor.go(`/pages/${id}`)
  await press('e')
  const text = page.getByRole('textbox', { name: 'Text of Launch' })
  await text.waitFor()
  const list = page.getByRole('listbox', { name: 'Pages' })
  const treeUrl = '**/web/call/get_page_tree'
  const requested = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  await page.route(treeUrl, async (route) => {
    requested.resolve()
    await gate.promise
    await route.continue()
  })
  await press('Control+Home', 'End')
  await page.keyboard.type('[[ro')
  await requested.promise
  await page.getByText('Looking for pages…').waitFor()
  await page.keyboard.type('ta')
  gate.resolve()
  await list.getByRole('option', { name: 'Rota (2027) Handbook' }).waitFor()
  await visitor.checkPage('page-completion')
  await text.focus()
  assert.equal(await text.getAttribute('aria-activedescendant'), 'editor-menu-0')
  await press('Enter')
  await text.getByText('Rota (2027)').waitFor()
  await press('Control+z')
  await untilTrue(async () => (await body()) === 'See [[rota\n', 'one undo did not remove the link')
  await press('Control+y')
  await page.keyboard.type(' and [[tw')
  await list.getByRole('option').nth(2).waitFor() // two of one title, and a new one
  await press('ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Tab')
  await page.keyboard.type(' and [[Brand new')
  await list.getByRole('option', { name: 'New page “Brand new”' }).waitFor()
  await press('Enter')
  await untilTrue(async () => {
    const { items } = await web.ann.call('list_pages', { parent_id: id })
    return items.some((item: { title: string }) => item.title === 'Brand new')
  }, 'the page was not created below this one')
  await page.keyboard.type(' [[not')
  await list.waitFor()
  await press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.type(' this ')
  assert.equal(await list.count(), 0)
  await page.keyboard.type('for @bo')
  await page.getByRole('listbox', { name: 'People' }).getByRole('option').first().waitFor()
  await press('Enter')
  const name = (await web.ann.call('get_person', { person_id: web.bob.actor.id })).display_name
  const expected = `See [[Rota (2027)]] and [[${twins[0]?.id}|Twin x]] and [[Brand new]] [[not this for @${name} \n`
  const alternatives = [expected, expected.replace(twins[0]?.id ?? '', twins[1]?.id ?? '')]
  await untilTrue(
    async () => alternatives.includes(await body()),
    () => `the text is not: ${expected}`,
  )
  await press('Control+Enter')
  await text.waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})
