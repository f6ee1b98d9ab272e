import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventRow } from '../data/events.ts'
import {
  createInputOf,
  isBackwards,
  newValues,
  patchOf,
  timeOfValues,
  eventValuesOf,
  withDuration,
  withStart,
} from './values.ts'

const now = '2026-11-27T10:10'
const defaultValues = newValues({ day: '2026-11-27' }, now, 'Europe/Berlin')
const row = {
  id: 'evt_1',
  title: 'Call',
  all_day: false,
  starts_at: '2026-11-27T14:00:00Z',
  ends_at: '2026-11-27T15:30:00Z',
  starts_local: '2026-11-27T15:00:00+01:00',
  ends_local: '2026-11-27T16:30:00+01:00',
  timezone: 'Europe/Berlin',
  event_timezone: 'America/New_York',
  attendees: [],
  reminders_minutes: [],
  calendar: { id: 'cal_1', title: 'Own' },
} as unknown as EventRow

test('a new event starts at the next half hour, in the morning of another day, or where it was drawn', () => {
  assert.deepEqual(timeOfValues(defaultValues), {
    allDay: false,
    starts: '2026-11-27T10:30',
    ends: '2026-11-27T11:30',
  })
  assert.equal(newValues({ day: '2026-12-01' }, now, 'UTC').startTime, '09:00')
  assert.equal(
    newValues({ day: '2026-12-01', from: 1410, until: 1440 }, now, 'UTC').endDay,
    '2026-12-02',
  )
  assert.equal(newValues({ day: '2026-11-27' }, '2026-11-27T23:50', 'UTC').startTime, '23:00')
})

test('moving the start keeps the duration, even across midnight', () => {
  const moved = withStart(withDuration(defaultValues, 90), '2026-12-31', '23:00')
  assert.deepEqual(timeOfValues(moved).ends, '2027-01-01T00:30')
  assert.equal(isBackwards(moved), false)
  assert.ok(isBackwards({ ...defaultValues, endTime: '10:00' }))
  assert.equal(withStart(defaultValues, '', '10:00').startDay, '')
})

test('an event is edited in its time zone, and only changes are sent', () => {
  const values = eventValuesOf(row)
  assert.deepEqual(timeOfValues(values), {
    allDay: false,
    starts: '2026-11-27T09:00',
    ends: '2026-11-27T10:30',
  })
  assert.deepEqual(patchOf(values, values), {})
  assert.deepEqual(patchOf(values, withStart(values, '2027-03-15', '09:00')), {
    starts_at: '2027-03-15T09:00',
    timezone: 'America/New_York',
  })
  assert.deepEqual(patchOf(values, { ...withDuration(values, 30), place: ' Hall ', about: '' }), {
    ends_at: '2026-11-27T09:30',
    timezone: 'America/New_York',
    location: 'Hall',
  })
  assert.deepEqual(patchOf({ ...values, rule: 'FREQ=DAILY' }, values), { rrule: null })
  assert.deepEqual(patchOf(values, { ...values, allDay: true }), {
    starts_at: '2026-11-27',
    ends_at: '2026-11-27',
  })
})

test('a form produces the arguments of create_event', () => {
  const input = createInputOf(
    { ...defaultValues, title: ' Retro ', rule: 'FREQ=DAILY', until: '2026-12-24' },
    ['bob'],
  )
  assert.deepEqual(input, {
    title: 'Retro',
    starts_at: '2026-11-27T10:30',
    ends_at: '2026-11-27T11:30',
    all_day: false,
    timezone: 'Europe/Berlin',
    reminders_minutes: [10],
    attendees: ['bob'],
    rrule: 'FREQ=DAILY;UNTIL=20261224',
  })
})
