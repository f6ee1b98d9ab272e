import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Frame } from 'playwright-core'
import { buildApps } from '../testing/apps.ts'
import { noChromium, openChromium } from '../testing/chromium.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { AppHost, connectClient } from './app-host.ts'

let served: ServedWorkspace
let browser: Browser
let host: AppHost
before(async () => {
  if (noChromium) return
  await buildApps()
  served = await serveWorkspace()
  browser = await openChromium()
  await served.carol.call('update_my_profile', { timezone: 'America/New_York' })
})
after(async () => {
  await browser?.close()
  await served?.close()
})
beforeEach(async () => {
  if (!noChromium) host = await AppHost.open(browser, served)
})
afterEach(async () => {
  await host?.close()
})

const skip = noChromium

const searchArgs = (overrides: Record<string, unknown> = {}) => ({
  attendees: ['bob@acme.test'],
  duration_minutes: 30,
  from: '2026-11-23',
  to: '2026-11-25',
  limit: 4,
  ...overrides,
})

const show = async (args: Record<string, unknown>, traits = {}): Promise<Frame> =>
  (await host.show('find_meeting_time', args, traits)).frame

const eventsOf = async (title: string) => {
  const { items } = await served.ann.call('list_events', { from: '2026-11-23', to: '2026-11-26' })
  return items.filter((event: { title: string }) => event.title === title)
}

test('a picked time becomes an event with all participants, and no one is notified', {
  skip,
}, async () => {
  const optional = served.carol.id
  const frame = await show(searchArgs({ optional_attendees: [optional] }))
  await frame.getByRole('radio', { name: 'Mon 23 Nov, 15:00' }).check()
  await frame.getByLabel('Title').fill('Kick-off')
  await frame.getByLabel('Place (optional)').fill('Room 1')
  await frame.getByRole('button', { name: 'Create event' }).click()
  await frame.getByText('No one has been notified yet.').waitFor()
  await host.waitForNote('context', /created the event \\"Kick-off\\".*No one has been notified/)
  const [event, ...others] = await eventsOf('Kick-off')
  assert.deepEqual(others, [])
  const fullEvent = await served.ann.call('get_event', { event_id: event.id })
  assert.deepEqual(
    [fullEvent.starts_at, fullEvent.ends_at, fullEvent.location],
    ['2026-11-23T14:00:00.000Z', '2026-11-23T14:30:00.000Z', 'Room 1'],
  )
  const people = Object.fromEntries(
    fullEvent.attendees.map((attendee: any) => [attendee.address.email, attendee.optional]),
  )
  assert.equal(people['bob@acme.test'], false)
  assert.equal(people[served.carol.actor.email], true)
  assert.equal(fullEvent.invites_pending, true)
  assert.deepEqual((await served.bob.call('list_notifications', {})).items, [])
  assert.deepEqual(host.takeCalls(), ['create_event', 'add_event_attendees'])
  await frame.getByRole('button', { name: 'Open in Workspace' }).click()
  await host.waitForNote('link', new RegExp(`^"${fullEvent.url}"$`))
  assert.deepEqual(host.problems, [])
})

test('a time is picked and an event created by keyboard only; without a title none is created', {
  skip,
}, async () => {
  const frame = await show(searchArgs())
  await frame.getByRole('radio').first().focus()
  await host.page.keyboard.press('Space')
  await frame.getByRole('button', { name: 'Create event' }).waitFor()
  await host.page.keyboard.press('Tab')
  await host.page.keyboard.type('  ')
  await host.page.keyboard.press('Enter')
  assert.deepEqual(host.takeCalls(), [])
  await host.page.keyboard.type('Typed')
  await host.page.keyboard.press('Enter')
  await frame.getByRole('heading', { name: 'Typed' }).waitFor()
  assert.equal((await eventsOf('Typed')).length, 1)
})

test('a refusal is explained, and the same event is not created twice', { skip }, async (t) => {
  const { key: bearer } = await served.keyFor(served.ann, { readOnly: true })
  const readOnlyHost = await AppHost.open(browser, served, bearer)
  t.after(() => readOnlyHost.close())
  const { frame } = await readOnlyHost.show('find_meeting_time', searchArgs())
  await frame.getByRole('radio').first().check()
  await frame.getByLabel('Title').fill('Refused')
  await frame.getByRole('button', { name: 'Create event' }).click()
  await frame
    .getByRole('alert')
    .getByText(/only reads|read-only|may only read/i)
    .waitFor()
  await frame.getByRole('button', { name: 'Create event' }).click()
  await frame.getByRole('button', { name: 'Create event' }).waitFor()
  assert.deepEqual(await eventsOf('Refused'), [])
  const keys = readOnlyHost.calls.map(({ arguments: args }) => args?.idempotency_key)
  assert.ok(keys.length >= 1 && new Set(keys).size === 1)
})

test('people in other time zones or unavailable are named, and more times are loaded', {
  skip,
}, async () => {
  const optional = { optional_attendees: [served.carol.id] }
  const morning = await show(
    searchArgs({ ...optional, from: '2026-11-24T08:00:00Z', to: '2026-11-24T11:00:00Z' }),
  )
  await morning.getByText('Cannot come: Carol').first().waitFor()
  const frame = await show(searchArgs(optional))
  await frame
    .getByText(/^Carol 0\d:\d\d$/)
    .first()
    .waitFor()
  assert.equal(await frame.getByRole('radio').count(), 4)
  await frame.getByRole('button', { name: 'More times' }).click()
  await frame.getByRole('radio').nth(5).waitFor()
  const times = await frame.locator('.slot strong').allTextContents()
  assert.equal(new Set(times).size, times.length)
})

test('the absence of a time that suits everybody is reported', { skip }, async () => {
  const frame = await show(searchArgs({ from: '2026-11-21', to: '2026-11-21' }))
  await frame.getByText('No time suits everyone.').waitFor()
})

test('a host that forwards no calls shows the times read-only', { skip }, async () => {
  const frame = await show(searchArgs(), { capabilities: {} })
  await frame.getByText('Tell the assistant which one you want.').waitFor()
  assert.equal(await frame.locator('.slot strong').count(), 4)
  assert.equal(await frame.locator('input, button').count(), 0)
})

test('a client without views gets the same response as text', { skip }, async (t) => {
  const client = await connectClient(served, served.bearer, { rendersApps: false })
  t.after(() => client.close())
  const request = { name: 'find_meeting_time', arguments: searchArgs() }
  const [plainResult, viewResult] = [
    await client.callTool(request),
    await host.client.callTool(request),
  ]
  assert.deepEqual(plainResult.content, viewResult.content)
  const [text] = plainResult.content as { text: string }[]
  assert.equal(JSON.parse(text!.text).items.length, 4)
})

test('the picker is readable, usable and accessible at every width', { skip }, async () => {
  const frame = await show(searchArgs({ optional_attendees: [served.carol.id] }))
  await frame.getByRole('radio').first().check()
  await frame.getByRole('button', { name: 'Create event' }).waitFor()
  await host.checkView(frame, 'meeting-slots')
  await frame.getByLabel('Title').fill('<b>Look</b>')
  await frame.getByRole('button', { name: 'Create event' }).click()
  await frame.getByRole('heading', { name: '<b>Look</b>' }).waitFor()
  await host.checkView(frame, 'meeting-slots-created')
})
