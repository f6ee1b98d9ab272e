import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import {
  dayLong,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { modules } from '../../index.ts'
import { isoTimeOf, addTestEvent } from './testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace({ modules: modules.filter((module) => module.name !== 'email') })
})
after(() => workspace.close())

/** Deterministic pseudo-random numbers. */
function randoms(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A person's calendar for the reference implementation: plain lists, searched minute by minute. */
interface PlainSchedule {
  someone: Someone
  zone: string
  hours: Record<string, { from: string; to: string }[]>
  events: { start: number; end: number; isFocus: boolean }[]
  away: string[]
}

const days = ['', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const minuteCache = new WeakMap<PlainSchedule, Map<number, ReturnType<typeof classify>>>()

/** Classifies a minute of a person's time; each is computed once. */
function minuteOf(plain: PlainSchedule, at: number, holidays: string[]) {
  const minutes = minuteCache.get(plain) ?? new Map<number, ReturnType<typeof classify>>()
  minuteCache.set(plain, minutes)
  const state = minutes.get(at) ?? classify(plain, at, holidays)
  minutes.set(at, state)
  return state
}

/** Local wall-clock view. */
function classify(plain: PlainSchedule, at: number, holidays: string[]) {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(plain.zone)
  const day = local.toPlainDate().toString()
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  return {
    works:
      !holidays.includes(day) &&
      (plain.hours[days[local.dayOfWeek]!] ?? []).some(
        (span) => time >= span.from && time < span.to,
      ),
    awake: local.hour >= 7 && local.hour < 22,
    busy:
      plain.away.includes(day) ||
      plain.events.some((event) => !event.isFocus && event.start <= at && at < event.end),
    focus: plain.events.some((event) => event.isFocus && event.start <= at && at < event.end),
  }
}

/**
 * The same ranking, computed from its description, per quarter-hour and minute by minute; undefined if a required
 * person cannot attend.
 */
function scoreAt(
  required: PlainSchedule[],
  optional: PlainSchedule[],
  start: number,
  options: {
    from: number
    length: number
    buffer: number
    onlyInHours: boolean
    holidays: string[]
  },
) {
  let score = 100
  let missing = 0
  const minutes = Array.from({ length: options.length / minute }, (_, i) => start + i * minute)
  const minutesWithBuffer = Array.from(
    { length: (options.length + 2 * options.buffer) / minute },
    (_, i) => start - options.buffer + i * minute,
  )
  for (const plain of [...required, ...optional]) {
    const isRequired = required.includes(plain)
    const busy = minutesWithBuffer.some((at) => minuteOf(plain, at, options.holidays).busy)
    const works = minutes.every((at) => minuteOf(plain, at, options.holidays).works)
    const canAttend = !busy && (works || !options.onlyInHours)
    if (!canAttend && isRequired) return undefined
    if (!canAttend) {
      score -= 10
      missing++
    } else {
      const isAwake = () => minutes.every((at) => minuteOf(plain, at, options.holidays).awake)
      if (!works && !isRequired) score -= 5
      if (!works && isRequired) score -= isAwake() ? 15 : 40
      if (isRequired && minutes.some((at) => minuteOf(plain, at, options.holidays).focus))
        score -= 25
      if (
        isRequired &&
        (minuteOf(plain, start - minute, options.holidays).busy ||
          minuteOf(plain, start + options.length, options.holidays).busy)
      )
        score -= 3
    }
  }
  return {
    score: Math.max(0, score - Math.min(20, Math.floor((start - options.from) / dayLong))),
    missing,
  }
}

test('find_meeting_time agrees with a minute-by-minute search across zones, DST weeks, absences and random calendars', async () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Auckland',
    'Europe/London',
  ]
  const weeks = ['2027-03-12T00:00:00Z', '2027-03-26T00:00:00Z', '2027-10-29T00:00:00Z']
  let total = 0
  for (let round = 0; round < 6; round++) {
    const random = randoms(round + 7)
    const attendees: Someone[] = []
    for (let i = 0; i < 3; i++) attendees.push(await workspace.person(`P${round}${i}`))
    const from = Date.parse(weeks[round % weeks.length]!)
    const people: PlainSchedule[] = []
    for (const someone of attendees) {
      const zone = zones[random(zones.length)]!
      const startHour = 7 + random(4)
      const span = [
        { from: `${String(startHour).padStart(2, '0')}:00`, to: '12:00' },
        { from: '13:00', to: `${15 + random(5)}:30` },
      ]
      const hours = Object.fromEntries(
        ['mon', 'tue', 'wed', 'thu', 'fri', ...(random(2) ? ['sat'] : [])].map((day) => [
          day,
          span,
        ]),
      )
      await someone.call('update_my_profile', { timezone: zone, working_hours: hours })
      const plain: PlainSchedule = { someone, zone, hours, events: [], away: [] }
      for (let n = 0; n < 6 + random(6); n++) {
        const start = from + random(6 * 24 * 4) * 15 * minute + random(3) * 5 * minute
        const end = start + (1 + random(8)) * 15 * minute
        const isFocus = random(3) === 0
        await addTestEvent(someone, 'x', start, end, isFocus ? { kind: 'focus' } : {})
        plain.events.push({ start, end, isFocus })
      }
      if (random(3) === 0) {
        const day = isoTimeOf(from + random(6) * dayLong).slice(0, 10)
        await someone.call('create_time_off', { starts_on: day, ends_on: day, kind: 'vacation' })
        plain.away.push(day)
      }
      people.push(plain)
    }
    const [me, other, third] = people as [PlainSchedule, PlainSchedule, PlainSchedule]
    const options = {
      duration_minutes: [30, 45, 60][random(3)]!,
      buffer_minutes: [0, 15][random(2)]!,
      working_hours_only: round % 2 === 0,
    }
    const span = {
      from,
      length: options.duration_minutes * minute,
      buffer: options.buffer_minutes * minute,
      onlyInHours: options.working_hours_only,
      holidays: [],
    }
    const to = from + 6 * dayLong
    const slots: any[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await me.someone.call('find_meeting_time', {
        attendees: [other.someone.id],
        optional_attendees: [third.someone.actor.email],
        from: isoTimeOf(from),
        to: isoTimeOf(to),
        ...options,
        limit: 20,
        ...(cursor ? { cursor } : {}),
      })
      slots.push(...page.items)
      if (!page.has_more) break
      cursor = page.next_cursor
    }
    const expected: { start: number; score: number; missing: number }[] = []
    for (let start = from; start + span.length <= to; start += 15 * minute) {
      const rating = scoreAt([me, other], [third], start, span)
      if (rating) expected.push({ start, ...rating })
    }
    expected.sort((a, b) => b.score - a.score || a.start - b.start)
    const chosen: typeof expected = []
    for (const item of expected)
      if (
        chosen.every(
          (other) =>
            Math.abs(other.start - item.start) >=
            Math.ceil(span.length / (15 * minute)) * 15 * minute,
        )
      )
        chosen.push(item)
    const halves = new Map<number, number>()
    for (const item of chosen) {
      const half = Math.floor((item.start - from) / (dayLong / 2))
      const before = halves.get(half) ?? 0
      halves.set(half, before + 1)
      item.score = Math.max(0, item.score - 2 * Math.min(5, before))
    }
    chosen.sort((a, b) => b.score - a.score || a.start - b.start)
    assert.deepEqual(
      slots.map((slot) => [slot.starts_at, slot.score, slot.missing_optional.length]),
      chosen.map((item) => [isoTimeOf(item.start), item.score, item.missing]),
      `round ${round}`,
    )
    for (const slot of slots) assert.ok(slot.reasons.length > 0 && slot.local_times.length === 3)
    total += slots.length
  }
  assert.ok(total > 100, `${total} slots were compared`)
})
