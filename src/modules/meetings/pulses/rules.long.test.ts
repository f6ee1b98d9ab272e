import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { nextOccurrence, type Occurrence, type Repeat } from '../../../kernel/time/recurrence.ts'
import { currentOccurrence } from './rules.ts'

const minuteLong = 60_000
const dayLong = 1440 * minuteLong
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** Days of clock changes: forward, back, by half an hour, at midnight, late in the evening. */
const clockChanges = [
  ['Europe/Berlin', '2027-03-28'],
  ['Europe/Berlin', '2027-10-31'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2027-11-07'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Australia/Lord_Howe', '2027-10-03'],
  ['America/Nuuk', '2027-03-27'],
  ['America/Nuuk', '2027-10-30'],
  ['Asia/Beirut', '2027-03-28'],
  ['America/Havana', '2027-03-14'],
  ['America/Havana', '2027-11-07'],
  ['Africa/Casablanca', '2027-03-14'],
  ['Pacific/Chatham', '2027-09-26'],
  ['Asia/Kolkata', '2027-03-28'],
] as const

interface Minute {
  at: number
  /** `2027-03-28T03:00` */
  localTime: string
}

/** Every minute of a window with its local time, computed only by Intl. */
const windows = new Map<string, Minute[]>()
function minutesAround(zone: string, day: string): Minute[] {
  const name = `${zone} ${day}`
  let minutes = windows.get(name)
  if (!minutes) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    const start = Date.parse(`${day}T00:00:00Z`) - 5 * dayLong
    minutes = Array.from({ length: 10 * 1440 }, (_, i) => ({
      at: start + i * minuteLong,
      localTime: format.format(start + i * minuteLong).replace(' ', 'T'),
    }))
    windows.set(name, minutes)
  }
  return minutes
}

const asUtc = (wall: string) => Date.parse(`${wall}:00Z`)

/** The instant of a local time, searched minute by minute; a skipped local time is shifted by the gap. */
function instantOf(minutes: readonly Minute[], wantedTime: string): number | undefined {
  for (const [i, { at, localTime }] of minutes.entries()) {
    if (localTime === wantedTime) return at
    const before = minutes[i - 1]
    if (before && before.localTime < wantedTime && localTime > wantedTime)
      return at + asUtc(wantedTime) - (asUtc(before.localTime) + minuteLong)
  }
  return undefined
}

interface ScheduleSpec {
  zone: string
  day: string
  hour: number
  minute: number
  every: number
  days: readonly (typeof weekdays)[number][] | undefined
}

/** Occurrences in a window, found by checking each day: daily from its third day on, or weekly on some days. */
function expectedOccurrences({ zone, day, hour, minute, every, days }: ScheduleSpec): Occurrence[] {
  const minutes = minutesAround(zone, day)
  const start = Date.parse(`${startDay(day)}T00:00:00Z`)
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return Array.from({ length: 7 }, (_, i) => i)
    .map((i) => ({ i, on: new Date(start + i * dayLong).toISOString().slice(0, 10) }))
    .filter(({ i, on }) =>
      days ? days.includes(weekdays[new Date(on).getUTCDay()]!) : i % every === 0,
    )
    .flatMap(({ on }) => {
      const at = instantOf(minutes, `${on}T${time}`)
      return at === undefined ? [] : [{ at, on }]
    })
}

const startDay = (day: string) => new Date(Date.parse(day) - 3 * dayLong).toISOString().slice(0, 10)

function ruleFor({ zone, day, hour, minute, every, days }: ScheduleSpec): Repeat {
  const rrule = days ? `FREQ=WEEKLY;BYDAY=${days.join(',')}` : `FREQ=DAILY;INTERVAL=${every}`
  return {
    rrule,
    timezone: zone,
    start: `${startDay(day)}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00`,
    endsOn: null,
  }
}

/** Favours night hours, when clocks change. */
const scheduleSpecs = fc.record({
  place: fc.constantFrom(...clockChanges),
  hour: fc.oneof(fc.constantFrom(0, 1, 2, 3, 22, 23), fc.nat(23)),
  minute: fc.oneof(fc.constantFrom(0, 30, 59), fc.nat(59)),
  every: fc.integer({ min: 1, max: 3 }),
  days: fc.option(fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }), {
    nil: undefined,
  }),
})

test('across clock changes rounds open when a minute-by-minute calculation expects them, one a day', () => {
  fc.assert(
    fc.property(
      scheduleSpecs,
      fc.nat(6),
      fc.integer({ min: -80, max: 80 }),
      ({ place: [zone, day], ...rest }, nth, offset) => {
        const spec = { zone, day, ...rest }
        const expected = expectedOccurrences(spec)
        const rule = ruleFor(spec)
        const windowStart = minutesAround(zone, day)[0]!.at
        const occurrences: Occurrence[] = []
        for (
          let next = nextOccurrence(rule, windowStart);
          next && occurrences.length < expected.length;
          next = nextOccurrence(rule, next.at)
        )
          occurrences.push(next)
        assert.deepEqual(occurrences, expected)
        assert.equal(
          new Set(occurrences.map((occurrence) => occurrence.on)).size,
          occurrences.length,
        )

        const now = (expected[nth] ?? expected[0]!).at + offset * minuteLong // near an occurrence, possibly near a clock change
        if (now >= expected.at(-1)!.at) return // later occurrences are outside the window
        assert.deepEqual(
          nextOccurrence(rule, now),
          expected.find((occurrence) => occurrence.at > now),
        )
        assert.deepEqual(
          currentOccurrence(rule, expected[0], now),
          expected.findLast((occurrence) => occurrence.at <= now),
        )
      },
    ),
    { numRuns: 250 },
  )
})
