import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

/** The name and the text of the file that an action downloads. */
async function downloadOf(page: Page, trigger: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent('download'), trigger()])
  const stream = await download.createReadStream()
  return {
    name: download.suggestedFilename(),
    text: Buffer.concat(await stream.toArray()).toString(),
  }
}

const clickExport = (page: Page) => () =>
  page.getByRole('button', { name: 'Export as CSV' }).click()

test('deals are exported as CSV, all of them or only mine', { skip }, async () => {
  await web.ann.call('create_deal', { name: 'New looms' })
  await web.bob.call('create_deal', { name: 'Dyes, blue' })
  const { visitor, page } = await reopenFor(web, web.ann, '/deals')
  await page.getByText('New looms').waitFor()
  await visitor.checkPage('deals-export')
  const allDeals = await downloadOf(page, clickExport(page))
  assert.equal(allDeals.name, 'deals.csv')
  assert.match(allDeals.text, /New looms/)
  assert.match(allDeals.text, /"Dyes, blue"/)
  await page.getByText('2 deals exported').first().waitFor()
  await page.getByRole('button', { name: 'Mine' }).click()
  await page.getByText('Dyes, blue').waitFor({ state: 'detached' })
  const ownDeals = await downloadOf(page, clickExport(page))
  assert.match(ownDeals.text, /New looms/)
  assert.doesNotMatch(ownDeals.text, /Dyes/)
  visitor.assertNoProblems()
})

test('incidents are exported as CSV, open ones or all', { skip }, async () => {
  await web.ann.call('create_incident', { title: 'Mail is slow', severity: 'sev3' })
  const resolvedIncident = await web.ann.call('create_incident', {
    title: 'No power',
    severity: 'sev1',
  })
  await web.ann.call('resolve_incident', {
    incident_id: resolvedIncident.id,
    resolution: 'Fuse replaced',
  })
  const { visitor, page } = await reopenFor(web, web.ann, '/incidents')
  await page.getByText('Mail is slow').waitFor()
  await visitor.checkPage('incidents-export')
  const openIncidents = await downloadOf(page, clickExport(page))
  assert.equal(openIncidents.name, 'incidents.csv')
  assert.match(openIncidents.text, /Mail is slow/)
  assert.doesNotMatch(openIncidents.text, /No power/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByText('No power').waitFor()
  const allIncidents = await downloadOf(page, clickExport(page))
  assert.match(allIncidents.text, /No power/)
  await page.getByText('2 incidents exported').first().waitFor()
  visitor.assertNoProblems()
})

test('meetings of the visible period are exported as CSV', { skip }, async () => {
  const daysFromNow = (days: number) => new Date(web.clock.now() + days * 86_400_000).toISOString()
  await web.ann.call('create_meeting', { title: 'Planning', starts_at: daysFromNow(2) })
  await web.ann.call('create_meeting', { title: 'Retrospective', starts_at: daysFromNow(-2) })
  const { visitor, page } = await reopenFor(web, web.ann, '/meetings')
  await page.getByText('Planning').waitFor()
  await visitor.checkPage('meetings-export')
  const upcoming = await downloadOf(page, clickExport(page))
  assert.equal(upcoming.name, 'meetings.csv')
  assert.match(upcoming.text, /Planning/)
  assert.doesNotMatch(upcoming.text, /Retrospective/)
  await page.getByRole('button', { name: 'Past' }).click()
  await page.getByText('Retrospective').waitFor()
  const pastMeetings = await downloadOf(page, clickExport(page))
  assert.match(pastMeetings.text, /Retrospective/)
  await page.getByText('1 meeting exported').first().waitFor()
  visitor.assertNoProblems()
})

test('the visible days of the calendar are exported as an iCalendar file', { skip }, async () => {
  const createEvent = (title: string, starts: string, ends: string) =>
    web.ann.call('create_event', { title, starts_at: starts, ends_at: ends })
  await createEvent('Review', '2026-12-02T10:00:00Z', '2026-12-02T11:00:00Z')
  await createEvent('Next month', '2027-01-12T10:00:00Z', '2027-01-12T11:00:00Z')
  const { visitor, page, press } = await reopenFor(
    web,
    web.ann,
    '/calendar?view=week&day=2026-12-02',
  )
  await page.getByText('Review').first().waitFor()
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).waitFor()
  await page.keyboard.type('Export the visible days')
  await page.getByRole('option', { name: /^Export the visible days/ }).waitFor()
  const { name, text } = await downloadOf(page, () => press('Enter'))
  assert.equal(name, 'events-2026-11-30.ics')
  assert.match(text, /^BEGIN:VCALENDAR\r\n/)
  assert.match(text, /SUMMARY:Review\r\n/)
  assert.doesNotMatch(text, /Next month/)
  await page.getByText('1 event exported').first().waitFor()
  visitor.assertNoProblems()
})
