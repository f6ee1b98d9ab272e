// Comments on passages of a page, with and without a mouse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const body = '# Plan\n\nShip the beta, then **ship the rest** of it.\n\nAsk the team.\n'

async function createSharedPage(title: string, body_markdown = body) {
  const { id } = await web.ann.call('create_page', { title, body_markdown })
  await web.ann.call('share_page', {
    page_id: id,
    person_id: web.bob.actor.id,
    role: 'commenter',
  })
  const comments = async () =>
    (await web.ann.call('list_page_comments', { page_id: id, limit: 100 })).items
  return { id: id as string, comments }
}

/** Selects rendered text from the first of two words to the end of the second. */
async function selectText(page: Page, first: string, last: string) {
  await page.locator('.markdown').getByText(first).first().waitFor()
  await page.evaluate(
    ([from = '', to = '']) => {
      const walker = document.createTreeWalker(
        document.querySelector('.markdown') as Element,
        NodeFilter.SHOW_TEXT,
      )
      const range = document.createRange()
      let hasStart = false
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? ''
        if (!hasStart && text.includes(from)) {
          range.setStart(node, text.indexOf(from))
          hasStart = true
        }
        if (hasStart && text.includes(to)) {
          range.setEnd(node, text.indexOf(to) + to.length)
          break
        }
      }
      const selection = getSelection()
      selection?.removeAllRanges()
      selection?.addRange(range)
    },
    [first, last],
  )
}

test('by keyboard: a reader comments on a selected passage, the author replies and resolves it', {
  skip,
}, async () => {
  const { id, comments } = await createSharedPage('Beta')
  const bob = await reopenFor(web, web.bob, `/pages/${id}`)
  await selectText(bob.page, 'then', 'ship the rest')
  await bob.press('Control+Alt+m')
  const passage = bob.page.getByRole('textbox', { name: 'Passage' })
  await passage.waitFor()
  assert.equal(await passage.inputValue(), 'then **ship the rest')
  await bob.page.keyboard.type('Which rest?')
  await bob.visitor.checkPage('page-comment-new')
  await bob.page.getByRole('textbox', { name: 'Your comment' }).focus()
  await bob.press('Control+Enter')
  const thread = bob.page.getByRole('article', { name: 'Comment of Bob' })
  await thread.getByText('Which rest?').waitFor()
  assert.deepEqual(
    (await comments()).map((item: Record<string, unknown>) => [item.quote, item.quote_offset]),
    [['then **ship the rest', body.indexOf('then')]],
  )
  const marks = bob.page.locator('mark[data-passage]')
  assert.equal((await marks.allTextContents()).join('|'), 'then |ship the rest')
  const ann = await reopenFor(web, web.ann, `/pages/${id}`)
  const bobsComment = ann.page.getByRole('article', { name: 'Comment of Bob' })
  await bobsComment.getByRole('button', { name: 'then ship the rest' }).waitFor() // without its Markdown markers
  await bobsComment.getByRole('button', { name: 'Reply' }).focus()
  await ann.press('Enter')
  await ann.page.getByRole('textbox', { name: 'Reply' }).waitFor()
  await ann.page.keyboard.type('All of it.')
  await ann.press('Control+Enter')
  await thread.getByText('All of it.').waitFor()
  await ann.visitor.checkPage('page-comments')
  await bobsComment.getByRole('button', { name: 'Resolve' }).focus()
  await ann.press('Enter')
  await thread.waitFor({ state: 'detached' })
  assert.equal(await marks.count(), 0)
  await bob.page.getByRole('button', { name: 'Show 1 resolved' }).focus()
  await bob.press('Enter')
  await thread.getByRole('button', { name: 'Reopen' }).waitFor()
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('a comment follows its passage during editing, and quotes it once it is gone; assistants can comment too', {
  skip,
}, async () => {
  const { id, comments } = await createSharedPage('Moving', 'day by day by day\r\nand on\r\n')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByText('day by day').waitFor()
  await press('e')
  const text = page.getByRole('textbox', { name: 'Text of Moving' })
  await text.waitFor()
  await press('Control+Home', 'ArrowDown')
  await press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight')
  await press('Control+Alt+m')
  await page.keyboard.type('Which and?')
  await press('Control+Enter')
  await page.getByRole('article', { name: 'Comment of Ann' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.classList.contains('cm-content'))
  const key = await web.key(web.ann)
  await web.ann.call(
    'add_page_comment',
    { page_id: id, body_markdown: 'The last one.', quote: 'day', quote_offset: 14 },
    { key },
  )
  await page.getByText('The last one.').waitFor()
  await press('Control+Home')
  await page.keyboard.type('First ')
  const offsets = async () =>
    (await comments()).map((item: Record<string, unknown>) => item.quote_offset)
  await untilTrue(
    async () => JSON.stringify(await offsets()) === '[25,20]',
    'they did not move with their passages',
  )
  await press('Control+Home', 'ArrowDown', 'Home', 'Shift+End', 'Delete')
  await page.getByText('Saved.').waitFor()
  await press('Control+Enter')
  await page.getByText('No longer in the text:').waitFor()
  await page.getByRole('article').getByText('and', { exact: true }).waitFor()
  await page.locator('mark[data-passage]').getByText('day').waitFor()
  visitor.assertNoProblems()
})

/** Everything that this browser has stored on disk. */
const storedData = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const values: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await resultOf(indexedDB.open(name))
      for (const store of db.objectStoreNames)
        values.push(await resultOf(db.transaction(store).objectStore(store).getAll()))
      db.close()
    }
    return JSON.stringify(values)
  })

test('an open page that is unshared closes by itself, and leaves nothing in the browser', {
  skip,
}, async () => {
  const { id } = await createSharedPage('Confidential', 'the secret words\n')
  const { visitor, page, press } = await openFor(web, web.bob, `/pages/${id}`)
  await page.getByText('the secret words').waitFor()
  await press('Control+Alt+m')
  await page.getByRole('textbox', { name: 'Your comment' }).waitFor()
  await page.keyboard.type('my secret answer')
  await untilTrue(
    async () => (await storedData(page)).includes('my secret answer'),
    'the text is not stored',
  )
  await web.ann.call('unshare_page', { page_id: id, person_id: web.bob.actor.id })
  await page.getByText('the secret words').waitFor({ state: 'detached' })
  await untilTrue(
    async () => !(await storedData(page)).includes('secret'),
    'the text is still stored',
  )
  await page.waitForFunction(() => !/secret|Confidential/.test(document.title))
  const visibleText = await page.locator('body').innerText()
  assert.doesNotMatch(visibleText, /secret|Confidential/)
  assert.deepEqual(visitor.problems, [])
})

test('the author of each line is shown next to it on the page', { skip }, async () => {
  const { id } = await createSharedPage('Lines', 'first line\n')
  const key = await web.key(web.ann)
  await web.ann.call('append_to_page', { page_id: id, body_markdown: 'second line' }, { key })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByText('second line').waitFor()
  await press('w')
  const lines = page.getByRole('region', { name: 'Who wrote it' })
  await lines
    .getByRole('listitem', { name: /^Lines? 1\b/ })
    .getByText('Ann')
    .waitFor()
  await visitor.checkPage('page-authors')
  await press('w')
  await lines.waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})
