import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const line = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
const namesInFolder = async (folder_id: string) =>
  (await web.ann.call('list_files', { folder_id })).items.map((item: { name: string }) => item.name)
/** Intercepts file choosers from now on: one that opens right after the first wait could be missed. */
const interceptFileChoosers = (page: Page) => void page.on('filechooser', () => {})

const rootFolderId = async () =>
  (await web.ann.call('list_drives', {})).items[0].root_folder_id as string

test('by keyboard: a folder is created, files are uploaded into it, renamed, starred, moved and trashed', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  interceptFileChoosers(page)
  await press('g', 'q')
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  await visitor.checkPage('drive-empty')
  await press('Shift+F')
  await page.getByRole('textbox', { name: 'Name of the folder' }).waitFor()
  await page.keyboard.type('Offers')
  await press('Enter')
  await line(page, 'Offers').waitFor()
  await press('j', 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Offers' }).waitFor()
  const folderId = page.url().split('/').at(-1)!

  const chooser = page.waitForEvent('filechooser')
  await press('u')
  await (await chooser).setFiles([
    { name: 'price.txt', mimeType: 'text/plain', buffer: Buffer.from('300') },
    { name: 'plan.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(900_000, 7) },
  ])
  await line(page, 'plan.bin').waitFor()
  assert.deepEqual(await namesInFolder(folderId), ['plan.bin', 'price.txt'])
  await visitor.checkPage('drive-folder')

  await line(page, 'price.txt').getByRole('link').focus()
  await press('r')
  await page.getByRole('textbox', { name: 'Name' }).fill('prices.txt')
  await press('Enter')
  await line(page, 'prices.txt').getByRole('link').focus()
  await press('s')
  await line(page, 'prices.txt').getByRole('img', { name: 'Starred' }).waitFor()
  await press('m')
  const dialog = page.getByRole('dialog', { name: /^Move to/ })
  await dialog.getByRole('button', { name: 'Offers' }).waitFor()
  await visitor.checkPage('drive-move')
  await dialog.getByRole('button', { name: 'Move', exact: true }).press('Enter')
  const rootId = await rootFolderId()
  await untilTrue(
    async () => String(await namesInFolder(rootId)) === 'Offers,prices.txt',
    'it was not moved to the top',
  )
  await line(page, 'plan.bin').getByRole('link').focus()
  await press('#')
  await untilTrue(
    async () => (await namesInFolder(folderId)).length === 0,
    'it is not in the trash',
  )
  await press('z')
  await untilTrue(async () => (await namesInFolder(folderId)).length === 1, 'it was not restored')
  visitor.assertNoProblems()
})

test('an upload resumes by itself after a broken connection, is paused, survives a reload and arrives whole', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'upload-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const filmPath = join(folder, 'film.bin')
  const bytes = randomBytes(30_000_000)
  writeFileSync(filmPath, bytes)
  const { visitor, page, press } = await openFor(web, web.ann, '/files')
  await page.getByRole('button', { name: 'Upload' }).waitFor()
  let isBroken = true
  let isFirst = true
  let resumedParts = 0
  let release = () => {}
  await page.route('**/uploads/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    if (isFirst) {
      isFirst = false
      return route.continue()
    }
    if (isBroken) return route.abort()
    if (++resumedParts > 1) await new Promise<void>((resolve) => (release = resolve))
    return route.continue().catch(() => {}) // the upload was paused meanwhile
  })
  const upload = async (openChooser: () => Promise<void>) => {
    const chooser = page.waitForEvent('filechooser')
    await openChooser()
    await (await chooser).setFiles(filmPath)
  }
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await upload(() => page.getByRole('button', { name: 'Upload' }).press('Enter'))
  await uploads.getByText('Waiting for the connection').waitFor()
  isBroken = false
  await uploads.getByText('Waiting for the connection').waitFor({ state: 'detached' })
  await untilTrue(async () => resumedParts === 2, 'the upload did not resume')
  await press('p')
  await uploads.getByText('Paused').waitFor()
  await visitor.checkPage('drive-paused-upload')
  release()
  await press('p')
  await untilTrue(async () => resumedParts === 3, 'the upload did not continue')

  await page.reload()
  await uploads.getByText('Not complete: choose the same file to go on').waitFor()
  await visitor.checkPage('drive-left-upload')
  await page.unroute('**/uploads/**')
  const uploadOffsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') uploadOffsets.push(Number(request.headers()['upload-offset']))
  })
  await upload(() => uploads.getByRole('button', { name: 'Choose the file' }).press('Enter'))
  await line(page, 'film.bin').waitFor()
  await uploads.waitFor({ state: 'detached' })
  assert.ok(uploadOffsets.length > 0 && uploadOffsets[0]! > 4_000_000, String(uploadOffsets))
  const { items } = await web.ann.call('list_files', { folder_id: await rootFolderId() })
  const file = items.find(({ name }: { name: string }) => name === 'film.bin')
  const { download_url } = await web.ann.call('get_file_content', { file_id: file.id })
  const received = Buffer.from(await (await fetch(download_url)).arrayBuffer())
  assert.ok(received.equals(bytes))
  assert.equal(
    await page.evaluate(() => Object.keys(localStorage).join().includes('upload')),
    false,
  )

  await line(page, 'film.bin').getByRole('button', { name: 'Actions for film.bin' }).press('Enter')
  await choose(page, 'Actions for film.bin', 'trash')
  await line(page, 'film.bin').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await line(page, 'film.bin').waitFor()
  await visitor.checkPage('drive-trash')
  await line(page, 'film.bin').getByRole('button', { name: 'Actions for film.bin' }).press('Enter')
  await choose(page, 'Actions for film.bin', 'put')
  await line(page, 'film.bin').waitFor({ state: 'detached' })
  assert.ok((await namesInFolder(await rootFolderId())).includes('film.bin'))
  visitor.assertNoProblems()
})

test('an upload is cancelled by a key, and the server rejects oversized ones with the reason', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/files')
  interceptFileChoosers(page)
  await page.getByRole('button', { name: 'Upload' }).waitFor()
  await page.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload' }).press('Enter')
  await (await chooser).setFiles({
    name: 'never.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(3_000_000, 1),
  })
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await uploads.getByText('Waiting for the connection').waitFor()
  await press('Shift+U')
  const dialog = page.getByRole('dialog', { name: 'Give up the uploads?' })
  await dialog.getByRole('button', { name: 'Give up' }).press('Enter')
  await uploads.waitFor({ state: 'detached' })
  await page.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 507, json: { code: 'storage_full', message: 'It is full.' } })
      : route.continue(),
  )
  const secondChooser = page.waitForEvent('filechooser')
  await press('u')
  await (await secondChooser).setFiles({
    name: 'full.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(3_000_000, 1),
  })
  await uploads.getByRole('alert').filter({ hasText: 'full' }).waitFor()
  await visitor.checkPage('drive-refused-upload')
  await page.unroute('**/uploads/**')
  await uploads.getByRole('button', { name: 'Try again' }).press('Enter')
  await line(page, 'full.bin').waitFor()
})

test('a file is shared with a colleague and by link; moving it shows who will see it; an earlier version is restored', {
  skip,
}, async () => {
  const { ann, bob } = web
  const folder = await ann.call('create_folder', { name: 'For Bob' })
  await ann.call('share_file', { file_id: folder.id, person_id: bob.id, role: 'viewer' })
  const file = await ann.call('upload_file', { name: 'terms.txt', content_text: 'first' })
  await ann.call('update_file_content', { file_id: file.id, content_text: 'second' })
  const { visitor, page, press } = await openFor(web, ann, `/files/${file.id}`)
  await press('Shift+S')
  const dialog = page.getByRole('dialog', { name: 'Share terms.txt' })
  await dialog.getByRole('combobox', { name: 'What a new person may do' }).selectOption('editor')
  await dialog.getByRole('button', { name: 'Add person' }).press('Enter')
  await choose(page, 'Add person', 'carol')
  await dialog.getByRole('combobox', { name: 'What Carol may do' }).waitFor()
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  const linkText = await dialog.getByRole('region', { name: 'The link is created' }).textContent()
  await visitor.checkPage('drive-share')
  const { shares } = await ann.call('get_file', { file_id: file.id })
  assert.deepEqual(
    shares.map(({ kind, role }: { kind: string; role: string }) => [kind, role]).sort(),
    [
      ['link', 'viewer'],
      ['person', 'editor'],
    ],
  )
  assert.equal((await fetch(new URL(new URL(linkText!.trim()).pathname, web.url))).status, 200)
  await dialog.getByRole('button', { name: 'End this link' }).press('Enter')
  await untilTrue(
    async () => (await fetch(new URL(new URL(linkText!.trim()).pathname, web.url))).status !== 200,
    'the link still works',
  )
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: /^Version 1/ }).click()
  await page.getByRole('button', { name: 'Make it the current version' }).press('Enter')
  await untilTrue(async () => {
    const { content } = await ann.call('get_file_content', { file_id: file.id })
    return content.text === 'first'
  }, 'the first version is not the current one')

  await page.getByRole('button', { name: 'Actions for terms.txt' }).press('Enter')
  await choose(page, 'Actions for terms.txt', 'move')
  const targetDialog = page.getByRole('dialog', { name: /^Move to/ })
  await targetDialog.getByRole('button', { name: 'For Bob' }).press('Enter')
  await targetDialog.getByRole('button', { name: 'Move', exact: true }).press('Enter')
  const moveDialog = page.getByRole('dialog').filter({ hasText: 'Bob will be able to see it.' })
  await moveDialog.getByRole('button', { name: 'Move' }).press('Enter')
  await untilTrue(
    async () => (await namesInFolder(folder.id)).includes('terms.txt'),
    'it was not moved to the folder',
  )
  visitor.assertNoProblems()
})
