import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { invalid } from '../refusal.ts'
import { dayLength } from './times.ts'

/** An RFC 5545 rule with its anchor. Days and hours are local to its zone, regardless of summer time. */
export interface Repeat {
  rrule: string
  timezone: string
  /** DTSTART as wall-clock time of the zone, `2026-11-20T17:00:00`. */
  start: string
  /** Last possible day. */
  endsOn: string | null
}

/**
 * A rule that never falls on any date is given up after this many checked periods. Without COUNT, none is checked before the
 * requested moment.
 */
const maxPeriods = 2000
const maxCounted = 20_000

/** Years have four digits in answers. */
const lastMoment = Date.UTC(9999, 11, 31)

const commaListPattern = (name: string) => new RegExp(`^${name}(,${name})*$`)
const day31 = '[+-]?(0?[1-9]|[12]\\d|3[01])'
const week53 = '[+-]?(0?[1-9]|[1-4]\\d|5[0-3])'
const day366 = '[+-]?(0{0,2}[1-9]|0?[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])'
const formats: Record<string, RegExp> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  COUNT: /^[1-9]\d{0,2}$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: commaListPattern(`(${week53})?(MO|TU|WE|TH|FR|SA|SU)`),
  BYMONTH: commaListPattern('(1[0-2]|0?[1-9])'),
  BYMONTHDAY: commaListPattern(day31),
  BYYEARDAY: commaListPattern(day366),
  BYWEEKNO: commaListPattern(week53),
  BYSETPOS: commaListPattern(day366),
  BYHOUR: /^([01]?\d|2[0-3])$/,
  BYMINUTE: /^[0-5]?\d$/,
  BYSECOND: /^[0-5]?\d$/,
  WKST: /^(MO|TU|WE|TH|FR|SA|SU)$/,
}

/** Rule parts that RFC 5545 forbids for a frequency. */
const forbidden: Record<string, readonly string[]> = {
  DAILY: ['BYWEEKNO', 'BYYEARDAY'],
  WEEKLY: ['BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY'],
  MONTHLY: ['BYWEEKNO', 'BYYEARDAY'],
  YEARLY: [],
}

/**
 * A rule in stored form: `FREQ=WEEKLY;BYDAY=MO,TH`, upper case, without `RRULE:`.
 * @throws Refusal invalid_argument naming the part that is wrong
 */
export function parseRule(text: string): string {
  const rule = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '')
  const parts = rule.split(';').map((part) => part.split('=') as [string, string?])
  const names = parts.map(([name]) => name)
  for (const [name, value = ''] of parts) checkPart(name, value)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate) throw invalidRrule(`${duplicate} is given twice`)
  if (!names.includes('FREQ')) throw invalidRrule('FREQ is missing')
  if (names.includes('COUNT') && names.includes('UNTIL'))
    throw invalidRrule('COUNT and UNTIL cannot be combined')
  checkCombination(new Map(parts.map(([name, value = '']) => [name, value])))
  return rule
}

function checkPart(name: string, value: string): void {
  if (name === 'FREQ' && /^(HOURLY|MINUTELY|SECONDLY)$/.test(value))
    throw invalidRrule(`the shortest frequency is DAILY, not ${value}`)
  const format = formats[name]
  if (!format)
    throw invalidRrule(
      name === ''
        ? 'it is empty or has an empty part'
        : `${name.slice(0, 40)} is not a known part of a rule`,
    )
  if (!format.test(value)) throw invalidRrule(`${name}=${value.slice(0, 40)} is not possible`)
  if (name === 'UNTIL' && !readUntil(value)) throw invalidRrule(`UNTIL=${value} is not a date`)
}

function checkCombination(parts: Map<string, string>): void {
  const frequency = parts.get('FREQ')!
  const conflicting = forbidden[frequency]!.find((name) => parts.has(name))
  if (conflicting) throw invalidRrule(`${conflicting} cannot be combined with FREQ=${frequency}`)
  const hasNumberedDays = /\d/.test(parts.get('BYDAY') ?? '')
  if (hasNumberedDays && (frequency === 'DAILY' || frequency === 'WEEKLY' || parts.has('BYWEEKNO')))
    throw invalidRrule('days such as 1MO or -1FR are valid only with MONTHLY and YEARLY')
  if (parts.has('BYSETPOS') && ![...parts.keys()].some((name) => /^BY(?!SETPOS)/.test(name)))
    throw invalidRrule('BYSETPOS needs another BY… part to choose from')
}

function invalidRrule(message: string) {
  return invalid(
    'rrule',
    `${message}.`,
    'Send an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO,TH or FREQ=MONTHLY;BYMONTHDAY=-1.',
  )
}

/**
 * A rule without days takes them from its start. If that is the 29th, 30th or 31st, it uses the last day of shorter
 * months, as people expect from "monthly", whereas RFC 5545 would skip these months; likewise every year from 29
 * February.
 * `note` explains a changed rule.
 */
export function withMonthEnds(rule: string, start: string): { rrule: string; note?: string } {
  const [month, day] = [Number(start.slice(5, 7)), Number(start.slice(8, 10))]
  if (day < 29 || /(^|;)BY(MONTH|MONTHDAY|DAY|YEARDAY|WEEKNO|SETPOS)=/.test(rule))
    return { rrule: rule }
  if (rule.includes('FREQ=MONTHLY')) {
    const days =
      day === 31 ? 'BYMONTHDAY=-1' : `BYMONTHDAY=${day === 30 ? '28,29,30' : '28,29'};BYSETPOS=-1`
    return {
      rrule: `${rule};${days}`,
      note: `In months without a ${ordinals[day]} it falls on their last day.`,
    }
  }
  if (!rule.includes('FREQ=YEARLY') || month !== 2) return { rrule: rule }
  return {
    rrule: `${rule};BYMONTH=2;BYMONTHDAY=-1`,
    note: 'In years without a 29 February it falls on 28 February.',
  }
}

const ordinals: Record<number, string> = { 29: '29th', 30: '30th', 31: '31st' }

/** Wall-clock time of a zone at a moment, in the stored form of DTSTART. */
export function wallTime(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .with({ millisecond: 0 })
    .toString()
}

/** Occurrence of a rule: the moment, and its day in the rule's own calendar. */
export interface Occurrence {
  at: number
  /**
   * Differs from the day of `at` if the clocks skip the last hour of a day: each day of the rule has one occurrence.
   */
  on: string
}

/**
 * The first occurrence of a rule after a moment; undefined if it ends before, or never occurs. A wall-clock time
 * skipped by the zone is shifted on that day only.
 */
export function nextOccurrence(repeat: Repeat, after: number): Occurrence | undefined {
  let wall = wallTime(searchStart(after, repeat.timezone), repeat.timezone)
  // Repeated or skipped hours may give moments not after `after`: a few more steps get past them.
  for (let step = 0; step < 6; step++) {
    const next = wallAfter(repeat, wall)
    if (next === undefined) return undefined
    const at = Temporal.PlainDateTime.from(next).toZonedDateTime(repeat.timezone).epochMilliseconds
    if (at > lastMoment || isOver(repeat, next, at)) return undefined
    if (at > after) return { at, on: next.slice(0, 10) }
    wall = next
  }
  return undefined
}

/**
 * Start of the search: if the clocks changed within the day before, a skipped time may fall after `after` although
 * its wall time is earlier.
 */
function searchStart(after: number, zone: string): number {
  const dayBefore = Temporal.Instant.fromEpochMilliseconds(after - dayLength)
  const hasSameOffset =
    dayBefore.toZonedDateTimeISO(zone).offsetNanoseconds ===
    dayBefore.add({ milliseconds: dayLength }).toZonedDateTimeISO(zone).offsetNanoseconds
  return hasSameOffset ? after : after - dayLength
}

/** The moment of the next occurrence. */
export function nextAfter(repeat: Repeat, after: number): number | undefined {
  return nextOccurrence(repeat, after)?.at
}

/** The rule runs on wall-clock time as if it were UTC, without zone effects; UNTIL is compared with the result. */
function wallAfter(repeat: Repeat, wall: string): string | undefined {
  const rruleString = repeat.rrule.replace(/(^|;)UNTIL=[^;]*/, '').replace(/^;/, '')
  const utc = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime('UTC')
  try {
    const maxIterations = /COUNT=/.test(rruleString) ? maxCounted : maxPeriods
    const rule = new RRuleTemporal({
      rruleString,
      dtstart: utc(repeat.start),
      maxIterations,
      maxCandidateEvaluations: 10 * maxIterations,
    })
    const next = rule.next(utc(wall))
    return next === null ? undefined : next.toPlainDateTime().toString()
  } catch {
    return undefined // the library throws where a rule never falls (30 February)
  }
}

function isOver({ rrule, endsOn }: Repeat, wall: string, at: number): boolean {
  if (endsOn !== null && wall.slice(0, 10) > endsOn) return true
  const untilText = /(?:^|;)UNTIL=([^;]*)/.exec(rrule)?.[1]
  const until = untilText === undefined ? undefined : readUntil(untilText)
  if (!until) return false
  if (until.endsWith('Z')) return at > Temporal.Instant.from(until).epochMilliseconds
  return until < wall.slice(0, until.length)
}

/** UNTIL with hyphens and colons; undefined if it is not a date. */
function readUntil(text: string): string | undefined {
  const extended = text
    .replace(/^(\d{4})(\d{2})(\d{2})/, '$1-$2-$3')
    .replace(/T(\d{2})(\d{2})(\d{2})/, 'T$1:$2:$3')
  try {
    Temporal.PlainDateTime.from(extended.replace('Z', ''))
    return extended
  } catch {
    return undefined
  }
}

/** Shifts a moment by the calendar and wall-clock difference between two moments in the zone. */
export function shiftInstant(at: number, from: number, to: number, zone: string): number {
  const wall = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime()
  return wall(at)
    .add(wall(from).until(wall(to), { largestUnit: 'day' }))
    .toZonedDateTime(zone).epochMilliseconds
}

/** Start of the local day of a moment. */
export function dayStart(at: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).startOfDay()
    .epochMilliseconds
}
