// Tests that the page editor handles long texts written live.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { makePage, writeAsAnn } from './page-writing.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

/** Distinct lines that stay separate after merging; 19 characters each. */
const numberedLines = (count: number) =>
  Array.from({ length: count }, (_, n) => `Line ${String(n + 1).padStart(5, '0')} of many\n`).join(
    '',
  )

test('a page of 50,000 lines and nearly a megabyte is edited at both ends and in the middle: only visible lines are rendered', {
  skip,
}, async () => {
  const start = numberedLines(50_200)
  assert.ok(start.length > 950_000)
  const { id, body } = await makePage(web, 'Megabyte', start)
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Megabyte')
  const requireFew = async () => {
    const [lineCount, elementCount] = [
      await text.locator('.cm-line').count(),
      await text.evaluate((node) => node.querySelectorAll('*').length),
    ]
    assert.ok(lineCount > 10 && lineCount <= 300, `${lineCount} lines are drawn`)
    assert.ok(elementCount <= 3000, `the editor has ${elementCount} elements`)
  }
  await requireFew()
  await press('Control+Home')
  await page.keyboard.type('first ')
  await text.getByText('first Line 00001').waitFor()
  await press('Control+End')
  await page.keyboard.type('last')
  await text.getByText('last', { exact: true }).waitFor()
  await requireFew()
  for (let n = 0; n < 20; n++) await press('PageUp')
  await page.keyboard.type('x')
  await requireFew()
  await press('Control+z')
  await page.getByText('Saved.').waitFor()
  await untilTrue(
    async () => (await body()) === `first ${start}last`,
    'the text is not what was typed',
  )
  await visitor.waitUntilSettled()
  visitor.assertNoProblems()
})
