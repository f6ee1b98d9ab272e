import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { calendarOf, jobOf } from './testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const event = (uid: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join('\r\n')

const inZone = (name: string, ...events: string[]) =>
  calendarOf([`X-WR-TIMEZONE:${name}`, ...events])

async function importFile(who: TestWorkspace['ann'], ics: string) {
  const [calendar] = (await who.call('list_calendars', {})).items
  return who.call('import_calendar', { calendar_id: calendar.id, ics })
}

async function starts(who: TestWorkspace['ann'], query: string): Promise<string[]> {
  const { items } = await who.call('list_events', { from: '2027-04-01', to: '2027-05-31', query })
  return items.map((item: any) => item.starts_at?.replace(':00.000Z', 'Z') ?? item.starts_local)
}

test('the zone of a file applies to its times without one, and the import names it', async () => {
  const { ann, bob } = workspace
  const result = await importFile(
    ann,
    inZone(
      'America/Chicago',
      event('Floating', 'DTSTART:20270412T190000'),
      event('Instant', 'DTSTART:20270412T190000Z'),
      event('Zoned', 'DTSTART;TZID=Asia/Tokyo:20270412T190000'),
      event(
        'Series',
        'DTSTART:20270413T090000',
        'RRULE:FREQ=DAILY;COUNT=4',
        'EXDATE:20270414T090000',
      ),
      event('Series', 'RECURRENCE-ID:20270415T090000', 'DTSTART:20270415T110000'),
      event('Day', 'DTSTART;VALUE=DATE:20270420'),
    ),
  )
  assert.deepEqual([result.created, result.timezones], [5, ['America/Chicago']])
  assert.deepEqual(await starts(ann, 'Floating'), ['2027-04-13T00:00Z'])
  assert.deepEqual(await starts(ann, 'Instant'), ['2027-04-12T19:00Z'])
  assert.deepEqual(await starts(ann, 'Zoned'), ['2027-04-12T10:00Z'])
  const series = ['2027-04-13T14:00Z', '2027-04-15T16:00Z', '2027-04-16T14:00Z']
  assert.deepEqual(await starts(ann, 'Series'), series)
  const { items } = await ann.call('list_events', { from: '2027-04-19', to: '2027-04-22' })
  assert.deepEqual(
    items.map((item: any) => [item.title, item.all_day, item.starts_local]),
    [['Day', true, '2027-04-20']],
  )
  const [from] = (await ann.call('list_calendars', {})).items
  const { download } = await ann.call('export_calendar', { calendar_id: from.id })
  const ics = Buffer.from(download.content_base64, 'base64').toString()
  assert.match(ics, /BEGIN:VTIMEZONE\r\nTZID:America\/Chicago/)
  assert.equal((await importFile(bob, ics)).created, 5)
  assert.deepEqual(await starts(bob, 'Series'), series)
})

test('Windows zone names, files with several calendars and large files work, too; an unknown zone is reported', async () => {
  const { carol } = workspace
  const twoCalendars = [
    inZone('Tokyo Standard Time', event('East', 'DTSTART:20270501T090000')),
    inZone('America/New_York', event('West', 'DTSTART:20270501T090000')),
  ].join('')
  assert.deepEqual((await importFile(carol, twoCalendars)).timezones, [
    'Asia/Tokyo',
    'America/New_York',
  ])
  assert.deepEqual(await starts(carol, 'East'), ['2027-05-01T00:00Z'])
  assert.deepEqual(await starts(carol, 'West'), ['2027-05-01T13:00Z'])
  const moon = await importFile(
    carol,
    inZone('Moon/Base', event('Moon', 'DTSTART:20270502T090000')),
  )
  assert.deepEqual(
    [moon.timezones, moon.left_out],
    [
      undefined,
      [
        {
          what: 'the time zone of the file, which is not known (X-WR-TIMEZONE)',
          count: 1,
          lines: ['Moon/Base'],
        },
      ],
    ],
  )
  const many = Array.from({ length: 120 }, (_, i) => event(`Many ${i}`, 'DTSTART:20270503T090000'))
  const job = await importFile(carol, inZone('Asia/Kolkata', ...many))
  await new Queue(workspace.app).drain()
  assert.deepEqual((await jobOf(carol, job)).result.timezones, ['Asia/Kolkata'])
  assert.deepEqual(await starts(carol, 'Many 119'), ['2027-05-03T03:30Z'])
})
