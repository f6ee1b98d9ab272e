import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const timesOf = async (from: string, to = from): Promise<string[]> =>
  (await web.ann.call('list_events', { from, to, limit: 100 })).items.map(
    (event: { starts_local: string; ends_local: string }) =>
      `${event.starts_local.slice(8, 16)}–${event.ends_local.slice(11, 16)}`,
  )
const untilTimes = (expected: readonly string[], from: string, to?: string) =>
  untilTrue(
    async () => String(await timesOf(from, to)) === String(expected),
    `the times are not ${expected}`,
  )

test('only the start of an event is changed, by keyboard and by its upper edge; one undo reverts it', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_event', {
    title: 'Review',
    starts_at: '2026-12-02T10:00',
    ends_at: '2026-12-02T11:00',
  })
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2026-12-02')
  const event = page.locator(`[data-event="${id}"]`)
  await event.focus()
  await press('<')
  await untilTimes(['02T09:45–11:00'], '2026-12-02')
  await press('>', '>')
  await untilTimes(['02T10:15–11:00'], '2026-12-02')
  await press('z')
  await untilTimes(['02T10:00–11:00'], '2026-12-02')

  await event.filter({ hasText: '10:00 – 11:00' }).waitFor()
  const box = await event.boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width / 2, box.y + 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - box.height / 4)
  await page.mouse.move(x, y - box.height / 2)
  await event.filter({ hasText: '09:30' }).waitFor()
  await visitor.page.screenshot({ path: 'test-results/web/calendar-upper-edge.png' })
  await page.mouse.up()
  await untilTimes(['02T09:30–11:00'], '2026-12-02')
  await press('z')
  await untilTimes(['02T10:00–11:00'], '2026-12-02')
  visitor.assertNoProblems()
})

test('changing the start of a series asks which events are meant', { skip }, async () => {
  await web.ann.call('create_event', {
    title: 'Standup',
    starts_at: '2026-12-14T09:00',
    ends_at: '2026-12-14T10:00',
    rrule: 'FREQ=DAILY;COUNT=3',
  })
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2026-12-15')
  const standups = page.getByRole('button', { name: /Standup/ })
  await standups.nth(2).waitFor()
  await standups.nth(1).focus()
  await press('<')
  await page.getByRole('button', { name: 'Only this one' }).and(page.locator(':focus')).waitFor()
  await press('Enter')
  await untilTimes(
    ['14T09:00–10:00', '15T08:45–10:00', '16T09:00–10:00'],
    '2026-12-14',
    '2026-12-16',
  )
  await standups.nth(0).focus()
  await press('>')
  await page.getByRole('button', { name: 'All of them' }).press('Enter')
  await untilTrue(async () => {
    const times = await timesOf('2026-12-14', '2026-12-16')
    return times[0] === '14T09:15–10:00' && times[2] === '16T09:15–10:00'
  }, 'not all begin later')
  visitor.assertNoProblems()
})
