// Tests pins, files and the tasks created from messages.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

async function makeChannel(name: string): Promise<string> {
  const { id } = await web.ann.call('create_channel', { name, member_ids: [web.bob.id] })
  return String(id)
}

const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

test('by keyboard: a message is pinned, found by others among the pinned ones, and unpinned', {
  skip,
}, async () => {
  const id = await makeChannel('pins')
  const postMessage = (body_markdown: string) =>
    web.bob.call('send_message', { channel_id: id, body_markdown })
  await postMessage('The door code is 4711')
  for (let n = 0; n < 60; n++) await postMessage(`Chatter ${n}`)
  const pinnedTexts = async (): Promise<string[]> =>
    (await web.ann.call('list_messages', { channel_id: id, pinned: true })).items.map(
      (item: any) => item.content.text,
    )
  const bob = await reopenFor(web, web.bob, `/chat/${id}`)
  await bob.press('Shift+p')
  const bobsList = bob.page.getByRole('complementary', { name: 'Pinned messages' })
  await bobsList.getByText('Nothing is pinned.').waitFor()
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}`)
  await message(page, 'The door code').waitFor() // the first unread message
  await message(page, 'The door code').focus()
  await press('p')
  await untilTrue(async () => (await pinnedTexts()).length === 1, 'it is not pinned')
  assert.deepEqual(await pinnedTexts(), ['The door code is 4711'])
  await bobsList.getByRole('link', { name: /The door code is 4711/ }).waitFor() // without a reload
  await bob.page.getByText('Chatter 59', { exact: true }).waitFor()
  await bobsList.getByRole('link').focus()
  await bob.press('Enter')
  await message(bob.page, 'The door code').first().waitFor()
  await press('Shift+p')
  const list = page.getByRole('list', { name: 'Pinned messages' })
  await list.getByRole('link').waitFor()
  await visitor.checkPage('chat-pins')
  await message(page, 'The door code').first().focus()
  await press('p')
  await untilTrue(async () => (await pinnedTexts()).length === 0, 'it is still pinned')
  await list.waitFor({ state: 'detached' })
  await press('Shift+p')
  await page.getByRole('complementary', { name: 'Pinned messages' }).waitFor({ state: 'detached' })
  visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

/** Delivers files to the page, like a browser on drop or paste. */
async function deliverFile(
  target: Locator,
  by: 'drop' | 'paste',
  name: string,
  text: string,
): Promise<void> {
  await target.evaluate(
    (node, { by, name, text }) => {
      const data = new DataTransfer()
      data.items.add(new File([text], name, { type: 'text/plain' }))
      const event =
        by === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      if (node.dispatchEvent(event)) throw new Error('Nothing took the file.')
    },
    { by, name, text },
  )
}

/** A picture with one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('files are attached by button, drop and paste, removed, sent, seen by others and saved', {
  skip,
}, async () => {
  const id = await makeChannel('files')
  const { visitor, page, press } = await openFor(web, web.ann, `/chat/${id}`)
  const box = page.getByRole('textbox', { name: 'Message #files' })
  await box.fill('Three of them')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).press('Enter')
  await (await chooser).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: dot })
  await page.getByRole('button', { name: /dot\.png/ }).waitFor()
  await deliverFile(box, 'drop', 'dropped.txt', 'It was dropped.\n')
  await page.getByRole('button', { name: /dropped\.txt/ }).waitFor()
  await deliverFile(box, 'paste', 'pasted.txt', 'It was pasted.\n')
  await page.getByRole('button', { name: /pasted\.txt/ }).waitFor()
  await deliverFile(box, 'paste', 'wrong.txt', 'Not this one.\n')
  await page.getByRole('button', { name: /wrong\.txt/ }).press('Enter')
  await page.getByRole('button', { name: /wrong\.txt/ }).waitFor({ state: 'detached' })
  await visitor.checkPage('chat-files-draft')
  await box.focus()
  await press('Enter')
  await untilTrue(async () => {
    const { items } = await web.ann.call('list_messages', { channel_id: id })
    return items[0]?.files.length === 3
  }, 'it was not sent with its files')
  const { items } = await web.bob.call('list_messages', { channel_id: id })
  assert.deepEqual(
    items[0].files.map((file: any) => file.title),
    ['dot.png', 'dropped.txt', 'pasted.txt'],
  )
  assert.equal(items[0].content.text, 'Three of them')
  const bob = await openFor(web, web.bob, `/chat/${id}`)
  const bobsMessage = message(bob.page, 'Three of them')
  await bobsMessage.getByRole('img', { name: 'Picture dot.png' }).waitFor()
  assert.equal(
    await bobsMessage
      .getByRole('img', { name: 'Picture dot.png' })
      .evaluate((node) => (node as HTMLImageElement).naturalWidth),
    1,
  )
  await bob.visitor.checkPage('chat-files')
  await bobsMessage.getByRole('link', { name: 'dropped.txt' }).focus()
  await bob.press('Enter')
  await bob.page.getByRole('heading', { name: 'dropped.txt' }).waitFor()
  await bob.page.getByText('It was dropped.').waitFor()
  const download = bob.page.waitForEvent('download')
  await bob.page.getByRole('button', { name: 'Download' }).press('Enter')
  assert.equal(readFileSync(await (await download).path(), 'utf8'), 'It was dropped.\n')
  visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('a large file resumes by itself after a broken connection, and arrives whole with its message', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chat-upload-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const film = join(folder, 'film.bin')
  const bytes = randomBytes(20_000_000)
  writeFileSync(film, bytes)
  const id = await makeChannel('films')
  const { visitor, page, press } = await openFor(web, web.ann, `/chat/${id}`)
  const box = page.getByRole('textbox', { name: 'Message #films' })
  await box.fill('The whole film')
  const brokenOffsets: number[] = []
  let release = () => {}
  let isReleased = false
  await page.route('**/uploads/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    const offset = Number(route.request().headers()['upload-offset'])
    if (brokenOffsets.length < 2 && offset > 0) {
      brokenOffsets.push(offset)
      return route.abort()
    }
    if (offset > 8_000_000 && !isReleased) await new Promise<void>((resolve) => (release = resolve))
    return route.continue()
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).press('Enter')
  await (await chooser).setFiles(film)
  await page.getByText('Uploading film.bin').waitFor()
  await page.getByText(/^[4-9]\d %$/).waitFor()
  await visitor.checkPage('chat-uploading')
  assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled())
  isReleased = true
  release()
  await page.getByRole('button', { name: /film\.bin/ }).waitFor()
  await box.focus()
  await press('Enter')
  const sentMessage = async () => (await web.bob.call('list_messages', { channel_id: id })).items[0]
  await untilTrue(
    async () => (await sentMessage())?.files.length === 1,
    'it was not sent with its file',
  )
  assert.equal(brokenOffsets.length, 2)
  const [file] = (await sentMessage()).files
  const { download_url } = await web.bob.call('get_file_content', { file_id: file.id })
  const received = Buffer.from(await (await fetch(download_url)).arrayBuffer())
  assert.ok(received.equals(bytes))
  visitor.assertNoProblems()
})

test('a task made from a message links back to the message, wherever it is in the channel', {
  skip,
}, async () => {
  const id = await makeChannel('tasks')
  await web.ann.call('create_project', { name: 'Back', key: 'BCK' })
  const root = await web.bob.call('send_message', {
    channel_id: id,
    body_markdown: 'Rain comes in',
  })
  await web.bob.call('reply_to_message', { message_id: root.id, body_markdown: 'Fix the roof' })
  for (let n = 0; n < 120; n++)
    await web.bob.call('send_message', { channel_id: id, body_markdown: `Later ${n}` })
  await web.ann.call('mark_channel_read', { channel_id: id })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}?thread=${root.id}`)
  const thread = page.getByRole('complementary', { name: 'Thread' })
  await thread.getByRole('article').filter({ hasText: 'Fix the roof' }).focus()
  await press('Shift+t')
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  await press('Enter')
  await page.getByRole('button', { name: 'Open' }).press('Enter')
  await page.waitForURL(/\/tasks\/BCK-1/)
  const source = page.getByRole('main').getByRole('link', { name: 'Fix the roof' })
  await source.waitFor()
  await visitor.checkPage('task-of-message')
  await source.focus()
  await press('Enter')
  await page.waitForURL(
    (url) => url.pathname.startsWith('/chat/') || url.pathname.startsWith('/channels/'),
  )
  await thread.getByRole('article').filter({ hasText: 'Fix the roof' }).waitFor()
  visitor.assertNoProblems()
})
