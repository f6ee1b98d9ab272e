// Files pasted or dropped into the text of a page.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { makePage, writeAsAnn } from './page-writing.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Pastes files, or drops them at the end of a line. */
const deliverFiles = (
  text: Locator,
  how: 'paste' | 'drop',
  files: { name: string; type: string }[],
) =>
  text.evaluate(
    (node, transfer) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(transfer.pixel), (character) => character.charCodeAt(0))
      for (const { name, type } of transfer.files) data.items.add(new File([bytes], name, { type }))
      const eventInit = { bubbles: true, cancelable: true }
      const { right, top, bottom } = (node.lastElementChild ?? node).getBoundingClientRect()
      node.dispatchEvent(
        transfer.how === 'paste'
          ? new ClipboardEvent('paste', { ...eventInit, clipboardData: data })
          : new DragEvent('drop', {
              ...eventInit,
              dataTransfer: data,
              clientX: right - 4,
              clientY: (top + bottom) / 2,
            }),
      )
    },
    { how, files, pixel },
  )

const mapFile = { name: 'map.png', type: 'image/png' }
const planFile = { name: 'plan [1].txt', type: 'text/plain' }

test('files are inserted where they were pasted or dropped, despite typing in the meantime', {
  skip,
}, async () => {
  const { id, body } = await makePage(web, 'Files', 'one\ntwo')
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Files')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/upload_file/, async (route) => {
    await promise
    await route.continue()
  })
  await press('Control+Home', 'End')
  await deliverFiles(text, 'paste', [mapFile])
  await page.getByText('Uploading map.png… 0 %').waitFor()
  await visitor.checkPage('page-files')
  await press('Control+Home')
  await page.keyboard.type('A ')
  await deliverFiles(text, 'drop', [planFile])
  resolve()
  let content = ''
  const expected =
    /^A one!\[map\.png\]\(\/files\/fil_\w+\)\ntwo\[plan \\\[1\\\]\.txt\]\(\/files\/fil_\w+\)$/
  await untilTrue(
    async () => {
      content = await body()
      return expected.test(content)
    },
    () => `the text is ${content}`,
  )
  await text.getByRole('img', { name: 'map.png' }).waitFor()
  visitor.assertNoProblems()
})

test('an upload is cancelled by Escape, shows server refusals, waits for a connection, and ends with the text', {
  skip,
}, async () => {
  const { id, body } = await makePage(web, 'Ends', 'one')
  const { page, press, text, visitor } = await writeAsAnn(web, id, 'Ends')
  await page.route(/upload_file/, () => {})
  await deliverFiles(text, 'paste', [mapFile])
  await page.getByText('Uploading map.png').waitFor()
  await press('Escape')
  await page.getByText('Uploading map.png').waitFor({ state: 'detached' })
  await text.waitFor()
  await page.unroute(/upload_file/)
  await page.route(/upload_file/, (route) =>
    route.fulfill({ status: 507, json: { code: 'storage_full', message: 'The drive is full.' } }),
  )
  await deliverFiles(text, 'paste', [mapFile])
  await page.getByText('Uploading map.png').waitFor({ state: 'detached' })
  await page.getByText('The drive is full.').waitFor()
  assert.equal(await body(), 'one')
  await page.unroute(/upload_file/)
  await visitor.context.setOffline(true)
  await deliverFiles(text, 'paste', [mapFile])
  await page.getByText('map.png waits for the connection').waitFor()
  await visitor.context.setOffline(false)
  let content = ''
  await untilTrue(
    async () => {
      content = await body()
      return /^!\[map[^\]]*\]\(\/files\/fil_\w+\)one$/.test(content) // the drive has a file of that name
    },
    () => `the text is ${content}`,
  )
  await page.route(/upload_file/, () => {})
  await deliverFiles(text, 'paste', [mapFile])
  await page.getByText('Uploading map.png').waitFor()
  await press('Control+Enter')
  await page.getByText('It was not put into the text, which you left first.').waitFor()
})
