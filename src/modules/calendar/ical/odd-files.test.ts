import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { eventColumns } from './event-columns.ts'
import { readObject } from './objects.ts'
import { expand } from './occurrences.ts'
import { zoneNamed } from './zones.ts'

let workspace: TestWorkspace
let ann: Someone
before(async () => {
  workspace = await makeWorkspace()
  ann = workspace.ann
})
after(() => workspace.close())

const event = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  ...lines,
  'END:VEVENT',
]
const calendar = (...lines: string[]) => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:x',
  ...lines,
  'END:VCALENDAR',
]
const text = (...lines: string[]) => [...lines, ''].join('\r\n')
const importFile = async (ics: string, who = ann) =>
  who.call('import_calendar', { calendar_id: (await who.call('list_calendars')).items[0].id, ics })
const listEvents = async (more = {}) =>
  (await ann.call('list_events', { from: '2026-11-01', to: '2026-12-30', limit: 100, ...more }))
    .items as any[]
const reader = {
  zone: 'Europe/Berlin',
  ownAddresses: new Set<string>(),
  now: Date.UTC(2026, 10, 20),
}

test('a file with several calendars is imported completely, each with its own zones', async () => {
  const zone = (offset: string) => [
    'BEGIN:VTIMEZONE',
    'TZID:Ours',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  const ics = text(
    ...calendar(
      ...zone('+0200'),
      ...event('several-1', 'DTSTART;TZID=Ours:20261124T100000', 'SUMMARY:Several one'),
    ),
    ...calendar(
      ...zone('-0500'),
      ...event('several-2', 'DTSTART;TZID=Ours:20261124T100000', 'SUMMARY:Several two'),
    ),
    ...calendar(...event('several-3', 'DTSTART:20261124T160000Z', 'SUMMARY:Several three')),
  )
  assert.deepEqual(await importFile(ics), {
    created: 3,
    changed: 0,
    unchanged: 0,
    unreadable: 0,
    problems: [],
    left_out: [],
  })
  assert.deepEqual(
    (await listEvents({ query: 'Several' })).map((item) => [item.title, item.starts_at]),
    [
      ['Several one', '2026-11-24T08:00:00.000Z'],
      ['Several two', '2026-11-24T15:00:00.000Z'],
      ['Several three', '2026-11-24T16:00:00.000Z'],
    ],
  )
  const broken = text(
    ...calendar(...event('half-1', 'DTSTART:20261125T160000Z', 'SUMMARY:Half one')),
    ...calendar('BEGIN:VEVENT', 'UID:half-2', 'SUMMARY:Half two', 'END:VTODO'),
  )
  const partialImport = await importFile(broken)
  assert.deepEqual([partialImport.created, partialImport.unreadable], [1, 1])
  const mixed = text(
    'BEGIN:VCARD',
    'FN:x',
    'END:VCARD',
    ...calendar(...event('mixed-1', 'DTSTART:20261125T170000Z', 'SUMMARY:Beside a card')),
  )
  assert.equal((await importFile(mixed)).created, 1)
})

test('impossible durations and dates are reported as unreadable or clamped, never as an internal error', async () => {
  const overlongEnds = [
    'DURATION:P999999999999999999W',
    'DURATION:P999999999W',
    'DURATION:-P999999999999999999W',
    'DURATION:PT99999999999999999999S',
    'DTEND:99991231T235959Z',
  ]
  const starts = [
    'DTSTART:20261124T100000Z',
    'DTSTART;VALUE=DATE:20261124',
    'DTSTART:99991231T235959Z',
    'DTSTART:00010101T000000Z',
    'DTSTART;VALUE=DATE:99991231',
    'DTSTART;TZID=America/New_York:99991231T235959',
    'DTSTART:00000101T000000Z',
  ]
  const oddEvents: string[][] = []
  for (const start of starts) {
    for (const end of overlongEnds) {
      for (const more of [
        [],
        ['RRULE:FREQ=DAILY;COUNT=3'],
        ['RRULE:FREQ=YEARLY'],
        ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-P999999999999999999W', 'END:VALARM'],
      ]) {
        const lines = [start, end, ...more]
        const columns = eventColumns(text(...calendar(...event('odd', ...lines))), reader, 'odd')
        for (const at of [
          columns.starts_at,
          columns.ends_at,
          columns.ends_by ?? 0,
          columns.remind_at ?? 0,
        ])
          assert.ok(
            Number.isSafeInteger(at) && Math.abs(at) <= 8.64e15,
            `${lines.join(' ')}: ${at}`,
          )
        oddEvents.push(event(`odd ${lines.join(' ')}`, ...lines))
      }
    }
  }
  for (let i = 0; i < oddEvents.length; i += 70) {
    const result = await importFile(text(...calendar(...oddEvents.slice(i, i + 70).flat())))
    assert.equal(result.created + result.unreadable, Math.min(70, oddEvents.length - i))
  }
  const columns = eventColumns(
    text(...calendar(...event('odd', 'DTSTART:20261124T100000Z', 'DURATION:P999999999999999999W'))),
    reader,
    'odd',
  )
  assert.match(columns.unreadable!, /lasts longer than/)
  await listEvents()
  await ann.call('get_my_agenda', { date: '2026-11-24' })
  await ann.call('export_calendar', { calendar_id: (await ann.call('list_calendars')).items[0].id })
})

test('an oversized sequence number is stored as the maximum', async () => {
  assert.equal(
    (
      await importFile(
        text(
          ...calendar(
            ...event('seq', 'DTSTART:20261124T100000Z', 'SEQUENCE:99999999999999999999999'),
          ),
        ),
      )
    ).created,
    1,
  )
})

test('a rule with an unknown calendar system shows only its first occurrence, with a notice', async () => {
  const lines = [
    'DTSTART;VALUE=DATE:20130210',
    'RRULE:RSCALE=CHINESE;FREQ=YEARLY',
    'SUMMARY:Chinese New Year',
  ]
  const object = readObject(text(...calendar(...event('cny', ...lines))))
  assert.deepEqual(
    expand(object, Date.UTC(2012, 0), Date.UTC(2030, 0), 'UTC').occurrences.map(
      (occurrence) => occurrence.place,
    ),
    ['20130210'],
  )
  const columns = eventColumns(text(...calendar(...event('cny', ...lines))), reader, 'cny')
  assert.deepEqual([columns.is_series, columns.ends_by! < Date.UTC(2014, 0)], [1, true])
  for (const scale of ['GREGORIAN', 'gregorian', 'GREGORY']) {
    const gregorian = readObject(
      text(
        ...calendar(
          ...event(
            'greg',
            'DTSTART;VALUE=DATE:20130210',
            `RRULE:RSCALE=${scale};FREQ=YEARLY;COUNT=3`,
          ),
        ),
      ),
    )
    assert.equal(
      expand(gregorian, Date.UTC(2012, 0), Date.UTC(2030, 0), 'UTC').occurrences.length,
      3,
      scale,
    )
  }
  await importFile(text(...calendar(...event('cny', ...lines))))
  const [shown] = (
    await ann.call('list_events', { from: '2013-02-01', to: '2013-03-01', query: 'Chinese' })
  ).items
  const series = await ann.call('get_event', { event_id: shown.series_id })
  assert.match(series.notes.join(), /CHINESE calendar/)
})

test('zones are recognized by the display names that Outlook writes', () => {
  const names: [string, string][] = [
    ['Kuala Lumpur, Singapore', 'Asia/Singapore'],
    ['(UTC+08:00) Kuala Lumpur, Singapore', 'Asia/Singapore'],
    ['Pacific Time (US & Canada), Tijuana', 'America/Los_Angeles'],
    ['(UTC-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
    ['(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna', 'Europe/Berlin'],
    ['Eastern Time (US & Canada)', 'America/New_York'],
    ['GMT -0500 (Standard) / GMT -0400 (Daylight)', 'UTC'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Nowhere, Atlantis', 'UTC'],
  ]
  const { root } = readObject(text(...calendar(...event('zones', 'DTSTART:20261124T100000Z'))))
  for (const [name, zone] of names) assert.equal(zoneNamed(name, root, 'UTC').name, zone, name)
})
