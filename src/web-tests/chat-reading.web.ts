import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { plantMessages, randomFrom, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

test('by keyboard: changes by an assistant are folded below its message, and undone there', {
  skip,
}, async () => {
  await web.ann.call('create_project', { name: 'Work', key: 'WRK', member_ids: [web.bob.id] })
  const task = await web.ann.call('create_task', { project_id: 'WRK', title: 'Oil the valves' })
  const channel = await web.ann.call('create_channel', {
    name: 'assistants',
    member_ids: [web.bob.id],
  })
  const { key } = await web.keyFor(web.ann, { name: 'Workshop helper' })
  const { key: otherKey } = await web.keyFor(web.ann, { name: 'Other helper' })
  const callApi = async (method: string, path: string, body: object, apiKey = key) => {
    const { status, json } = await web.ask(method, path, { key: apiKey, body })
    assert.ok(status < 300, JSON.stringify(json))
  }
  const postMessage = (body_markdown: string) =>
    callApi('POST', `/api/channels/${channel.id}/messages`, { body_markdown })
  await callApi('PATCH', `/api/tasks/${task.id}`, { title: 'Oil all valves' })
  await postMessage('Renamed the task.')
  await callApi('PATCH', `/api/tasks/${task.id}`, { priority: 'low' }, otherKey)
  await callApi('PATCH', `/api/tasks/${task.id}`, { priority: 'urgent' })
  await web.ann.call('update_task', { task_id: task.id, points: 3 })
  await postMessage('It is urgent now.')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${channel.id}`)
  const latest = page.getByRole('article').filter({ hasText: 'It is urgent now.' })
  await latest.waitFor()
  await press('k', 'w')
  await latest.getByText('Workshop helper changed before this message:').waitFor()
  const lines = latest.locator('[data-work] li')
  assert.equal(await lines.count(), 1, 'only what this key did since its last message')
  await lines.getByText(/priority from low to urgent/i).waitFor()
  await visitor.checkPage('chat-assistant')
  await lines.getByRole('button', { name: /^Undo/ }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).press('Enter')
  await untilTrue(
    async () => (await web.ann.call('get_task', { task_id: task.id })).priority === 'low',
    'it was not undone',
  )
  await lines.getByText('Undone', { exact: true }).waitFor()
  const bob = await reopenFor(web, web.bob, `/chat/${channel.id}`)
  const bobsMessage = bob.page.getByRole('article').filter({ hasText: 'It is urgent now.' })
  await bobsMessage.getByText('What it changed').click()
  await bobsMessage.getByText(/priority from low to urgent/i).waitFor()
  assert.equal(
    await bobsMessage.getByRole('button', { name: /^Undo/ }).count(),
    0,
    'only the owner of the key can undo',
  )
  visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

/** A channel with many messages of bob, inserted directly into the store: sending them would take minutes. */
async function makeLongChannel(name: string, count: number): Promise<string> {
  const { id } = await web.ann.call('create_channel', { name, member_ids: [web.bob.id] })
  const first = await web.bob.call('send_message', { channel_id: id, body_markdown: 'Number 1' })
  await plantMessages(web, id, first.id, count)
  await web.ann.call('mark_channel_read', { channel_id: id })
  return String(id)
}

test('of 100,000 messages only those around the reading position are rendered, wherever it is', {
  skip,
}, async () => {
  const count = 100_000
  const id = await makeLongChannel('long', count)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/chat/${id}`)
  const visibleNumbers = () =>
    page
      .locator('[data-list=channel] [data-message] p')
      .evaluateAll((nodes) => nodes.map((node) => Number(node.textContent?.split(' ')[1])))
  const requireContiguous = async (): Promise<number[]> => {
    const numbers = await visibleNumbers()
    assert.ok(numbers.length > 0 && numbers.length <= 300, `${numbers.length} are on the screen`)
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => (numbers[0] ?? 0) + n),
      'in order, without a gap',
    )
    return numbers
  }
  await page.getByText(`Number ${count}`, { exact: true }).waitFor()
  assert.equal((await requireContiguous()).at(-1), count)
  await untilTrue(async () => {
    for (let n = 0; n < 20; n++) await press('k')
    return ((await visibleNumbers())[0] ?? count) < count - 400
  }, 'older messages are not loaded')
  const above = await requireContiguous()
  assert.ok((above.at(-1) ?? 0) < count, 'messages far below are unloaded')
  await visitor.go(`/channels/${id}/msg_${String(count / 2).padStart(26, '0')}`)
  await page.getByText(`Number ${count / 2}`, { exact: true }).waitFor()
  const around = await requireContiguous()
  assert.ok(around.includes(count / 2 - 20) && around.includes(count / 2 + 20))
  await press('End')
  await page.getByText(`Number ${count}`, { exact: true }).waitFor()
  assert.equal((await requireContiguous()).at(-1), count)
  visitor.assertNoProblems()
})

const unreadIn = (page: Page, channelId: string): Promise<number> =>
  page
    .locator(`[data-channel="${channelId}"] [role=img]`)
    .evaluateAll((nodes) =>
      Number(/^(\d+) unread/.exec(nodes.at(-1)?.getAttribute('aria-label') ?? '')?.[1] ?? 0),
    )

test('after random reading in two browsers, both show the counts of list_unread_messages', {
  skip,
}, async () => {
  const { next: random, pick } = randomFrom(20_261_126)
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    const members = [web.bob.id, web.carol.id]
    ids.push(String((await web.ann.call('create_channel', { name, member_ids: members })).id))
  }
  const roots: { id: string; channel: string }[] = []
  const sendAtRandom = async () => {
    const sender = pick([web.bob, web.carol])
    const root = pick(roots)
    if (root && random() < 0.3)
      return sender.call('reply_to_message', { message_id: root.id, body_markdown: 'And @Ann' })
    const channel = pick(ids)
    for (let n = 0; n < 1 + random() * 12; n++) {
      const body_markdown = random() < 0.2 ? `@Ann ${n}` : `Line ${n}\n\nand another`
      const { id } = await sender.call('send_message', { channel_id: channel, body_markdown })
      roots.push({ id, channel })
    }
  }
  for (let n = 0; n < 4; n++) await sendAtRandom()
  const browsers = [
    await reopenFor(web, web.ann, `/chat/${ids[0]}`),
    await reopenFor(web, web.ann, `/chat/${ids[1]}`),
  ]
  const readAtRandom = async ({ page, press }: (typeof browsers)[number]) => {
    const root = pick(roots)
    const roll = random()
    if (roll < 0.35) await page.locator(`[data-channel="${pick(ids)}"]`).click()
    else if (roll < 0.5) await press('End')
    else if (roll < 0.65) await press('u')
    else if (roll < 0.75) await press('Shift+Escape')
    else if (roll < 0.85) await page.goto(`${web.url}/channels/${root.channel}/${root.id}`)
    else await page.mouse.wheel(0, Math.round((random() - 0.5) * 1500))
  }
  for (let n = 0; n < 24; n++) {
    if (random() < 0.5) await sendAtRandom()
    await readAtRandom(pick(browsers))
  }
  const counts = async (): Promise<number[]> => {
    const { items } = await web.ann.call('list_unread_messages', {})
    return ids.map((id) => items.find((item: any) => item.channel.id === id)?.unread ?? 0)
  }
  for (const { visitor, page } of browsers) {
    let unreadCounts: number[] = []
    const countsAgree = async () => {
      unreadCounts = await Promise.all(ids.map((id) => unreadIn(page, id)))
      return JSON.stringify(unreadCounts) === JSON.stringify(await counts())
    }
    await untilTrue(countsAgree, () => `the counts differ: the screen has ${unreadCounts}`)
    visitor.assertNoProblems()
  }
})
