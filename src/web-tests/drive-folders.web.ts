// Drive folders: the tree beside the files, tiles, and thousands of files.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../kernel/ids.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const namesInFolder = async (folder_id: string) =>
  (await web.ann.call('list_files', { folder_id })).items.map((item: { name: string }) => item.name)
const fileOf = (page: Page, name: string) => page.locator('[data-file]', { hasText: name })
const folderOf = (page: Page, name: string) => page.getByRole('treeitem', { name })
const focusedTitle = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('title') ?? '')

test('by keyboard: the folder tree is navigated, loaded as it opens, and leads to a folder in it', {
  skip,
}, async () => {
  const { ann } = web
  const offers = await ann.call('create_folder', { name: 'Offers' })
  const north = await ann.call('create_folder', { name: 'North', parent_id: offers.id })
  const harbor = await ann.call('create_folder', { name: 'Harbor', parent_id: north.id })
  await ann.call('create_folder', { name: 'Archive' })
  await ann.call('upload_file', { name: 'crane.txt', content_text: '1', folder_id: harbor.id })
  const { visitor, page, press } = await openFor(web, ann, '/files')
  await folderOf(page, 'Offers').waitFor()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.postData() ?? request.url()))
  await press('f', 'ArrowDown', 'ArrowDown')
  assert.equal(await focusedTitle(page), 'Offers')
  assert.equal(
    requests.filter((text) => text.includes(offers.id)).length,
    0,
    'it was loaded before it was opened',
  )
  await press('ArrowRight')
  await folderOf(page, 'North').waitFor()
  await press('ArrowRight')
  assert.equal(await focusedTitle(page), 'North')
  await press('ArrowRight')
  await folderOf(page, 'Harbor').waitFor()
  await visitor.checkPage('drive-tree')
  await folderOf(page, 'North').focus() // the narrow widths of the screenshots hid the tree
  await press('ArrowLeft')
  await folderOf(page, 'Harbor').waitFor({ state: 'detached' })
  await press('ArrowLeft')
  assert.equal(await focusedTitle(page), 'Offers')
  await press('End')
  assert.equal(await focusedTitle(page), 'North')
  await press('Home', 'Escape', 'f', 'End', 'ArrowRight', 'ArrowDown', 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Harbor' }).waitFor()
  assert.equal(await folderOf(page, 'Harbor').getAttribute('aria-current'), 'page')
  assert.equal(
    await folderOf(page, 'Harbor').getAttribute('aria-expanded'),
    'false',
    'a folder that is not loaded yet may have subfolders',
  )

  await page.reload() // its ancestors are expanded again
  await folderOf(page, 'Harbor').waitFor()
  await press('f')
  assert.equal(await focusedTitle(page), 'Harbor')
  await press('f')
  await page.getByRole('tree').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'crane.txt' }).waitFor()
  assert.equal(await page.getByRole('tree').count(), 0, 'the tree stays closed')
  await press('f')
  await untilTrue(
    async () => (await focusedTitle(page)) === 'Harbor',
    'the tree does not have the focus',
  )
  visitor.assertNoProblems()
})

test('files are dragged to folders in the tree and the list, and dropped there from disk', {
  skip,
}, async () => {
  const { ann } = web
  const desk = await ann.call('create_folder', { name: 'Desk' })
  const drawerFolder = await ann.call('create_folder', { name: 'Drawer', parent_id: desk.id })
  await ann.call('upload_file', { name: 'pen.txt', content_text: '1', folder_id: desk.id })
  await ann.call('upload_file', { name: 'cup.txt', content_text: '1', folder_id: desk.id })
  const { visitor, page } = await openFor(web, ann, `/files/${desk.id}`)
  const file = (name: string) => fileOf(page, name)
  await file('pen.txt').dragTo(file('Drawer'))
  await untilTrue(
    async () => (await namesInFolder(drawerFolder.id)).includes('pen.txt'),
    'not in the folder',
  )
  await file('pen.txt').waitFor({ state: 'detached' })
  await folderOf(page, 'Archive').waitFor()
  await file('cup.txt').dragTo(folderOf(page, 'Archive'))
  await file('cup.txt').waitFor({ state: 'detached' })

  const transferHandle = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['ink'], 'ink.txt', { type: 'text/plain' }))
    return transfer
  })
  const drawer = file('Drawer')
  await drawer.dispatchEvent('dragover', { dataTransfer: transferHandle })
  await drawer.dispatchEvent('drop', { dataTransfer: transferHandle })
  await page.getByText('Uploading a file to Drawer').waitFor()
  await untilTrue(
    async () => String(await namesInFolder(drawerFolder.id)) === 'ink.txt,pen.txt',
    'it was not uploaded',
  )
  assert.deepEqual(await namesInFolder(desk.id), ['Drawer'], 'and only there')
  visitor.assertNoProblems()
})

/** Inserts copies of a file into its folder: uploading them would take minutes. */
async function plantFiles(fileId: string, count: number): Promise<void> {
  await web.app.store.writer.run(async () => {
    const db = web.app.store.write
    const file = await db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', fileId as never)
      .executeTakeFirstOrThrow()
    for (let offset = 0; offset < count; offset += 100) {
      const copies = Array.from({ length: Math.min(100, count - offset) }, (_, n) => {
        const name = `sheet ${String(offset + n + 1).padStart(4, '0')}.txt`
        return { ...file, id: newId<'files'>('fil', Date.now()), name, name_folded: name }
      })
      await db.insertInto('files').values(copies).execute()
    }
  })
}

test('a folder with 2,000 files opens at once, and only visible ones are rendered, as list and as tiles', {
  skip,
}, async () => {
  const { ann } = web
  const folder = await ann.call('create_folder', { name: 'Sheets' })
  const first = await ann.call('upload_file', {
    name: 'sheet 0000.txt',
    content_text: 'sheet',
    folder_id: folder.id,
  })
  await plantFiles(first.id, 1999)
  const { visitor, page, press } = await openFor(web, ann, '/files')
  let listRequests = 0
  page.on('request', (request) => {
    if (/list_files/.test(`${request.url()} ${request.postData()}`)) listRequests++
  })
  await folderOf(page, 'Sheets').waitFor()
  const files = page.locator('[data-file]')
  const file = (name: string) => fileOf(page, name)
  await folderOf(page, 'Sheets').click()
  await file('sheet 0000.txt').waitFor()
  assert.ok((await files.count()) < 60, `${await files.count()} are drawn`)

  await press('j', 'j', 'ArrowDown')
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  assert.match(await focusedText(), /sheet 0002/)
  const scrollToFile = async (last: string) => {
    await untilTrue(async () => {
      await page.mouse.wheel(0, 20_000)
      return (await file(last).count()) > 0
    }, 'the end was not reached')
  }
  await page.mouse.move(900, 500)
  await scrollToFile('sheet 1999.txt')
  assert.ok((await files.count()) < 60, `${await files.count()} are drawn`)
  await press('j')
  assert.match(await focusedText(), /sheet 0003/, 'the keys continue from the previous row')
  assert.equal(await file('sheet 0003.txt').isVisible(), true)

  const star = file('sheet 0003.txt').getByRole('img', { name: 'Starred' })
  assert.ok(listRequests >= 20, `${listRequests} pages were read`)
  listRequests = 0
  await press('s')
  await star.waitFor()
  await press('z')
  await star.waitFor({ state: 'detached' })
  assert.equal(listRequests, 0, 'the pages of the folder were read again for a star')

  await press('v')
  await page.locator('[data-view=grid]').waitFor()
  await visitor.checkPage('drive-grid')
  assert.ok((await files.count()) < 120, `${await files.count()} are drawn`)
  const focusedNumber = async () => Number(/sheet (\d+)/.exec(await focusedText())?.[1])
  await press('j')
  const start = await focusedNumber()
  await press('ArrowRight')
  assert.equal(await focusedNumber(), start + 1)
  await press('ArrowDown')
  const columns = (await focusedNumber()) - start - 1
  assert.ok(columns > 1, `${columns} columns`)
  await press('ArrowUp', 'ArrowLeft')
  assert.equal(await focusedNumber(), start)
  await page.reload()
  await page.locator('[data-view=grid]').waitFor()
  const bob = await openFor(web, web.bob, '/files')
  await bob.page.getByRole('tree').waitFor()
  assert.equal(await bob.page.locator('[data-view=grid]').count(), 0)
  visitor.assertNoProblems()
})
