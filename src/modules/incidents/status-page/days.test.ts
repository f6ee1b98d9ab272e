import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { hour } from '../../../testing/harness.ts'
import { statusPaths } from './addresses.ts'
import { statusCalendar, historyOf, overallOf } from './days.ts'

test('days follow the time zone, 23 or 25 hours long at clock changes, without gap or overlap', () => {
  const days = statusCalendar(Date.parse('2027-03-29T10:00:00Z'), 'Europe/Berlin', 3)
  assert.deepEqual(
    days.map((day) => [day.date, (day.to - day.from) / hour]),
    [
      ['2027-03-27', 24],
      ['2027-03-28', 23],
      ['2027-03-29', 24],
    ],
  )
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
      fc.constantFrom(
        'UTC',
        'Europe/Berlin',
        'Australia/Lord_Howe',
        'America/St_Johns',
        'Pacific/Apia',
      ),
      (now, zone) => {
        const calendarDays = statusCalendar(now, zone, 10)
        assert.ok(calendarDays.at(-1)!.from <= now && now < calendarDays.at(-1)!.to)
        for (const [i, day] of calendarDays.slice(1).entries())
          assert.equal(day.from, calendarDays[i]!.to)
      },
    ),
    { numRuns: 40 },
  )
})

test('a day counts from the registration of the service, and uptime is 100 only without any downtime', () => {
  const days = statusCalendar(Date.UTC(2026, 5, 10, 12), 'UTC', 3)
  const noOutage = { major_outage: 0, partial_outage: 0, degraded: 0, maintenance: 0 }
  const history = historyOf(
    days,
    [{ service_id: 'x', n: 2, ...noOutage, major_outage: 1 }],
    days[1]!.from + 12 * hour,
    Date.UTC(2026, 5, 10, 12),
  )
  assert.deepEqual(history, {
    uptime: 99.999,
    days: [
      { date: '2026-06-09', state: 'operational', uptime: 100, outage_minutes: 0 },
      { date: '2026-06-10', state: 'major_outage', uptime: 99.999, outage_minutes: 1 },
    ],
  })
  const maintained = historyOf(
    days,
    [{ service_id: 'x', n: 0, ...noOutage, maintenance: 9 * hour, degraded: hour }],
    0,
    Date.UTC(2026, 5, 10, 12),
  )
  assert.deepEqual(
    [maintained.uptime, maintained.days[0]!.state],
    [100, 'degraded'],
    'neither maintenance nor degraded service is down',
  )
})

test('the overall state is that of the worst service', () => {
  assert.equal(overallOf([]), 'operational')
  assert.equal(overallOf(['maintenance', 'degraded', 'operational']), 'degraded')
})

test('the oldest organization gets /status, later ones their name, with a number if the name is taken', () => {
  const orgs = [
    { id: 'a', name: 'Acme' },
    { id: 'b', name: 'Über Co. & Söhne' },
    { id: 'c', name: 'uber co sohne' },
    { id: 'd', name: '世界' },
  ]
  assert.deepEqual(
    [...statusPaths(orgs)],
    [
      ['a', '/status'],
      ['b', '/status/uber-co-sohne'],
      ['c', '/status/uber-co-sohne-2'],
      ['d', '/status/organization'],
    ],
  )
})
