import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const listMessages = async (
  channel_id: string,
): Promise<{ content: { text: string }; pinned: boolean }[]> =>
  (await web.ann.call('list_messages', { channel_id })).items
const unreadCount = async (channel_id: string, person = web.ann) =>
  (await person.call('get_channel', { channel_id })).unread.total

test('by keyboard: the channel is next to the room; typing in it does not trigger room shortcuts', {
  skip,
}, async () => {
  const { id, key, channel } = await web.ann.call('create_incident', {
    title: 'Queue grows',
    severity: 'sev2',
  })
  await web.bob.call('join_channel', { channel_id: channel.id })
  await web.bob.call('send_message', { channel_id: channel.id, body_markdown: 'I look at it' })
  assert.equal(await unreadCount(channel.id), 1)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/incidents/${key}`)
  const channelRegion = page.getByRole('region', { name: /inc-1-queue-grows/ })
  await channelRegion.getByText('I look at it').waitFor()
  await untilTrue(async () => (await unreadCount(channel.id)) === 0, 'what was seen is not read')
  await press('w')
  await page.keyboard.type('The consumer hangs, m j k')
  await press('Enter')
  await untilTrue(
    async () => (await listMessages(channel.id)).some((row) => row.content.text.endsWith('m j k')),
    'it was not sent',
  )
  await web.bob.call('send_message', { channel_id: channel.id, body_markdown: 'I restart it' })
  await channelRegion.getByText('I restart it').waitFor()
  await press('Escape')
  await visitor.checkPage('incident-channel')

  await press('m')
  await page.keyboard.type('Restarted')
  await press('Control+Enter')
  await page.getByRole('log').getByText('Restarted').waitFor()
  await press('Escape', 'k', 'p')
  await page.getByRole('textbox', { name: 'What customers should know' }).waitFor()
  await press('Escape')

  await press('w', 'Shift+Tab')
  await untilTrue(
    () =>
      channelRegion
        .getByRole('article')
        .last()
        .evaluate((row) => row.contains(document.activeElement)),
    'the last message does not have the focus',
  )
  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Pin').first().waitFor()
  await help.getByText('Acknowledge').first().waitFor()
  assert.equal(await help.getByText('Write a status update').count(), 0, 'in the channel, p pins')
  await press('Escape')
  await help.waitFor({ state: 'detached' })
  await press('k', 'j', 'p')
  await untilTrue(
    async () => (await listMessages(channel.id)).some((row) => row.pinned),
    'p did not pin the message',
  )
  assert.equal(await page.getByRole('dialog').count(), 0)
  await press('Shift+K')
  await untilTrue(
    async () => (await web.ann.call('get_incident', { incident_id: id })).status === 'acknowledged',
    'a key of the room has no effect from within the channel',
  )
  await press('Enter')
  await page.waitForURL(/\/chat\/.*thread=/)
  await page.getByRole('heading', { level: 1, name: /queue-grows/ }).waitFor()
  visitor.assertNoProblems()
})

test('on a phone the channel is below, and is marked read once it is on screen', {
  skip,
}, async () => {
  const { key, channel } = await web.ann.call('create_incident', {
    title: 'Disk full',
    severity: 'sev3',
  })
  await web.bob.call('join_channel', { channel_id: channel.id })
  await web.bob.call('send_message', { channel_id: channel.id, body_markdown: 'On my way' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/incidents')
  await page.setViewportSize({ width: 360, height: 740 })
  await visitor.go(`/incidents/${key}`)
  const channelRegion = page.getByRole('region', { name: /disk-full/ })
  await channelRegion.getByText('On my way').waitFor()
  await page.waitForTimeout(1000)
  assert.equal(await unreadCount(channel.id), 1, 'it counts as read before it was on the screen')
  await press('w')
  await untilTrue(async () => (await unreadCount(channel.id)) === 0, 'what was seen is not read')
  await visitor.checkPage('incident-channel-below')
  visitor.assertNoProblems()
})

test('a person joins the channel from the room; without access they are told what to do', {
  skip,
}, async () => {
  const { key, channel } = await web.ann.call('create_incident', {
    title: 'Slow search',
    severity: 'sev3',
  })
  const carol = await reopenFor(web, web.carol, `/incidents/${key}`)
  await carol.page.getByText('You are not a member of').waitFor()
  await carol.press('w', 'Enter')
  await carol.page.getByRole('textbox', { name: /^Message #/ }).waitFor()
  await untilTrue(
    async () => (await web.carol.call('get_channel', { channel_id: channel.id })).joined,
    'carol has not joined',
  )
  const secret = await web.bob.call('create_incident', {
    title: 'Keys leaked',
    severity: 'sev1',
    restricted: true,
  })
  const ann = await reopenFor(web, web.ann, `/incidents/${secret.key}`)
  await ann.page.getByText('You are not in the channel of this incident.').waitFor()
  await ann.visitor.checkPage('incident-no-channel')
  await ann.press('a')
  await ann.page.getByRole('combobox', { name: 'Lead' }).waitFor()
  await ann.page.keyboard.type('ann')
  await ann.page.locator('[role=option]').first().waitFor()
  await ann.press('Enter')
  await ann.page.getByRole('textbox', { name: /^Message #/ }).waitFor()
  carol.visitor.assertNoProblems()
  ann.visitor.assertNoProblems()
})
