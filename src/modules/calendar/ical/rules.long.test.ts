import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { Temporal } from 'temporal-polyfill'
import { readObject, serializeCalendar } from './objects.ts'
import { expand } from './occurrences.ts'
import { combineObjects, splitFile } from './object-parts.ts'

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The parts of a rule. */
interface Rule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  byday: string[]
  bymonthday: number[]
  bymonth: number[]
  setpos: number | undefined
}

const rules = fc
  .record({
    freq: fc.constantFrom(
      'DAILY' as const,
      'WEEKLY' as const,
      'MONTHLY' as const,
      'YEARLY' as const,
    ),
    interval: fc.integer({ min: 1, max: 4 }),
    byday: fc.uniqueArray(fc.constantFrom(...days), { maxLength: 3 }),
    bymonthday: fc.uniqueArray(fc.constantFrom(1, 2, 13, 28, 29, 30, 31, -1, -2, -31), {
      maxLength: 3,
    }),
    bymonth: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
    setpos: fc.option(fc.constantFrom(1, 2, -1), { nil: undefined }),
  })
  .map(cleaned)

/** Removes parts that RFC 5545 forbids with a frequency. */
function cleaned(rule: Rule): Rule {
  const bymonthday = rule.freq === 'WEEKLY' ? [] : rule.bymonthday
  const allowsSetPos =
    rule.byday.length + bymonthday.length > 0 && (rule.freq === 'MONTHLY' || rule.freq === 'WEEKLY')
  return { ...rule, bymonthday, setpos: allowsSetPos ? rule.setpos : undefined }
}

const ruleText = ({ freq, interval, byday, bymonthday, bymonth, setpos }: Rule) =>
  [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    byday.length ? `BYDAY=${byday.join(',')}` : '',
    bymonthday.length ? `BYMONTHDAY=${bymonthday.join(',')}` : '',
    bymonth.length ? `BYMONTH=${bymonth.join(',')}` : '',
    setpos === undefined ? '' : `BYSETPOS=${setpos}`,
  ]
    .filter(Boolean)
    .join(';')

/** A second implementation of RFC 5545: tests every day of a period against the rule. Slow, but simple enough to verify by reading. */
function referenceDates(
  rule: Rule,
  start: Temporal.PlainDate,
  until: Temporal.PlainDate,
): string[] {
  const { freq, interval, setpos } = rule
  const month = (day: Temporal.PlainDate) => day.year * 12 + day.month
  const monday = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 })
  const period = (day: Temporal.PlainDate): number => {
    if (freq === 'DAILY') return start.until(day, { largestUnit: 'days' }).days
    if (freq === 'WEEKLY') return monday(start).until(monday(day), { largestUnit: 'days' }).days / 7
    return freq === 'MONTHLY' ? month(day) - month(start) : day.year - start.year
  }
  const matchesDay = (day: Temporal.PlainDate) => {
    const fits = (list: readonly unknown[], item: unknown, other: unknown = undefined) =>
      list.length === 0 || list.includes(item) || (other !== undefined && list.includes(other))
    if (!fits(rule.bymonth, day.month)) return false
    if (!fits(rule.bymonthday, day.day, day.day - day.daysInMonth - 1)) return false
    if (!fits(rule.byday, days[day.dayOfWeek - 1])) return false
    const hasNoDays = rule.byday.length === 0 && rule.bymonthday.length === 0
    if (freq === 'WEEKLY' && rule.byday.length === 0) return day.dayOfWeek === start.dayOfWeek
    if (freq === 'MONTHLY' && hasNoDays) return day.day === start.day
    if (freq === 'YEARLY' && hasNoDays)
      return day.day === start.day && (rule.bymonth.length > 0 || day.month === start.month)
    return true
  }
  const datesByPeriod = new Map<number, string[]>()
  const firstOf = () => {
    if (freq === 'MONTHLY') return start.with({ day: 1 })
    return freq === 'WEEKLY' ? monday(start) : start
  }
  for (
    let day = firstOf();
    Temporal.PlainDate.compare(day, until.add({ days: 40 })) <= 0;
    day = day.add({ days: 1 })
  ) {
    const at = period(day)
    if (at % interval !== 0 || !matchesDay(day)) continue
    datesByPeriod.set(at, [...(datesByPeriod.get(at) ?? []), day.toString()])
  }
  const selected = [...datesByPeriod.values()].flatMap((list) =>
    setpos === undefined ? list : (list.at(setpos > 0 ? setpos - 1 : setpos) ?? []),
  )
  return [...new Set([start.toString(), ...selected])]
    .filter((day) => day >= start.toString() && day <= until.toString())
    .sort()
}

const starts = fc
  .record({
    year: fc.integer({ min: 2019, max: 2027 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  .map((item) => Temporal.PlainDate.from(item))

test('random rules match a day-by-day evaluation', () => {
  fc.assert(
    fc.property(rules, starts, (rule, start) => {
      const until = start.add({ days: 900 })
      const ics = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'BEGIN:VEVENT',
        'UID:x',
        `DTSTART;VALUE=DATE:${start.toString().replaceAll('-', '')}`,
        `RRULE:${ruleText(rule)}`,
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n')
      const at = (day: Temporal.PlainDate) => day.toZonedDateTime('UTC').epochMilliseconds
      const { occurrences } = expand(readObject(ics), at(start), at(until) + 1, 'UTC')
      assert.deepEqual(
        occurrences.map((occurrence) => occurrence.days!.from),
        referenceDates(rule, start, until),
      )
    }),
    { numRuns: 250 },
  )
})

test('an export followed by an import has the same times', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']
  const event = fc.record({
    rule: rules,
    start: starts,
    zone: fc.constantFrom(...zones),
    hour: fc.integer({ min: 0, max: 23 }),
    title: fc.string({ unit: 'grapheme', maxLength: 200 }),
    exceptionSeed: fc.integer({ min: 0, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 4 }), (events) => {
      const objects = events.map(({ rule, start, zone, hour, title, exceptionSeed }, i) => {
        const day = start.toString().replaceAll('-', '')
        const time = `${String(hour).padStart(2, '0')}0000`
        const id = zone === 'UTC' ? `:${day}T${time}Z` : `;TZID=${zone}:${day}T${time}`
        const lines = [
          `DTSTART${id}`,
          'DURATION:PT45M',
          `SUMMARY:${title.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/[\p{Cc}]/gu, ' ')}`,
        ]
        const changed = [
          'BEGIN:VEVENT',
          `UID:u${i}`,
          `RECURRENCE-ID${id}`,
          ...lines,
          'LOCATION:elsewhere',
          'X-STRANGE;X-P="a;b":kept',
          'END:VEVENT',
        ]
        return [
          'BEGIN:VCALENDAR',
          'VERSION:2.0',
          'BEGIN:VEVENT',
          `UID:u${i}`,
          ...lines,
          `RRULE:${ruleText(rule)}`,
          'END:VEVENT',
          ...(exceptionSeed > 2 ? changed : []),
          'END:VCALENDAR',
        ].join('\r\n')
      })
      const roots = objects.map((object) => readObject(object).root)
      const parts = splitFile(serializeCalendar(combineObjects('all', roots)))
      assert.equal(parts.length, roots.length)
      for (const [i, part] of parts.entries()) {
        assert.ok('root' in part)
        const times = (root: typeof part.root) =>
          expand(
            readObject(serializeCalendar(root)),
            Date.UTC(2018, 0, 1),
            Date.UTC(2029, 0, 1),
            'Europe/Berlin',
          ).occurrences.map((occurrence) => [
            occurrence.place,
            occurrence.starts_at,
            occurrence.ends_at,
            occurrence.component.toString(),
          ])
        assert.deepEqual(times(part.root), times(roots[i]!))
      }
    }),
    { numRuns: 40 },
  )
})
