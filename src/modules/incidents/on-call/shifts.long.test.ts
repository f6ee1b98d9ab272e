import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { Temporal } from 'temporal-polyfill'
import {
  gaps,
  levelsOf,
  nextChange,
  shifts,
  shiftsAt,
  weekdays,
  wholeShifts,
  type Override,
  type Hours,
  type Layer,
  type Rota,
} from './shifts.ts'

const minute = 60_000
const day = 1440 * minute

/** Wall clock by the minute, and the latest time that it has shown so far: the oracle's only source. */
interface Clock {
  zone: string
  from: number
  wallTimes: Temporal.PlainDateTime[]
  latestTimes: Temporal.PlainDateTime[]
}

const days = 5
const leadInMinutes = 2 * 1440

function clockOf(zone: string, first: string): Clock {
  const from = Temporal.PlainDate.from(first).toZonedDateTime('UTC').epochMilliseconds
  const shows = Array.from({ length: leadInMinutes + days * 1440 }, (_, i) =>
    Temporal.Instant.fromEpochMilliseconds(from + (i - leadInMinutes) * minute)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime(),
  )
  let latestTime = shows[0]!
  const reached = shows.map(
    (show) =>
      (latestTime = Temporal.PlainDateTime.compare(show, latestTime) > 0 ? show : latestTime),
  )
  return {
    zone,
    from,
    wallTimes: shows.slice(leadInMinutes),
    latestTimes: reached.slice(leadInMinutes),
  }
}

/**
 * Days around clock changes: by an hour, half an hour, two hours, at midnight, by a whole day; and a zone without
 * any.
 */
const clocks = [
  clockOf('Europe/Berlin', '2026-03-27'),
  clockOf('Europe/Berlin', '2026-10-23'),
  clockOf('America/St_Johns', '2026-10-30'),
  clockOf('Australia/Lord_Howe', '2026-04-02'),
  clockOf('Australia/Lord_Howe', '2026-10-01'),
  clockOf('Antarctica/Troll', '2026-10-23'),
  clockOf('Africa/Cairo', '2026-10-28'),
  clockOf('Pacific/Apia', '2011-12-28'),
  clockOf('Asia/Kolkata', '2026-03-27'),
]

/** Person on call in one minute, by level: `1 ann, 2 bob by override 0`. */
type Minute = string

/** Computes the person on call for each minute, by counting from the clock alone. */
function oracle(rota: Rota, clock: Clock): Minute[] {
  const turns = new Map(rota.layers.map((layer) => [layer, turnsOf(layer, clock)]))
  return clock.wallTimes.map((shows, i) => {
    const at = clock.from + i * minute
    const levels = levelsOf(rota).flatMap((level) => {
      const override = rota.overrides.findLast(
        (item) =>
          item.level === level && rota.isActive(item.person) && item.from <= at && at < item.until,
      )
      if (override) return [`${level} ${override.person} by ${override.id}`]
      const layer = rota.layers.find(
        (item) =>
          item.level === level &&
          rota.isActive(turns.get(item)![i] ?? nobody) &&
          isOnDuty(item.hours, shows),
      )
      return layer ? [`${level} ${turns.get(layer)![i]}`] : []
    })
    return levels.join(', ')
  })
}

/** Person whose turn it is in each minute: turns are counted as the clock reaches their times. */
function turnsOf(
  { people, rotation, starts_on, handover }: Layer,
  { latestTimes }: Clock,
): (string | undefined)[] {
  const duty = Temporal.PlainDate.from(starts_on).toPlainDateTime(handover.time)
  let first = duty
  while (handover.weekday !== undefined && weekdays[first.dayOfWeek - 1] !== handover.weekday)
    first = first.subtract({ days: 1 })
  const [, count = '1', unit = rotation === 'daily' ? 'day' : 'week'] =
    /^every (\d+) (\w+?)s?$/.exec(rotation) ?? []
  const turnStart = (k: number) => first.add({ [`${unit}s`]: Number(count) * k })
  let [turn, next] = [0, turnStart(1)]
  return latestTimes.map((clock) => {
    for (; Temporal.PlainDateTime.compare(next, clock) <= 0; next = turnStart(turn + 1)) turn++
    return Temporal.PlainDateTime.compare(clock, duty) < 0
      ? undefined
      : people[turn % people.length]
  })
}

function isOnDuty(hours: Hours | undefined, shows: Temporal.PlainDateTime): boolean {
  if (!hours) return true
  const time = `${String(shows.hour).padStart(2, '0')}:${String(shows.minute).padStart(2, '0')}`
  const [today, before] = [weekdays[shows.dayOfWeek - 1]!, weekdays[(shows.dayOfWeek + 5) % 7]!]
  return (
    (hours[today] ?? []).some(({ from, to }) => from <= time && (time < to || to <= from)) ||
    (hours[before] ?? []).some(({ from, to }) => to <= from && time < to)
  )
}

const nobody = 'nobody'
const people = ['ann', 'bob', 'carol', 'dave']
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
const hours = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...weekdays), time, time), {
    maxLength: 5,
    selector: ([name]) => name,
  })
  .map(
    (all) =>
      Object.fromEntries(
        all.filter(([, from, to]) => from !== to).map(([name, from, to]) => [name, [{ from, to }]]),
      ) as Hours,
  )

function layerOf(clock: Clock): fc.Arbitrary<Layer> {
  const rotation = fc.oneof(
    fc.constantFrom('daily', 'weekly'),
    fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('hour', 'day', 'week'))
      .map(([n, unit]) => `every ${n} ${unit}s`),
  )
  return fc
    .record({
      level: fc.integer({ min: 1, max: 2 }),
      people: fc.array(fc.constantFrom(...people), { minLength: 1, maxLength: 4 }),
      rotation,
      start: fc.integer({ min: -30, max: 3 }),
      time,
      weekday: fc.constantFrom(...weekdays),
      hours: fc.option(hours, { nil: undefined }),
    })
    .map(({ rotation, start, time, weekday, hours, ...rest }) => ({
      ...rest,
      rotation,
      starts_on: new Date(clock.from + start * day).toISOString().slice(0, 10),
      handover: { time, ...(/week/.test(rotation) ? { weekday } : {}) },
      ...(hours ? { hours } : {}),
    }))
}

function rotaOf(clock: Clock): fc.Arbitrary<Rota> {
  const override = fc.tuple(
    fc.integer({ min: 1, max: 2 }),
    fc.constantFrom(...people),
    fc.integer({ min: -600, max: days * 1440 }),
    fc.integer({ min: 1, max: 3000 }),
  )
  return fc
    .record({
      layers: fc.array(layerOf(clock), { minLength: 1, maxLength: 4 }),
      overrides: fc.array(override, { maxLength: 4 }),
      inactive: fc.option(fc.constantFrom(...people), { nil: undefined }),
    })
    .map(({ layers, overrides, inactive }) => ({
      timezone: clock.zone,
      layers,
      overrides: overrides.map(
        ([level, person, start, length], i): Override => ({
          id: `override ${i}`,
          level,
          person,
          from: clock.from + start * minute,
          until: clock.from + (start + length) * minute,
        }),
      ),
      isActive: (person) => person !== inactive && person !== nobody,
    }))
}

const until = (clock: Clock) => clock.from + days * day

/** People on call by minute, from the shifts that the code under test computes. */
function minutesOf(rota: Rota, clock: Clock): Minute[] {
  const byMinute: string[][] = clock.wallTimes.map(() => [])
  for (const { level, person, from, until, overrideId } of shifts(
    rota,
    clock.from,
    clock.from + days * day,
  )) {
    assert.ok(
      from < until && (from - clock.from) % minute === 0 && (until - clock.from) % minute === 0,
    )
    for (let i = (from - clock.from) / minute; i < (until - clock.from) / minute; i++)
      byMinute[i]!.push(`${level} ${person}${overrideId === undefined ? '' : ` by ${overrideId}`}`)
  }
  return byMinute.map((item) => item.join(', '))
}

const anyCase = fc
  .constantFrom(...clocks)
  .chain((clock) => rotaOf(clock).map((rota) => ({ clock, rota })))
const describeCase = ({ clock, rota }: { clock: Clock; rota: Rota }) =>
  `${clock.zone} from ${new Date(clock.from).toISOString()}: ${JSON.stringify(rota)}, without ${people.filter((person) => !rota.isActive(person)).join()}`

test('the person on call matches a minute-by-minute search across any clock changes', () => {
  fc.assert(
    fc.property(anyCase, (testCase) => {
      const expected = oracle(testCase.rota, testCase.clock)
      for (const [i, actual] of minutesOf(testCase.rota, testCase.clock).entries())
        if (actual !== expected[i])
          assert.equal(
            actual,
            expected[i],
            `${new Date(testCase.clock.from + i * minute).toISOString()} ${describeCase(testCase)}`,
          )
    }),
    { numRuns: 120 },
  )
})

test('shifts of a range are those of the whole, clipped; unclipped ones are identical for any range; gaps are the remainder', () => {
  fc.assert(
    fc.property(
      anyCase,
      fc.integer({ min: 0, max: 1440 * 3 }),
      fc.integer({ min: 1, max: 1440 * 2 }),
      ({ clock, rota }, start, length) => {
        const [from, to] = [clock.from + start * minute, clock.from + (start + length) * minute]
        const withoutCovers = (
          all: readonly { level: number; person: string; from: number; until: number }[],
        ) => all.map(({ level, person, from, until }) => ({ level, person, from, until }))
        const clipped = shifts(rota, clock.from, until(clock))
          .map((shift) => ({
            ...shift,
            from: Math.max(from, shift.from),
            until: Math.min(to, shift.until),
          }))
          .filter((item) => item.from < item.until)
        assert.deepEqual(withoutCovers(shifts(rota, from, to)), withoutCovers(clipped))
        const whole = wholeShifts(rota, from, to)
        assert.deepEqual(
          withoutCovers(
            whole.map((shift) => ({
              ...shift,
              from: Math.max(from, shift.from),
              until: Math.min(to, shift.until),
            })),
          ),
          withoutCovers(clipped),
        )
        for (const shift of whole)
          assert.deepEqual(
            shiftsAt(rota, shift.from).filter((other) => other.level === shift.level),
            [shift],
            'shiftsAt finds each shift at its start',
          )
        const inGap = (at: number) =>
          gaps(rota, from, to).some((gap) => gap.from <= at && at < gap.until)
        for (let at = from; at < to; at += 7 * minute)
          assert.equal(inGap(at), !clipped.some((item) => item.from <= at && at < item.until))
        const next = nextChange(rota, from, to)
        assert.equal(
          next,
          Math.min(
            to,
            ...clipped.flatMap((item) => [item.from, item.until]).filter((at) => at > from),
          ),
        )
      },
    ),
    { numRuns: 60 },
  )
})
