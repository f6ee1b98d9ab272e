import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
let serial = 0

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

/** A channel of ann's with bob and carol. */
async function makeChannel(kind: 'public' | 'private' = 'public') {
  const name = `room-${++serial}`
  const { id } = await web.ann.call('create_channel', {
    name,
    kind,
    member_ids: [web.bob.id, web.carol.id],
  })
  const say = (sender: Someone, body_markdown: string) =>
    sender.call('send_message', { channel_id: id, body_markdown })
  return { id: String(id), name, say }
}

const composer = (page: Page, name: string) =>
  page.getByRole('textbox', { name: `Message #${name}` })
const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const messagesOf = async (channel_id: string): Promise<any[]> =>
  (await web.ann.call('list_messages', { channel_id, limit: 100 })).items.toReversed()
const textsOf = async (channel_id: string): Promise<string[]> =>
  (await messagesOf(channel_id)).map((item) => item.content.text)

test('by keyboard only: a message is written, edited, reacted to, quoted, turned into a task and deleted', {
  skip,
}, async () => {
  const { id, name, say } = await makeChannel()
  await web.ann.call('create_project', { name: `Chat ${serial}`, key: `CHT${serial}` })
  await say(web.bob, 'Who has the keys?')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}`)
  await message(page, 'Who has the keys?').waitFor()
  await visitor.checkPage('chat')
  await press('m')
  await page.keyboard.type('I have **them**, @bo')
  await page.getByRole('option', { name: 'Bob' }).waitFor()
  await press('Enter')
  await page.keyboard.type('see')
  await press('Shift+Enter')
  await page.keyboard.type('the drawer')
  await press('Enter')
  await message(page, 'the drawer').waitFor()
  await untilTrue(async () => (await messagesOf(id)).length === 2, 'it was not sent')
  const [, sent] = await messagesOf(id)
  assert.equal(sent.content.text, 'I have **them**, @Bob see\nthe drawer')
  assert.deepEqual(
    sent.mentions.map((person: { id: string }) => person.id),
    [web.bob.id],
  )
  await press('ArrowUp')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.waitFor()
  await edit.fill('I have them')
  await press('Enter')
  await untilTrue(async () => (await textsOf(id))[1] === 'I have them', 'it was not edited')
  await press('k')
  await press('+')
  await page.getByRole('combobox', { name: 'React with' }).waitFor()
  await page.keyboard.type('tada')
  await page.getByRole('option', { name: 'tada' }).waitFor()
  await press('Enter')
  await untilTrue(
    async () => (await messagesOf(id))[0].reactions[0]?.emoji === '🎉',
    'no reaction was given',
  )
  await page.getByRole('button', { name: /🎉 1 from Ann/ }).waitFor()
  await message(page, 'Who has the keys?').focus()
  await press('Shift+T')
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  await press('Enter')
  await page.getByText(/CHT\d+-1 created/).waitFor()
  const { items } = await web.ann.call('list_tasks', { project_id: `CHT${serial}` })
  assert.equal(items[0]?.title, 'Who has the keys?')
  await message(page, 'Who has the keys?').focus()
  await press('q')
  await untilTrue(
    async () => (await composer(page, name).inputValue()).includes('> Who has the keys?'),
    'nothing was quoted',
  )
  await composer(page, name).fill('')
  await message(page, 'I have them').focus()
  await press('#')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await untilTrue(
    async () => (await messagesOf(id))[1].deleted_at !== undefined,
    'it was not deleted',
  )
  await message(page, 'I have them').waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

test('a thread is read and written next to the channel, or in its place on a phone', {
  skip,
}, async () => {
  const { id, say } = await makeChannel()
  const root = await say(web.bob, 'Lunch?')
  await web.carol.call('reply_to_message', { message_id: root.id, body_markdown: 'At noon' })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}`)
  await page.getByRole('link', { name: /1 reply/ }).waitFor()
  await message(page, 'Lunch?').focus()
  await press('r')
  await page.getByRole('complementary', { name: 'Thread' }).getByText('At noon').waitFor()
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.waitFor()
  await reply.focus()
  await page.keyboard.type('I come too')
  await press('Enter')
  await page.getByRole('link', { name: /2 replies/ }).waitFor()
  await visitor.checkPage('chat-thread')
  const thread = await web.ann.call('get_message_thread', { message_id: root.id })
  assert.deepEqual(
    thread.replies.map((item: any) => item.content.text),
    ['At noon', 'I come too'],
  )
  visitor.assertNoProblems()
})

test('new messages have a line above them, are counted in the list and marked read as they are seen', {
  skip,
}, async () => {
  const { id, name, say } = await makeChannel()
  for (let n = 1; n <= 60; n++) await say(web.bob, `Line ${n}`)
  const [, , third] = await messagesOf(id)
  await web.ann.call('mark_channel_read', { channel_id: id, up_to_message_id: third.id })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}`)
  await message(page, 'Line 4').first().waitFor()
  await page.getByText('New', { exact: true }).waitFor()
  const unreadCount = async () =>
    (await web.ann.call('list_unread_messages', { channel_id: id })).items[0]?.unread ?? 0
  await untilTrue(async () => (await unreadCount()) < 57, 'nothing was read')
  assert.ok((await unreadCount()) > 0, 'what is below the screen is not read')
  await press('End')
  await untilTrue(async () => (await unreadCount()) === 0, 'it is not read to the end')
  await page.getByRole('button', { name: /jump to the first/ }).waitFor({ state: 'detached' })
  await page
    .getByRole('link', { name: new RegExp(name) })
    .getByRole('img', { name: /unread/ })
    .waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

test('a draft survives a reload, another tab and an incoming message, and is sent in order after being offline', {
  skip,
}, async () => {
  const { id, name, say } = await makeChannel()
  const other = await makeChannel()
  const { visitor, page, press } = await openFor(web, web.ann, `/chat/${id}`)
  await composer(page, name).fill('Half a sen')
  await page.reload()
  await composer(page, name).waitFor()
  assert.equal(await composer(page, name).inputValue(), 'Half a sen')
  const tab = await visitor.context.newPage()
  await tab.goto(page.url())
  await composer(tab, name).fill('Half a sentence')
  await untilTrue(
    async () => (await composer(page, name).inputValue()) === 'Half a sentence',
    'the draft of the other tab did not arrive',
  )
  await tab.close()
  await say(web.bob, 'Do not mind me')
  await message(page, 'Do not mind me').waitFor()
  assert.equal(await composer(page, name).inputValue(), 'Half a sentence')
  await visitor.go(`/chat/${other.id}`)
  await page
    .getByRole('link', { name: new RegExp(name) })
    .getByRole('img', { name: 'Draft' })
    .waitFor()
  await visitor.go(`/chat/${id}`)
  await composer(page, name).waitFor()
  await visitor.context.setOffline(true)
  await composer(page, name).press('Enter')
  for (const text of ['Two', 'Three']) {
    await composer(page, name).fill(text)
    await press('Enter')
  }
  await message(page, 'Three').getByText('Sending…').waitFor()
  assert.deepEqual((await textsOf(id)).slice(1), [])
  await visitor.context.setOffline(false)
  await untilTrue(async () => (await messagesOf(id)).length === 4, 'they were not sent')
  assert.deepEqual((await textsOf(id)).slice(1), ['Half a sentence', 'Two', 'Three'])
  await message(page, 'Sending…').waitFor({ state: 'detached' })
})

test('an edit started before the message is sent stays open with its text afterwards', {
  skip,
}, async () => {
  const { id, name, say } = await makeChannel()
  await say(web.bob, 'Anyone here?')
  const { visitor, page, press } = await openFor(web, web.ann, `/chat/${id}`)
  await composer(page, name).waitFor()
  await visitor.context.setOffline(true)
  await composer(page, name).fill('Helo')
  await press('Enter', 'ArrowUp')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.fill('Hello')
  await visitor.context.setOffline(false)
  await untilTrue(async () => (await textsOf(id))[1] === 'Helo', 'it was not sent')
  await message(page, 'Sending…').waitFor({ state: 'detached' })
  assert.equal(await edit.inputValue(), 'Hello')
  await edit.press('Enter')
  await untilTrue(async () => (await textsOf(id))[1] === 'Hello', 'it was not edited')
  visitor.assertNoProblems()
})

test('a person removed from a channel loses it at once, with nothing left behind', {
  skip,
}, async () => {
  const privateChannel = await makeChannel('private')
  await privateChannel.say(web.ann, 'Only for us')
  const { visitor, page } = await reopenFor(web, web.bob, `/chat/${privateChannel.id}`)
  await message(page, 'Only for us').waitFor()
  const remove = (channel_id: string) =>
    web.ann.call('remove_channel_member', { channel_id, person_id: web.bob.id })
  await remove(privateChannel.id)
  await message(page, 'Only for us').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'This conversation is not there' }).waitFor()
  assert.equal(await page.getByRole('link', { name: new RegExp(privateChannel.name) }).count(), 0)
  const publicChannel = await makeChannel()
  await publicChannel.say(web.ann, 'Only for members')
  await visitor.go(`/chat/${publicChannel.id}`)
  await message(page, 'Only for members').waitFor()
  await remove(publicChannel.id)
  await message(page, 'Only for members').waitFor({ state: 'detached' })
  await page.getByText(`You are not a member of #${publicChannel.name}.`).waitFor()
  assert.equal(await page.getByRole('link', { name: new RegExp(publicChannel.name) }).count(), 0)
  visitor.assertNoProblems()
})
