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

async function sharedPage(
  title: string,
  body_markdown: string,
  others: readonly Someone[] = [web.bob],
): Promise<string> {
  const { id } = await web.ann.call('create_page', { title, body_markdown })
  for (const { actor } of others)
    await web.ann.call('share_page', { page_id: id, person_id: actor.id, role: 'editor' })
  return id as string
}

async function writeAs(person: Someone, id: string, title: string) {
  const opened = await openFor(web, person, `/pages/${id}`)
  await opened.press('e')
  const text = opened.page.getByRole('textbox', { name: `Text of ${title}` })
  await text.waitFor()
  return { ...opened, text }
}

const nameOf = (page: Page, name: string) => page.locator('.remote-name').filter({ hasText: name })

/** Position of a name on the screen, and of the line beside it. */
const placeOf = (page: Page, name: string, line: string) =>
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

const isAt = async (page: Page, name: string, line: string) =>
  Math.abs((await placeOf(page, name, line))?.y ?? 24) < 8

/** Bounding box of a line on the screen, covering all its letters. */
const boxOf = (page: Page, line: string) =>
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
async function writeTo(page: Page, id: string, text: string): Promise<void> {
  await page.keyboard.type(text)
  await untilTrue(async () => {
    const { body_markdown } = await web.ann.call('get_page', { page_id: id })
    return body_markdown.includes(text)
  }, 'it is there')
}

test('people briefly see each other’s cursors, without any text shifting', {
  skip,
}, async () => {
  const id = await sharedPage('Plan', lines.join('\n'))
  const ann = await writeAs(web.ann, id, 'Plan')
  const bob = await writeAs(web.bob, id, 'Plan')
  const before = await boxOf(ann.page, 'line 4 of')
  await bob.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'ArrowLeft')
  await untilTrue(() => isAt(ann.page, 'Bob', 'line 4 of'), 'his name is at his line')
  const place = await placeOf(ann.page, 'Bob', 'line 4 of')
  assert.ok((place?.x ?? 0) > 100, 'and near its end')
  assert.deepEqual(await boxOf(ann.page, 'line 4 of'), before)
  assert.equal(await nameOf(ann.page, 'Bob').locator('span').innerText(), 'Bob')
  await nameOf(ann.page, 'Bob').waitFor({ state: 'detached' }) // by itself
  await bob.press('ArrowUp')
  await nameOf(ann.page, 'Bob').waitFor()
  ann.visitor.well()
  bob.visitor.well()
})

test('a cursor label moves with the text, including unsent text, and disappears with its owner', {
  skip,
}, async () => {
  const id = await sharedPage('Moving', lines.join('\r\n'))
  const ann = await writeAs(web.ann, id, 'Moving')
  const bob = await writeAs(web.bob, id, 'Moving')
  await ann.page.route('**/web/pages/*/steps', () => {}) // what she types stays here
  await ann.press('Control+Home')
  await ann.page.keyboard.type('first\nsecond\n')
  await ann.page.getByText('Saving…').waitFor()
  await bob.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End')
  await untilTrue(
    () => isAt(ann.page, 'Bob', 'line 6 of'),
    'his name is at the line in which he is, two further down for her',
  )
  await ann.page.keyboard.type('third\n')
  await bob.press('ArrowLeft')
  await untilTrue(() => isAt(ann.page, 'Bob', 'line 6 of'), 'it goes down with its line')
  await bob.press('ArrowUp')
  await untilTrue(() => isAt(ann.page, 'Bob', 'line 5 of'), 'he is there')
  await bob.press('Escape') // he leaves the text
  await nameOf(ann.page, 'Bob').waitFor({ state: 'detached' })
  bob.visitor.well()
})

test('edits by others far above move neither cursor, selection nor scroll position', {
  skip,
}, async () => {
  const id = await sharedPage('Still', lines.join('\n'))
  const ann = await writeAs(web.ann, id, 'Still')
  const bob = await writeAs(web.bob, id, 'Still')
  await ann.press('Control+Home')
  for (let n = 0; n < 79; n++) await ann.press('ArrowDown')
  await ann.press('Home', 'Shift+End')
  const before = await boxOf(ann.page, 'line 80 of')
  assert.ok(before)
  const isKept = async () => {
    await ann.page.waitForTimeout(500)
    assert.deepEqual(await boxOf(ann.page, 'line 80 of'), before)
  }
  await bob.press('Control+Home')
  await writeTo(bob.page, id, 'one\ntwo\nthree\nfour\nfive\n')
  await isKept()
  assert.equal(await ann.page.evaluate(() => `${getSelection()}`), lines[79])
  await ann.text.evaluate((node) => node.blur()) // as someone has who writes a comment beside it
  await writeTo(bob.page, id, 'six\nseven\n')
  await isKept()
  await ann.text.evaluate((node) => node.focus({ preventScroll: true }))
  await ann.press('Control+Home')
  await ann.text.getByText('one', { exact: true }).waitFor()
  let isLooked = false
  const moving = async () => {
    for (let n = 0; !isLooked; n++) {
      await bob.press(n % 2 === 0 ? 'End' : 'Home')
      await bob.page.waitForTimeout(500)
    }
  }
  await bob.press('Control+Home', 'ArrowDown', 'ArrowDown')
  const moved = moving()
  await nameOf(ann.page, 'Bob').waitFor()
  await ann.visitor.look('page-cursors')
  isLooked = true
  await moved
  ann.visitor.well()
  bob.visitor.well()
})

test('four people typing in one text at once all end up with the same text, every letter once', {
  skip,
}, async () => {
  const names = ['ann', 'bob', 'carol', 'ann again']
  const id = await sharedPage('Crowd', lines.slice(0, 24).join('\n'), [web.bob, web.carol])
  const people = await Promise.all(
    [web.ann, web.bob, web.carol, web.ann].map((person) => writeAs(person, id, 'Crowd')),
  )
  await Promise.all(
    people.map(async ({ page, press }, n) => {
      await press('Control+Home')
      for (let down = 0; down < 6 * n; down++) await press('ArrowDown')
      await press('End')
      for (let round = 0; round < 5; round++) {
        await page.keyboard.type(` «${names[n]} ${round}»`, { delay: 20 })
        await press('ArrowDown', 'End')
      }
    }),
  )
  const read = async () => (await web.ann.call('get_page', { page_id: id })).body_markdown as string
  const visibleTexts = () => Promise.all(people.map(({ text }) => text.innerText()))
  await untilTrue(async () => {
    const now = (await read()).replaceAll(/\n+/g, '\n')
    return (await visibleTexts()).every(
      (seen) => seen.replaceAll(/\n+/g, '\n').trim() === now.trim(),
    )
  }, 'they do not have the same text')
  const text = await read()
  for (const name of names)
    for (let round = 0; round < 5; round++)
      assert.equal(text.split(`«${name} ${round}»`).length, 2, `${name} ${round} stands once`)
  assert.equal(text.replaceAll(/ «[^»]*»/g, ''), lines.slice(0, 24).join('\n'))
  for (const { visitor } of people) visitor.well()
})
