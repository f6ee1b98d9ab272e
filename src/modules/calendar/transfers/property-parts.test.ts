import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { calendarOf } from './testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const event = (uid: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT'].join('\r\n')

const weekly = (uid: string) =>
  event(
    uid,
    `SUMMARY:${uid}`,
    'DTSTART;TZID=Europe/Berlin:20270104T090000',
    'DTEND;TZID=Europe/Berlin:20270104T100000',
    'RRULE:FREQ=WEEKLY;COUNT=6',
  )
const following = 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270125T090000'

async function importEvents(who: Someone, ...events: string[]) {
  const [calendar] = (await who.call('list_calendars', {})).items
  return who.call('import_calendar', { calendar_id: calendar.id, ics: calendarOf(events) })
}

async function listEvents(who: Someone, query: string): Promise<Record<string, any>[]> {
  return (await who.call('list_events', { from: '2027-01-01', to: '2027-06-30', query })).items
}

const startsAndTitles = async (who: Someone, query: string) =>
  (await listEvents(who, query)).map(
    ({ starts_local, title }) => `${starts_local.slice(5, 16)} ${title}`,
  )

test('a series with a cancellation of one occurrence and all later ones ends before that occurrence', async () => {
  const { ann } = workspace
  const cancelled = event(
    'Ended',
    following,
    'DTSTART;TZID=Europe/Berlin:20270125T090000',
    'STATUS:CANCELLED',
  )
  const result = await importEvents(ann, weekly('Ended'), cancelled)
  assert.deepEqual([result.created, result.left_out], [1, []])
  assert.deepEqual(await startsAndTitles(ann, 'Ended'), [
    '01-04T09:00 Ended',
    '01-11T09:00 Ended',
    '01-18T09:00 Ended',
  ])
})

const changed = (uid: string) =>
  event(
    uid,
    following,
    `SUMMARY:${uid} later`,
    'DTSTART;TZID=Europe/Berlin:20270126T140000',
    'DTEND;TZID=Europe/Berlin:20270126T160000',
  )

test('a change of one occurrence and all later ones applies to all of them, and each can be changed individually', async () => {
  const { bob } = workspace
  await importEvents(bob, weekly('Moved'), changed('Moved'))
  const expected = [
    '01-04T09:00 Moved',
    '01-11T09:00 Moved',
    '01-18T09:00 Moved',
    '01-26T14:00 Moved later',
    '02-02T14:00 Moved later',
    '02-09T14:00 Moved later',
  ]
  assert.deepEqual(await startsAndTitles(bob, 'Moved'), expected)
  const all = await listEvents(bob, 'Moved')
  assert.equal(Date.parse(all[4]!.ends_at) - Date.parse(all[4]!.starts_at), 2 * 3600_000)
  const renamed = await bob.call('update_event', { event_id: all[4]!.id, title: 'Moved once' })
  assert.equal(renamed.starts_local.slice(5, 16), '02-02T14:00')
  await bob.call('delete_event', { event_id: all[3]!.id, scope: 'this' })
  assert.deepEqual(await startsAndTitles(bob, 'Moved'), [
    ...expected.slice(0, 3),
    '02-02T14:00 Moved once',
    '02-09T14:00 Moved later',
  ])
})

test('a series with such a change can be split and ended like any other', async () => {
  const { carol } = workspace
  await importEvents(carol, weekly('Split'), changed('Split'))
  const all = await listEvents(carol, 'Split')
  await carol.call('update_event', {
    event_id: all[4]!.id,
    scope: 'following',
    location: 'Room 2',
  })
  const places = (await listEvents(carol, 'Split')).map(
    ({ starts_local, location }) => `${starts_local.slice(5, 16)} ${location ?? ''}`,
  )
  assert.deepEqual(places.slice(2), [
    '01-18T09:00 ',
    '01-26T14:00 ',
    '02-02T14:00 Room 2',
    '02-09T14:00 Room 2',
  ])
  await carol.call('delete_event', { event_id: all[2]!.id, scope: 'following' })
  assert.deepEqual(
    (await startsAndTitles(carol, 'Split')).map((text) => text.slice(0, 5)).slice(0, 2),
    ['01-04', '01-11'],
  )
})

test('RDATE periods keep their duration and move with their series', async () => {
  const { ann } = workspace
  await importEvents(
    ann,
    event(
      'Periods',
      'SUMMARY:Periods',
      'DTSTART:20270402T090000Z',
      'DTEND:20270402T100000Z',
      'RDATE;VALUE=PERIOD:20270403T090000Z/20270403T120000Z,20270404T090000Z/PT30M',
      'RDATE;VALUE=PERIOD;TZID=America/New_York:20270405T090000/P1D',
    ),
  )
  const lengths = async () =>
    (await listEvents(ann, 'Periods')).map(
      ({ starts_at, ends_at }) => (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000,
    )
  assert.deepEqual(await lengths(), [60, 180, 30, 1440])
  const all = await listEvents(ann, 'Periods')
  await ann.call('update_event', { event_id: all[1]!.id, title: 'Periods, long' })
  assert.deepEqual(await lengths(), [60, 180, 30, 1440])
  const later = { event_id: all[0]!.series_id, scope: 'all', starts_at: '2027-04-02T10:00:00Z' }
  await ann.call('update_event', later)
  assert.deepEqual(await lengths(), [60, 180, 30, 1440])
  await ann.call('delete_event', {
    event_id: (await listEvents(ann, 'Periods'))[2]!.id,
    scope: 'following',
  })
  assert.deepEqual(await lengths(), [60, 180])
})

test('unsupported property parameters and values are reported', async () => {
  const { bob } = workspace
  const done = await importEvents(
    bob,
    event(
      'Odd',
      'SUMMARY:Odd',
      'DTSTART;TZID=Moon/Base:20270501T090000',
      'RRULE:FREQ=WEEKLY;COUNT=3;SKIP=FORWARD',
      'EXDATE:soon',
      'ATTENDEE:Zoe',
    ),
    event(
      'Odd',
      'SUMMARY:Odd once',
      'RECURRENCE-ID;RANGE=THISANDPRIOR:20270508T070000Z',
      'DTSTART:20270508T080000Z',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER;VALUE=DATE-TIME:20270508T060000Z',
      'END:VALARM',
    ),
    event('Lunar', 'SUMMARY:Lunar', 'DTSTART:20270501T090000Z', 'RRULE:RSCALE=CHINESE;FREQ=YEARLY'),
  )
  assert.equal(done.created, 2)
  assert.deepEqual(done.left_out.map(({ what, lines }: any) => `${what}: ${lines.join()}`).sort(), [
    'ATTENDEE without an email address: Odd',
    'RANGE=THISANDPRIOR of a RECURRENCE-ID, which counts for one occurrence: Odd',
    'SKIP=FORWARD of a rule (RRULE): Odd',
    'a rule that counts in the calendar CHINESE (RSCALE): Lunar',
    'reminders at a time of their own, or after the start (TRIGGER): Odd',
    'the time zone Moon/Base, which is not known: Odd',
    'times of EXDATE that cannot be read: Odd',
  ])
})
