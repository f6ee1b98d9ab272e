import assert from 'node:assert/strict'
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

const eventOf = (page: Page, title: string) =>
  page.locator('[data-event]').filter({ hasText: title })
const pane = (page: Page) => page.getByRole('complementary', { name: 'The event' })

/** Returns the times of an event as the calendar shows them, and as get_event returns them. */
async function shownAndActualTimes(page: Page, id: string): Promise<[string, string]> {
  const eventText = await page.locator(`[data-event="${id}"]`).first().textContent()
  const calendarEvent = await web.ann.call('get_event', { event_id: id })
  const hours = `${calendarEvent.starts_local.slice(11, 16)} – ${calendarEvent.ends_local.slice(11, 16)}`
  return [eventText ?? '', hours]
}

async function eventsOn(from: string, to: string) {
  const { items } = await web.ann.call('list_events', { from, to, limit: 100 })
  return items as { id: string; title: string; starts_local: string; ends_local: string }[]
}

test('an event is created, moved, extended, edited, deleted and restored by keyboard', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2026-12-02')
  await press('c')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  await page.keyboard.type('Review of the plan')
  await press('Tab')
  await page.keyboard.type('3 december 14:00 45m with bob')
  await page.locator('input[type=time]').first().and(page.locator('[value="14:00"]')).waitFor()
  assert.equal(await page.getByLabel('End time').inputValue(), '14:45')
  assert.equal(await page.getByLabel('Starts').inputValue(), '2026-12-03')
  await visitor.checkPage('calendar-form')
  await press('Control+Enter')
  const event = eventOf(page, 'Review of the plan')
  await event.waitFor()
  await pane(page).getByText('Guests have not been notified').waitFor() // the pane opens because guests can be notified
  const [created] = await eventsOn('2026-12-03', '2026-12-03')
  assert.equal(created?.starts_local, '2026-12-03T14:00:00+01:00')
  const id = created?.id ?? ''
  await visitor.checkPage('calendar-week')
  await press('Escape', 'j', 'Shift+ArrowRight')
  await untilTrue(
    async () => (await eventsOn('2026-12-04', '2026-12-04')).length === 1,
    'not moved',
  )
  await press('Shift+ArrowUp')
  await press('Shift+ArrowUp')
  await press('+')
  await eventOf(page, '13:30 – 14:30').waitFor()
  await untilTrue(async () => {
    const [shown, actual] = await shownAndActualTimes(page, id)
    return shown.includes(actual) && actual === '13:30 – 14:30'
  }, 'the server has another time')
  await press('e')
  await page.getByRole('dialog', { name: 'Edit event' }).waitFor()
  await page.getByLabel('Place').fill('Room 4')
  await page.getByLabel('Title').fill('Review of plans')
  await press('Control+Enter')
  await eventOf(page, 'Review of plans').waitFor()
  await untilTrue(
    async () => (await web.ann.call('get_event', { event_id: id })).location === 'Room 4',
    'the place was not saved',
  )
  await press('#')
  await page.getByRole('checkbox', { name: 'Tell the guests' }).uncheck()
  await visitor.checkPage('calendar-delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await eventOf(page, 'Review of plans').waitFor({ state: 'detached' })
  await untilTrue(
    async () => (await eventsOn('2026-12-04', '2026-12-04')).length === 0,
    'still there',
  )
  await press('z')
  await eventOf(page, 'Review of plans').waitFor()
  visitor.assertNoProblems()
})

test('a series is changed for one, following and all events, across a clock change, in line with get_event', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2027-03-26')
  await press('c')
  await page.getByLabel('Title').fill('Standup')
  await page.getByLabel('Starts').fill('2027-03-25')
  await page.getByLabel('Start time').fill('09:00')
  await page.getByLabel('End time').fill('09:15')
  await page.getByLabel('Repeats').selectOption('Every day')
  await page.getByLabel('Until').fill('2027-04-02')
  await press('Control+Enter')
  await eventOf(page, 'Standup').nth(3).waitFor()
  assert.equal((await eventsOn('2027-03-22', '2027-04-10')).length, 9)
  const timesAgree = async () => {
    const events = await eventsOn('2027-03-22', '2027-03-28')
    for (const event of events) {
      const [shown, actual] = await shownAndActualTimes(page, event.id)
      if (!shown.includes(actual)) return false
    }
    return events.length > 0
  }
  await untilTrue(timesAgree, 'the week shows other times than get_event')
  // moves Saturday to Sunday, the day of the clock change: only this one
  const saturday = (await eventsOn('2027-03-27', '2027-03-27'))[0]
  await page.locator(`[data-event="${saturday?.id}"]`).focus()
  await press('Shift+ArrowDown')
  await page.getByRole('button', { name: 'Only this one' }).and(page.locator(':focus')).waitFor()
  await visitor.checkPage('calendar-scope')
  await press('Enter')
  await eventOf(page, '09:15 – 09:30').waitFor()
  await untilTrue(timesAgree, 'one moved: other times than get_event')
  const sunday = (await eventsOn('2027-03-28', '2027-03-28'))[0]
  assert.equal(sunday?.starts_local, '2027-03-28T09:00:00+02:00')
  await page.locator(`[data-event="${sunday?.id}"]`).focus()
  await press('Shift+ArrowUp')
  await press('ArrowDown', 'Enter') // this and the following ones
  await untilTrue(async () => {
    const events = await eventsOn('2027-03-25', '2027-04-02')
    return (
      events.map(({ starts_local }) => starts_local.slice(8, 16)).join(' ') ===
      '25T09:00 26T09:00 27T09:15 28T08:45 29T08:45 30T08:45 31T08:45 01T08:45 02T08:45'
    )
  }, 'the following ones were not moved')
  await untilTrue(timesAgree, 'following moved: other times than get_event')
  const first = (await eventsOn('2027-03-25', '2027-03-25'))[0]
  await page.locator(`[data-event="${first?.id}"]`).focus()
  await press('e')
  await page.getByLabel('Title').fill('Daily')
  await press('Control+Enter')
  await page.getByRole('button', { name: 'All of them' }).click()
  await eventOf(page, 'Daily').first().waitFor()
  await untilTrue(async () => {
    const events = await eventsOn('2027-03-25', '2027-03-28')
    return events.map(({ title }) => title).join() === 'Daily,Daily,Daily,Standup'
  }, 'not all of the first part were renamed')
  await untilTrue(timesAgree, 'all renamed: other times than get_event')
  visitor.assertNoProblems()
})

test('month and agenda views show events, busy days show how many more, and phones get the agenda', {
  skip,
}, async () => {
  const { call } = web.bob
  for (let n = 0; n < 9; n++)
    await call('create_event', {
      title: `Meeting ${n}`,
      starts_at: `2026-12-10T${String(9 + (n % 3)).padStart(2, '0')}:${n < 5 ? '00' : '30'}`,
      ends_at: `2026-12-10T${11 + (n % 4)}:45`,
    })
  await call('create_event', {
    title: 'Trade fair',
    starts_at: '2026-12-08',
    ends_at: '2026-12-11',
  })
  const { visitor, page, press } = await openFor(
    web,
    web.bob,
    '/calendar?view=month&day=2026-12-10',
  )
  const tenth = page.getByRole('region', { name: /Thursday,? 10 December 2026, 10 events/ })
  await tenth.getByRole('button', { name: /more$/ }).waitFor()
  await visitor.checkPage('calendar-month')
  await press('w')
  await page.getByRole('heading', { name: /^7\s?–\s?13 Dec 2026$/ }).waitFor()
  await page.getByRole('region', { name: 'All day' }).getByText('Trade fair').waitFor()
  const boxes = await page.locator('[data-look=block]').evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return { left, right, top, bottom }
    }),
  )
  assert.equal(boxes.length, 9)
  for (const [n, a] of boxes.entries())
    for (const b of boxes.slice(n + 1))
      assert.ok(
        a.right <= b.left + 1 ||
          b.right <= a.left + 1 ||
          a.bottom <= b.top + 1 ||
          b.bottom <= a.top + 1,
        'two events cover each other',
      )
  await visitor.checkPage('calendar-busy')
  await press('a')
  await page.getByRole('button', { name: /Meeting 8/ }).waitFor()
  await visitor.checkPage('calendar-agenda')
  await press('d', 'ArrowRight')
  await page.getByRole('heading', { name: /^Friday,? 11 December 2026$/ }).waitFor()
  await visitor.checkPage('calendar-day')
  await press('Shift+t', 'w')
  await page
    .getByRole('button', { name: 'Today' })
    .and(page.locator('[aria-current=date]'))
    .waitFor()
  await visitor.checkPage('calendar-today')
  await visitor.go('/calendar?view=day&day=2026-12-10')
  await page.getByText('Meeting 3').first().waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await page
    .getByRole('navigation', { name: 'How much is shown' })
    .getByRole('button', { name: 'Week' })
    .click()
  await page.getByRole('button', { name: /Meeting 3/ }).click()
  await page.getByRole('dialog', { name: 'The event' }).waitFor()
  await visitor.checkPage('calendar-event')
  await press('Escape')
  visitor.assertNoProblems()
})

test('an invitation is answered by a key, and offline edits are saved once the connection is back', {
  skip,
}, async () => {
  const invitation = await web.bob.call('create_event', {
    title: 'Budget',
    starts_at: '2026-12-15T10:00',
    ends_at: '2026-12-15T11:00',
    attendees: [web.carol.id],
  })
  await web.bob.call('send_event_invites', { event_id: invitation.id })
  const session = await openFor(web, web.carol, '/calendar?view=week&day=2026-12-15')
  const { visitor, page, press } = session
  await eventOf(page, 'Budget').waitFor()
  await press('j', 'Enter')
  await pane(page).getByRole('button', { name: /^Yes/ }).waitFor()
  await visitor.checkPage('calendar-invitation')
  await press('1')
  await pane(page).getByRole('button', { name: /^Yes/, pressed: true }).waitFor()
  await untilTrue(async () => {
    const { attendees } = await web.bob.call('get_event', { event_id: invitation.id })
    return attendees.some((attendee: { response: string }) => attendee.response === 'accepted')
  }, 'the organizer was not told')
  await visitor.context.setOffline(true)
  await press('Escape', 'c')
  await page.getByLabel('Title').fill('Written on the train')
  await press('Control+Enter')
  const offlineEvent = eventOf(page, 'Written on the train')
  await offlineEvent.waitFor()
  const { items } = await web.carol.call('list_events', { from: '2026-12-14', to: '2026-12-20' })
  assert.equal(items.length, 1)
  await visitor.context.setOffline(false)
  await untilTrue(async () => {
    const { items } = await web.carol.call('list_events', { from: '2026-12-14', to: '2026-12-20' })
    return items.length === 2
  }, 'it was not sent')
  await page.locator('[data-event^="evt_"]').filter({ hasText: 'Written on the train' }).waitFor()
  await checkCreateDuringList(session)
  visitor.assertNoProblems()
})

/** Checks that an event created while a list without it is loading stays on the screen. */
async function checkCreateDuringList({ page, press }: Awaited<ReturnType<typeof openFor>>) {
  const listUrl = '**/web/call/list_events'
  const listStarted = Promise.withResolvers<void>()
  let listRequests = 0
  await page.route(listUrl, async (route) => {
    const response = await route.fetch()
    if (listRequests++ === 0) {
      listStarted.resolve()
      await page.waitForResponse('**/web/call/create_event')
    }
    await route.fulfill({ response })
  })
  await web.carol.call('create_event', {
    title: 'Made by the assistant',
    starts_at: '2026-12-16T10:00',
    ends_at: '2026-12-16T11:00',
  })
  await listStarted.promise
  await press('c')
  await page.getByLabel('Title').fill('Made meanwhile')
  await press('Control+Enter')
  await page.locator('[data-event^="evt_"]').filter({ hasText: 'Made meanwhile' }).waitFor()
  await untilTrue(() => Promise.resolve(listRequests > 1), 'the list was not read again')
  await eventOf(page, 'Made by the assistant').waitFor()
  await page.locator('[data-event^="evt_"]').filter({ hasText: 'Made meanwhile' }).waitFor()
  await page.unroute(listUrl)
}

test('a second time zone and busy colleagues are displayed, and a common free time is found', {
  skip,
}, async () => {
  await web.carol.call('create_event', {
    title: 'Secret of Carol',
    starts_at: '2027-03-24T09:00',
    ends_at: '2027-03-24T12:00',
    timezone: 'Europe/Berlin',
  })
  const { visitor, page, press } = await openFor(web, web.bob, '/calendar?view=week&day=2027-03-24')
  await page.getByRole('button', { name: 'Show a second time zone…' }).click()
  await choose(page, 'Show a second time zone…', 'New York')
  const hours = page.getByRole('region', { name: 'Hours' })
  await hours.getByText('New York').waitFor()
  const labels = () =>
    hours.locator('[class*=labels]').nth(1).locator('[class*=hour]').allTextContents()
  assert.equal((await labels())[8], '04:00', 'New York changes its clocks two weeks before Berlin')
  await visitor.go('/calendar?view=week&day=2027-03-30')
  await hours.getByText('New York').waitFor()
  assert.equal((await labels())[8], '03:00')
  await visitor.go('/calendar?view=week&day=2027-03-24')
  await hours.getByText('New York').waitFor()
  await press('p')
  await choose(page, 'Show when colleagues are busy…', 'Carol')
  await press('Escape')
  const wednesday = page.getByRole('region', { name: /Wednesday,? 24 March 2027/ })
  await wednesday.getByText('Carol is busy 09:00 – 12:00').waitFor()
  assert.equal(await page.getByText('Secret of Carol').count(), 0)
  await visitor.checkPage('calendar-colleagues')
  await press('c')
  await page.getByLabel('Title').fill('Plan with Carol')
  await page.getByLabel('Start time').fill('10:00')
  await page.getByRole('combobox', { name: 'Guests' }).fill('Carol')
  await press('Enter')
  await page.getByRole('button', { name: 'Find a time for everyone' }).click()
  const times = page.getByRole('list', { name: 'Times that suit everyone' })
  await times.getByRole('button').first().waitFor()
  await visitor.checkPage('calendar-find-time')
  const { items } = await web.bob.call('find_meeting_time', {
    attendees: [web.carol.id],
    duration_minutes: 60,
    from: '2027-03-24',
    to: '2027-04-07',
    limit: 6,
  })
  await times.getByRole('button').first().click()
  await press('Control+Enter')
  await eventOf(page, 'Plan with Carol').waitFor()
  await untilTrue(async () => {
    const listedEvents = await web.bob.call('list_events', { from: '2027-03-24', to: '2027-04-08' })
    return listedEvents.items.some(
      (event: { starts_at: string }) => event.starts_at === items[0].starts_at,
    )
  }, 'it is not at the time that was found')
  visitor.assertNoProblems()
})
