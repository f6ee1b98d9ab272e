// Texts too long for live editing are saved as a whole, even with an unstable connection.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePage, pasteInto, writeAsAnn } from './page-writing.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

/** 1.5 MB in long lines, with characters that JSON and Markdown encode differently. */
const longText = () =>
  `top\n${`A “line” of 1,000 letters: ${'ä\\"x '.repeat(200)}\n`.repeat(1450)}bottom\n`

/** Records long tasks of the page above 50 milliseconds. */
const recordLongTasks = (page: Page) =>
  page.evaluate(() => {
    const recorder = window as unknown as { slow: number[] }
    recorder.slow = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) recorder.slow.push(entry.duration)
    }).observe({ type: 'longtask' })
  })

test('a page of 1.5 MB is edited and saved byte for byte, merged with concurrent changes', {
  skip,
}, async () => {
  const start = longText()
  assert.ok(Buffer.byteLength(start) > 1_500_000)
  const { id, body } = await makePage(web, 'Full', start)
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Full')
  await page.getByText('No unsaved changes.').waitFor()
  await recordLongTasks(page)
  await press('Control+Home')
  await page.keyboard.type('Mine, typed: ü ', { delay: 60 })
  await press('Enter')
  await page.getByText('Not saved yet.').waitFor()
  const slow = await page.evaluate(() => (window as unknown as { slow: number[] }).slow)
  assert.ok(Math.max(0, ...slow) < 400, `keys took ${slow.map(Math.round)} ms`) // about 100 on an idle machine
  await visitor.checkPage('page-long')
  await press('Control+Enter')
  await text.waitFor({ state: 'detached' })
  const firstSave = `Mine, typed: ü \n${start}`
  assert.equal((await body()) === firstSave, true)
  await page.reload()
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  await press('e')
  await text.waitFor()
  await page.getByText('No unsaved changes.').waitFor()
  await press('Control+End')
  await page.keyboard.type('the end')
  await visitor.context.setOffline(true)
  await web.ann.call('edit_page_section', {
    page_id: id,
    find: 'Mine, typed',
    new_markdown: 'Theirs',
  })
  await press('Control+Enter')
  await page.getByText('Saved in this browser').waitFor()
  await visitor.context.setOffline(false)
  await text.waitFor({ state: 'detached' })
  assert.equal((await body()) === `${firstSave.replace('Mine, typed', 'Theirs')}the end`, true)
  visitor.assertNoProblems()
})

test('typing after an offline save is sent along once connected, and editing continues', {
  skip,
}, async () => {
  const start = longText()
  const { id, body } = await makePage(web, 'Typed on', start)
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Typed on')
  await page.getByText('No unsaved changes.').waitFor()
  await visitor.context.setOffline(true)
  await press('Control+Home')
  await page.keyboard.type('asked for ')
  await press('Control+Enter')
  await page.getByText('Saved in this browser').waitFor()
  await page.keyboard.type('and typed on ')
  await page.waitForTimeout(1000)
  await page.getByText('Saved in this browser').waitFor()
  await page.route(
    /\/web\/pages\/[^/]+\/text$/,
    async (route) => {
      await page.keyboard.type('!') // while it is sent
      await route.continue()
    },
    { times: 1 },
  )
  await visitor.context.setOffline(false)
  await page.getByText('No unsaved changes.').waitFor()
  assert.equal((await body()) === `asked for and typed on !${start}`, true)
  await page.keyboard.type('?')
  await page.getByText('Not saved yet.').waitFor()
  await press('Control+Enter')
  await text.waitFor({ state: 'detached' })
  assert.equal((await body()) === `asked for and typed on !?${start}`, true)
  visitor.assertNoProblems()
})

test('text too large for one request is saved in parts, resuming after a lost response, even in a reopened browser', {
  skip,
}, async () => {
  const { id, body } = await makePage(web, 'Pieces', longText())
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Pieces')
  await page.getByText('No unsaved changes.').waitFor()
  const pasted = `${'🐟 “fish” and more\n'.repeat(75_000)}done`
  await press('Control+a')
  await pasteInto(text, pasted)
  let requests = 0
  await page.route(/\/web\/pages\/[^/]+\/text$/, async (route) => {
    if (++requests === 3) await route.fetch() // the server accepts it, but the response is lost
    await (requests === 3 ? route.abort() : route.continue())
  })
  await press('Control+Enter')
  await page.getByText('Saved in this browser').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  await press('e')
  await text.waitFor()
  await page.getByText('Not saved yet.').waitFor()
  await press('Control+Enter')
  await text.waitFor({ state: 'detached' })
  assert.ok(requests >= 4, `${requests} requests`)
  assert.equal((await body()) === pasted, true)
  assert.deepEqual(
    visitor.problems.filter((problem) => !/ERR_FAILED/.test(problem)),
    [],
  )
})
