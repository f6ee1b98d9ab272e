import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, {
    limits: false,
    video_link_template: 'https://meet.example/{random}',
  })
})
after(() => web?.close())

const eventOf = (page: Page, title: string) =>
  page.locator('[data-event]').filter({ hasText: title })
const pane = (page: Page) => page.getByRole('complementary', { name: 'The event' })
const eventsOn = async (day: string): Promise<{ id: string }[]> =>
  (await web.ann.call('list_events', { from: day, to: day, limit: 100 })).items

test('by keyboard: focus time is reserved, an event gets a call link, and its meeting an agenda and notes', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2027-01-13')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await press('f')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Focus time')
  await press('Control+Enter')
  await eventOf(page, 'Focus time').waitFor()
  await untilTrue(async () => (await eventsOn('2027-01-13')).length === 1, 'no event')
  const [focusEvent] = await eventsOn('2027-01-13')
  assert.equal((await web.ann.call('get_event', { event_id: focusEvent?.id })).kind, 'focus')
  await press('j', 'Enter')
  await pane(page).getByText('Focus time').nth(1).waitFor()
  await press('Escape', 'ArrowRight', 'c')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  await page.keyboard.type('Talk with Tom')
  await page.getByRole('checkbox', { name: 'Add a video call link' }).press('Space')
  await visitor.checkPage('calendar-form-video')
  await press('Control+Enter')
  const event = eventOf(page, 'Talk with Tom')
  await event.click()
  await pane(page).getByRole('link', { name: 'meet.example' }).waitFor()
  const openedPage = page.context().waitForEvent('page')
  await press('v')
  const callPage = await openedPage
  assert.match(callPage.url(), /^(https:\/\/meet\.example\/|about:blank|chrome-error:)/)
  await callPage.close()
  await pane(page)
    .getByRole('button', { name: /^Agenda and notes/ })
    .waitFor()
  await visitor.checkPage('calendar-event-deeds')
  await press('Shift+M')
  await page.waitForURL(/\/meetings\/mtg_/)
  await page.getByRole('heading', { level: 1, name: 'Talk with Tom' }).waitFor()
  await visitor.go('/calendar?view=week&day=2027-01-14')
  await event.click()
  await pane(page)
    .getByRole('button', { name: /^Open the meeting/ })
    .press('Enter')
  await page.waitForURL(/\/meetings\/mtg_/)
  assert.equal((await web.ann.call('list_meetings', { limit: 10 })).items.length, 1)
  visitor.assertNoProblems()
})
