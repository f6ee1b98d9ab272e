// Tests the cursors of other people in a shared text: their names appear briefly, and no view is scrolled by them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
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

const lines = Array.from({ length: 120 }, (_, n) => `This is line ${n + 1} of the plan.`)

async function createSharedPage(
  title: string,
  body_markdown: string,
  editors: readonly Someone[] = [web.bob],
): Promise<string> {
  const { id } = await web.ann.call('create_page', { title, body_markdown })
  for (const { actor } of editors)
    await web.ann.call('share_page', { page_id: id, person_id: actor.id, role: 'editor' })
  return id as string
}

async function openEditor(person: Someone, id: string, title: string) {
  const session = await openFor(web, person, `/pages/${id}`)
  await session.press('e')
  const text = session.page.getByRole('textbox', { name: `Text of ${title}` })
  await text.waitFor()
  return { ...session, text }
}

const nameOf = (page: Page, name: string) => page.locator('.remote-name').filter({ hasText: name })

/** Position of a name on the screen, and of the line beside it. */
const positionOf = (page: Page, name: string, line: string) =>
  page.evaluate(
    ([name, line]) => {
      const find = (selector: string, text = '') =>
        [...document.querySelectorAll(selector)]
          .find((node) => node.textContent?.includes(text))
          ?.getBoundingClientRect()
      const [mark, row] = [find('.remote-name', name), find('.cm-line', line)]
      return mark && row ? { x: mark.x - row.x, y: Math.round(mark.y - row.y) } : undefined
    },
    [name, line] as const,
  )

const isBeside = async (page: Page, name: string, line: string) =>
  Math.abs((await positionOf(page, name, line))?.y ?? 24) < 8

/** Bounding boxes of the text of a line on the screen. */
const boxesOf = (page: Page, line: string) =>
  page.evaluate((line) => {
    const row = [...document.querySelectorAll('.cm-line')].find((node) =>
      node.textContent?.includes(line),
    )
    if (!row) return undefined
    const range = document.createRange()
    range.selectNodeContents(row)
    return [...range.getClientRects()].map(({ x, y, width, height }) => [x, y, width, height])
  }, line)

/** Types into a text, and waits until the server has it. */
async function typeAndWait(page: Page, id: string, text: string): Promise<void> {
  await page.keyboard.type(text)
  await untilTrue(async () => {
    const { body_markdown } = await web.ann.call('get_page', { page_id: id })
    return body_markdown.includes(text)
  }, 'the server does not have the text')
}

test('people briefly see each other’s cursors, without any text shifting', {
  skip,
}, async () => {
  const id = await createSharedPage('Plan', lines.join('\n'))
  const ann = await openEditor(web.ann, id, 'Plan')
  const bob = await openEditor(web.bob, id, 'Plan')
  const initialBoxes = await boxesOf(ann.page, 'line 4 of')
  await bob.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'ArrowLeft')
  await untilTrue(() => isBeside(ann.page, 'Bob', 'line 4 of'), 'his name is not at his line')
  const labelPosition = await positionOf(ann.page, 'Bob', 'line 4 of')
  assert.ok((labelPosition?.x ?? 0) > 100, 'it is not near the end of the line')
  assert.deepEqual(await boxesOf(ann.page, 'line 4 of'), initialBoxes)
  assert.equal(await nameOf(ann.page, 'Bob').locator('span').innerText(), 'Bob')
  await nameOf(ann.page, 'Bob').waitFor({ state: 'detached' }) // after a moment
  await bob.press('ArrowUp')
  await nameOf(ann.page, 'Bob').waitFor()
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('a cursor label moves with the text, including unsent text, and disappears with its owner', {
  skip,
}, async () => {
  const id = await createSharedPage('Moving', lines.join('\r\n'))
  const ann = await openEditor(web.ann, id, 'Moving')
  const bob = await openEditor(web.bob, id, 'Moving')
  await ann.page.route('**/web/pages/*/steps', () => {}) // what she types does not reach the server
  await ann.press('Control+Home')
  await ann.page.keyboard.type('first\nsecond\n')
  await ann.page.getByText('Saving…').waitFor()
  await bob.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End')
  await untilTrue(
    () => isBeside(ann.page, 'Bob', 'line 6 of'),
    'his name is not at his line, which is two further down for her',
  )
  await ann.page.keyboard.type('third\n')
  await bob.press('ArrowLeft')
  await untilTrue(
    () => isBeside(ann.page, 'Bob', 'line 6 of'),
    'it did not move down with its line',
  )
  await bob.press('ArrowUp')
  await untilTrue(() => isBeside(ann.page, 'Bob', 'line 5 of'), 'his name did not follow him')
  await bob.press('Escape') // he leaves the text
  await nameOf(ann.page, 'Bob').waitFor({ state: 'detached' })
  bob.visitor.assertNoProblems()
})

test('edits by others far above move neither cursor, selection nor scroll position', {
  skip,
}, async () => {
  const id = await createSharedPage('Still', lines.join('\n'))
  const ann = await openEditor(web.ann, id, 'Still')
  const bob = await openEditor(web.bob, id, 'Still')
  await ann.press('Control+Home')
  for (let n = 0; n < 79; n++) await ann.press('ArrowDown')
  await ann.press('Home', 'Shift+End')
  const initialBoxes = await boxesOf(ann.page, 'line 80 of')
  assert.ok(initialBoxes)
  const assertUnmoved = async () => {
    await ann.page.waitForTimeout(500)
    assert.deepEqual(await boxesOf(ann.page, 'line 80 of'), initialBoxes)
  }
  await bob.press('Control+Home')
  await typeAndWait(bob.page, id, 'one\ntwo\nthree\nfour\nfive\n')
  await assertUnmoved()
  assert.equal(await ann.page.evaluate(() => `${getSelection()}`), lines[79])
  await ann.text.evaluate((node) => node.blur()) // as if she wrote a comment next to the text
  await typeAndWait(bob.page, id, 'six\nseven\n')
  await assertUnmoved()
  await ann.text.evaluate((node) => node.focus({ preventScroll: true }))
  await ann.press('Control+Home')
  await ann.text.getByText('one', { exact: true }).waitFor()
  let isDone = false
  const moveCursor = async () => {
    for (let n = 0; !isDone; n++) {
      await bob.press(n % 2 === 0 ? 'End' : 'Home')
      await bob.page.waitForTimeout(500)
    }
  }
  await bob.press('Control+Home', 'ArrowDown', 'ArrowDown')
  const movement = moveCursor()
  await nameOf(ann.page, 'Bob').waitFor()
  await ann.visitor.checkPage('page-cursors')
  isDone = true
  await movement
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('four people typing in one text at once all end up with the same text, every letter once', {
  skip,
}, async () => {
  const names = ['ann', 'bob', 'carol', 'ann again']
  const id = await createSharedPage('Crowd', lines.slice(0, 24).join('\n'), [web.bob, web.carol])
  const people = await Promise.all(
    [web.ann, web.bob, web.carol, web.ann].map((person) => openEditor(person, id, 'Crowd')),
  )
  await Promise.all(
    people.map(async ({ page, press }, n) => {
      await press('Control+Home')
      for (let step = 0; step < 6 * n; step++) await press('ArrowDown')
      await press('End')
      for (let round = 0; round < 5; round++) {
        await page.keyboard.type(` «${names[n]} ${round}»`, { delay: 20 })
        await press('ArrowDown', 'End')
      }
    }),
  )
  const readBody = async () =>
    (await web.ann.call('get_page', { page_id: id })).body_markdown as string
  const visibleTexts = () => Promise.all(people.map(({ text }) => text.innerText()))
  await untilTrue(async () => {
    const body = (await readBody()).replaceAll(/\n+/g, '\n')
    return (await visibleTexts()).every(
      (visibleText) => visibleText.replaceAll(/\n+/g, '\n').trim() === body.trim(),
    )
  }, 'they do not have the same text')
  const text = await readBody()
  for (const name of names)
    for (let round = 0; round < 5; round++)
      assert.equal(text.split(`«${name} ${round}»`).length, 2, `${name} ${round} stands once`)
  assert.equal(text.replaceAll(/ «[^»]*»/g, ''), lines.slice(0, 24).join('\n'))
  for (const { visitor } of people) visitor.assertNoProblems()
})
