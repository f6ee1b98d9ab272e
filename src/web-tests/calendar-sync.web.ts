import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTicks } from '../jobs/scheduler.ts'
import { asPerson } from '../operations/jobs/system.ts'
import { noDav, startRadicale, type DavDaemon } from '../testing/servers/daemons.ts'
import { untilTrue } from '../testing/limits.ts'
import { runBackground } from './background.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

// The calendar page with a real CalDAV server: changes are synchronized in both directions.

const skip = noChromium ?? noDav
let web: Web
let dav: DavDaemon
let stopBackground: () => Promise<void>
before(async () => {
  if (skip) return
  dav = await startRadicale()
  web = await openWeb(undefined, { limits: false, outbound_allow: `${dav.host}:${dav.port}` })
  stopBackground = runBackground(web)
  await connect()
})
after(async () => {
  await stopBackground?.()
  await web?.close()
  await dav?.close()
})

const user = () => dav.users[0]!
const headers = () => ({
  authorization: `Basic ${Buffer.from(`${user().user}:${user().password}`).toString('base64')}`,
  'content-type': 'text/calendar',
})

/** Connects the calendar of the server to ann. */
function connect(): Promise<void> {
  const values = {
    owner_id: web.ann.id,
    provider: 'caldav',
    address: `${user().user}@dav.test`,
    display_name: 'Personal',
    login: user().user,
    has_mail: 0,
    has_calendar: 1,
    has_drive: 0,
    status: 'syncing',
    services_json: '{}',
    servers_json: JSON.stringify({ caldav: { url: dav.url } }),
    signed_in_at: web.clock.now(),
    is_default: 1,
  } as const
  return asPerson(web.app, web.ann.id, 'connect', async (ctx) => {
    const row = await ctx.add('accounts', values)
    await ctx.secrets.put('accounts', row, 'password', user().password)
  })
}

/** The texts of all objects in the server's calendar. */
async function calendarObjects(): Promise<string[]> {
  const body = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'
  const listing = await fetch(user().calendar, {
    method: 'PROPFIND',
    headers: { ...headers(), depth: '1', 'content-type': 'application/xml' },
    body,
  })
  const paths = [...(await listing.text()).matchAll(/<href>([^<]*\.ics)<\/href>/g)]
  return Promise.all(
    paths.map(async ([, path]) =>
      (await fetch(new URL(path ?? '', dav.url), { headers: headers() })).text(),
    ),
  )
}

test('events created, moved and deleted by keyboard reach the calendar server, and events created there arrive here', {
  skip,
}, async () => {
  await runTicks(web.app)
  await untilTrue(
    async () => (await web.ann.call('list_calendars', {})).items.length === 2,
    'the calendar of the server is not there',
  )
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2027-03-26')
  await press('c')
  await page.getByLabel('Title').fill('Dentist')
  await page.getByLabel('Starts').fill('2027-03-27')
  await page.getByLabel('Start time').fill('10:00')
  await press('Control+Enter')
  const untilOnServer = (pattern: RegExp) =>
    untilTrue(
      async () =>
        (await calendarObjects()).some((text) => text.includes('Dentist') && pattern.test(text)),
      `the server has no ${pattern.source}`,
    )
  await untilOnServer(/DTSTART;TZID=Europe\/Berlin:20270327T100000/)
  const event = page.locator('[data-event]').filter({ hasText: 'Dentist' })
  await event.focus()
  await press('Shift+ArrowRight') // to the day on which the clocks change
  await untilOnServer(/DTSTART;TZID=Europe\/Berlin:20270328T100000/)
  await event.focus()
  await press('Shift+ArrowDown')
  await untilOnServer(/DTSTART;TZID=Europe\/Berlin:20270328T101500/)
  const { items } = await web.ann.call('list_events', { from: '2027-03-28', to: '2027-03-28' })
  assert.equal(items[0].starts_local, '2027-03-28T10:15:00+02:00')
  await event.getByText('10:15 – 11:15').waitFor()
  const icsEvent = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Other//EN',
    'BEGIN:VEVENT',
    'UID:made-elsewhere',
    'DTSTAMP:20260101T000000Z',
    'DTSTART;TZID=Europe/Berlin:20270325T150000',
    'DTEND;TZID=Europe/Berlin:20270325T160000',
    'SUMMARY:Made elsewhere',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
  const put = await fetch(`${user().calendar}made-elsewhere.ics`, {
    method: 'PUT',
    headers: headers(),
    body: icsEvent,
  })
  assert.equal(put.status, 201)
  web.clock.wait(6 * 60_000) // the calendar is synchronized every five minutes
  await runTicks(web.app)
  await page.locator('[data-event]').filter({ hasText: 'Made elsewhere' }).waitFor()
  await visitor.checkPage('calendar-synced')
  await event.focus()
  await press('#')
  await event.waitFor({ state: 'detached' })
  await untilTrue(
    async () => !(await calendarObjects()).some((text) => text.includes('Dentist')),
    'it is still on the server',
  )
  visitor.assertNoProblems()
})
