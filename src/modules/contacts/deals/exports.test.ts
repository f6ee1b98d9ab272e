import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { parse } from 'csv-parse/sync'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import type { Someone } from '../../../testing/harness.ts'

// Exports of lists: deals, meetings and incidents as CSV, events as an iCalendar file.

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const records = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, bom: true })

async function exportRecords(who: Someone, name: string, args: Record<string, unknown> = {}) {
  return records((await who.call(name, args)).inline)
}

test('deals are exported by the filters of their list, with amounts, stages and contacts', async () => {
  const { ann, bob } = served
  const company = await ann.call('create_company', { name: 'Muster' })
  const contact = await ann.call('create_contact', { name: '=Erika', company_id: company.id })
  const open = await ann.call('create_deal', {
    name: 'Renewal, 2027',
    contact_ids: [contact.id],
    amount: 1200.5,
    currency: 'EUR',
    expected_close_on: '2027-01-31',
    note: 'first\n"second"',
  })
  await ann.call('create_deal', { name: 'Other', owner_id: bob.id })
  const rows = await exportRecords(ann, 'export_deals')
  assert.deepEqual(
    rows.map(({ name, owner, status }) => [name, owner, status]),
    [
      ['Renewal, 2027', 'Ann', 'open'],
      ['Other', 'Bob', 'open'],
    ],
  )
  const [row] = rows
  assert.deepEqual(
    [row?.id, row?.company, row?.amount, row?.currency, row?.expected_close_on, row?.note],
    [open.id, 'Muster', '1200.5', 'EUR', '2027-01-31', 'first\n"second"'],
  )
  assert.match(row?.contacts ?? '', /^'=Erika$/, 'spreadsheets do not evaluate it as a formula')
  const dealsOfBob = await exportRecords(ann, 'export_deals', { owner_id: bob.id })
  assert.deepEqual(
    dealsOfBob.map(({ name }) => name),
    ['Other'],
  )
  assert.deepEqual(await exportRecords(served.eve, 'export_deals'), [])
})

test('meetings and incidents are exported with the reader’s permissions', async () => {
  const { ann, bob, eve } = served
  await ann.call('create_meeting', {
    title: 'Review',
    starts_at: '2027-03-01T09:00:00Z',
    ends_at: '2027-03-01T10:00:00Z',
    participants: [bob.actor.email, 'guest@else.example'],
    agenda: ['Budget', 'Plan'],
  })
  const [meeting] = await exportRecords(bob, 'export_meetings', { after: '2027-01-01' })
  assert.deepEqual(
    [meeting?.title, meeting?.starts_at, meeting?.agenda, meeting?.has_transcript],
    ['Review', '2027-03-01T09:00:00.000Z', 'Budget; Plan', 'no'],
  )
  assert.match(meeting?.participants ?? '', /Bob.*guest@else\.example/)
  assert.deepEqual(await exportRecords(bob, 'export_meetings', { before: '2027-01-01' }), [])
  const incident = await ann.call('create_incident', { title: 'Disk full', severity: 'sev2' })
  await ann.call('create_incident', { title: 'Secret', severity: 'sev1', restricted: true })
  const [row, ...others] = await exportRecords(bob, 'export_incidents', { severity: ['sev2'] })
  assert.deepEqual([row?.key, row?.title, row?.status], [incident.key, 'Disk full', 'open'])
  assert.deepEqual(others, [])
  const allIncidents = await exportRecords(bob, 'export_incidents')
  assert.ok(!allIncidents.some(({ title }) => title === 'Secret'))
  for (const name of ['export_meetings', 'export_incidents'])
    assert.deepEqual(await exportRecords(eve, name), [])
})

test('a long export is returned as a link to a file with everything that the caller may see', async () => {
  const { ann } = served
  const note = 'x'.repeat(15_000)
  for (let n = 0; n < 80; n++) await ann.call('create_deal', { name: `Long ${n}`, note })
  const { download_url, inline, item_count } = await ann.call('export_deals')
  assert.equal(inline, undefined)
  const { pathname } = new URL(download_url)
  const response = await served.ask('GET', pathname, { key: undefined })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition') ?? '', /deals\.csv/)
  assert.equal(records(response.text).length, item_count)
})

test('events are exported as a calendar readable by other programs, with series preserved', async () => {
  const { ann, bob } = served
  await ann.call('create_event', {
    title: 'Standup',
    starts_at: '2027-05-03T07:00:00Z',
    ends_at: '2027-05-03T07:15:00Z',
    rrule: 'FREQ=DAILY;COUNT=5',
  })
  await ann.call('create_event', {
    title: 'Offsite; with, commas',
    starts_at: '2027-06-01',
    ends_at: '2027-06-02',
    all_day: true,
  })
  const titles = (text: string) =>
    new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((item) => new ICAL.Event(item).summary)
  const fullExport = await ann.call('export_events')
  assert.deepEqual(titles(fullExport.inline), ['Standup', 'Offsite; with, commas'])
  assert.deepEqual([fullExport.format, fullExport.item_count, fullExport.unreadable], ['ics', 2, 0])
  const may = await ann.call('export_events', { from: '2027-05-05', to: '2027-05-06' })
  assert.deepEqual(titles(may.inline), ['Standup'])
  assert.match(may.inline, /RRULE:FREQ=DAILY;COUNT=5/)
  const [calendar] = (await ann.call('list_calendars')).items
  const emptyExport = await ann.call('export_events', {
    calendar_id: calendar.id,
    from: '2028-01-01',
    to: '2028-02-01',
  })
  assert.equal(emptyExport.item_count, 0)
  assert.equal((await bob.call('export_events')).item_count, 0)
  assert.match((await ann.refused('export_events', { from: '2027-05-05' })).message, /^to: /)
  assert.equal((await bob.refused('export_events', { calendar_id: calendar.id })).code, 'not_found')
})
