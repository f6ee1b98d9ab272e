// Tests that only messages that were on the screen count as read.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { plantMessages, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const unreadCount = async (channel_id: string): Promise<number> =>
  (await web.ann.call('list_unread_messages', { channel_id })).items[0]?.unread ?? 0

test('of many new messages only those shown on screen count as read, up to the last once it is reached', {
  skip,
}, async () => {
  const count = 200
  const { id } = await web.ann.call('create_channel', { name: 'seen', member_ids: [web.bob.id] })
  const first = await web.bob.call('send_message', { channel_id: id, body_markdown: 'Number 1' })
  await web.ann.call('mark_channel_read', { channel_id: id })
  await plantMessages(web, id, first.id, count)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}`)
  await page.getByText('New', { exact: true }).waitFor()
  /** The number of the last message fully visible on the page. */
  const lastSeen = () =>
    page.locator('[data-list=channel]').evaluate((list) => {
      const { bottom } = list.getBoundingClientRect()
      const visible = [...list.querySelectorAll('[data-message]')].filter(
        (node) => node.getBoundingClientRect().bottom <= bottom + 2,
      )
      return Number(visible.at(-1)?.querySelector('p')?.textContent?.split(' ')[1])
    })
  let furthest = 0
  const requireRead = async () => {
    furthest = Math.max(furthest, await lastSeen())
    const isRead = async () => (await unreadCount(id)) === count - furthest
    await untilTrue(isRead, () => `it is not read to ${furthest}`)
    await page.waitForTimeout(1000) // the count must not change later
    assert.ok(await isRead())
  }
  await requireRead()
  assert.ok(furthest < 45, `${furthest} messages do not fit on the screen`)
  const initiallySeen = furthest
  await page.mouse.move(900, 400)
  await page.mouse.wheel(0, 700)
  await requireRead()
  assert.ok(furthest > initiallySeen, 'nothing came into view')
  await page.mouse.wheel(0, -1500) // scrolling back marks nothing as unread
  await requireRead()
  await press('End')
  await page.getByText(`Number ${count}`, { exact: true }).waitFor()
  await untilTrue(async () => (await unreadCount(id)) === 0, 'not all is read at the end')
  visitor.assertNoProblems()
})

test('opening a thread by link does not mark earlier unseen channel messages as read', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_channel', { name: 'side', member_ids: [web.bob.id] })
  const root = await web.ann.call('send_message', { channel_id: id, body_markdown: 'Who waters?' })
  for (let n = 1; n <= 40; n++)
    await web.bob.call('send_message', { channel_id: id, body_markdown: `Line ${n}` })
  const postReply = (body_markdown: string) =>
    web.bob.call('reply_to_message', { message_id: root.id, body_markdown })
  const reply = await postReply('I do, @ann')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/channels/${id}/${reply.id}`)
  await page.locator('[data-list=thread]').getByText('I do').waitFor()
  await untilTrue(async () => (await unreadCount(id)) < 41, 'what is on the screen is not read')
  await page.waitForTimeout(1000)
  assert.ok((await unreadCount(id)) > 10, 'what is below the screen counts as read')
  await page.locator('[data-list=channel] [data-message]').last().focus()
  await press('End')
  await untilTrue(
    async () => (await unreadCount(id)) === 0,
    'reading the channel does not read its thread',
  )
  await postReply('And on Sunday, too')
  await untilTrue(async () => (await unreadCount(id)) === 0, 'a new reply is not read')
  visitor.assertNoProblems()
})
