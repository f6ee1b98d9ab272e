// The headings of a page are listed by a key, and link to their positions, both while reading and while editing.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { makePage, writeAsAnn } from './page-writing.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const filling = 'A line of the text.\n\n'.repeat(60)
const text = `# Plan\n\n${filling}## Steps\n\n${filling}### The *last* one\n\n${filling}## Steps\n\nEnd.\n`

test('in reading mode the outline leads to a heading, even among duplicates', {
  skip,
}, async () => {
  const { id } = await makePage(web, 'Long plan', text)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByRole('heading', { name: 'The last one' }).waitFor()
  await press("Control+'")
  const list = page.getByRole('listbox', { name: 'On this page' })
  await list.waitFor()
  assert.deepEqual(
    (await list.getByRole('option').allTextContents()).map((title) => title.trim()),
    ['Plan', 'Steps', 'The last one', 'Steps'],
  )
  await visitor.checkPage('page-outline')
  await page.keyboard.type('last')
  await press('Enter')
  const lastHeading = page.getByRole('heading', { name: 'The last one' })
  await untilTrue(
    () =>
      lastHeading.evaluate((node) => {
        const { left, top } = node.getBoundingClientRect()
        const isInSight = node.contains(document.elementFromPoint(left + 5, top + 5)) // not covered by the bar
        return node === document.activeElement && isInSight && top < innerHeight / 2
      }),
    'the heading is not focused in the upper half of the window',
  )
  await press("Control+'", 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
  const second = page.getByRole('heading', { name: 'Steps' }).nth(1)
  await untilTrue(
    () => second.evaluate((node) => node === document.activeElement),
    'the second of the same name is not in focus',
  )
  await press("Control+'", 'Escape')
  await list.waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

test('in editing mode the outline leads to a heading, and typing continues there', {
  skip,
}, async () => {
  const { id, body } = await makePage(web, 'Written plan', text)
  const { visitor, page, press } = await writeAsAnn(web, id, 'Written plan')
  await press("Control+'")
  const list = page.getByRole('listbox', { name: 'On this page' })
  await list.waitFor()
  await page.keyboard.type('last')
  await press('Enter')
  const heading = page.locator('.cm-line', { hasText: 'The' }).filter({ hasText: 'one' })
  await untilTrue(
    () =>
      heading.evaluate((node) => {
        const { top } = node.getBoundingClientRect()
        return top >= 0 && top < innerHeight / 2
      }),
    'the heading is not in the upper half of the window',
  )
  await press('End')
  await page.keyboard.type(' of all')
  await untilTrue(
    async () => (await body()).includes('### The *last* one of all\n'),
    'the typed text is not at the heading',
  )
  visitor.assertNoProblems()
})

test('a page without headings offers no outline', { skip }, async () => {
  const { id } = await makePage(web, 'Flat', 'Only text.\n')
  const { visitor, page } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByText('Only text.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'On this page' }).count(), 0)
  visitor.assertNoProblems()
})
