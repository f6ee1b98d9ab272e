import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { dayLength } from '../../../kernel/time/times.ts'
import {
  type CalendarObject,
  type Component,
  type Property,
  parseMoment,
  periodsOf,
  whensOf,
} from './objects.ts'
import { type WallSpan, asWall, instantsOf, maxSpanLength } from './wall-spans.ts'
import { ianaZone, zoneOfWhen } from './zones.ts'

/** Maximum occurrences per event and period. */
export const maxOccurrences = 2000

/** Maximum periods checked for a rule without dates, and for rules with COUNT, which are counted from the first. */
const maxPeriods = 5000
const maxCounted = 20_000

/** Longer periods have the duration of the series. */
const maxPeriod = 366 * dayLength

/** Size of the stretches in which a rule is expanded, so that even rules that fall every second stay bounded. */
const stretches: Record<string, number> = {
  SECONDLY: 1800_000,
  MINUTELY: dayLength,
  HOURLY: 60 * dayLength,
  DAILY: 1500 * dayLength,
}
const longStretch = 20_000 * dayLength
const maxStretches = 400

/** Wall-clock times of a series' rules and dates, without excluded ones. */
export function hitsOf(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  from: number,
  until: number,
  zone: string,
  limit: number,
): { walls: string[]; isWhole: boolean } {
  const reach = maxSpanLength(span, span.isDay)
  const [first, last] = [
    span.zone.wall(from - reach - 2 * dayLength),
    span.zone.wall(until + 2 * dayLength),
  ]
  const walls = new Set([span.wall])
  let isWhole = true
  for (const property of master.getAllProperties('rrule')) {
    const run = runOf(property, span, first, last, limit)
    for (const wall of run.walls) walls.add(wall)
    isWhole &&= run.isWhole
  }
  for (const property of master.getAllProperties('rdate')) {
    for (const when of whensOf(property)) walls.add(asWall(object, when, span, zone))
  }
  const out = takenOut(object, master, span, first, last, zone)
  return { walls: [...walls].filter((wall) => !out(wall)), isWhole }
}

/** Ends of occurrences given by RDATE periods with their own end or duration, by wall-clock time. */
export function periodEnds(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  zone: string,
): Map<string, number> {
  const ends = new Map<string, number>()
  if (span.isDay) return ends
  for (const { start, end } of master.getAllProperties('rdate').flatMap(periodsOf)) {
    const wall = asWall(object, start, span, zone)
    const starts_at = span.zone.instant(wall)
    const ends_at =
      'wall' in end
        ? zoneOfWhen(end, object.root, zone).instant(end.wall)
        : instantsOf({ ...span, nominalDays: end.days, length: end.exact }, wall).ends_at
    if (ends_at - starts_at <= maxPeriod) ends.set(wall, Math.max(starts_at, ends_at))
  }
  return ends
}

/** EXDATE as moments or days, and the obsolete EXRULE. */
function takenOut(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  first: string,
  last: string,
  zone: string,
): (wall: string) => boolean {
  const whens = master.getAllProperties('exdate').flatMap(whensOf)
  const days = new Set(
    whens.filter((when) => when.isDay || span.isDay).map((when) => when.wall.slice(0, 10)),
  )
  const moments = new Set(
    whens
      .filter((when) => !when.isDay && !span.isDay)
      .map((when) => zoneOfWhen(when, object.root, zone).instant(when.wall)),
  )
  const ruled = new Set(
    master
      .getAllProperties('exrule')
      .flatMap((property) => runOf(property, span, first, last, maxOccurrences).walls),
  )
  return (wall) =>
    days.has(wall.slice(0, 10)) ||
    (moments.size > 0 && moments.has(span.zone.instant(wall))) ||
    ruled.has(wall)
}

/** The text of a rule as it was sent, upper case. */
export function ruleText(property: Property): string {
  return property
    .toICALString()
    .replace(/\r?\n[ \t]/g, '')
    .replace(/^[^:]*:/, '')
    .trim()
    .toUpperCase()
}

/** Calendar of a rule that is not Gregorian (RFC 7529). */
export function scaleOf(rule: string): string | undefined {
  const scale = /(?:^|;)RSCALE=([^;]*)/.exec(rule)?.[1]?.trim()
  return scale === undefined || /^GREGORIAN$|^GREGORY$/.test(scale) ? undefined : scale.slice(0, 40)
}

function runOf(
  property: Property,
  span: WallSpan,
  first: string,
  last: string,
  limit: number,
): { walls: string[]; isWhole: boolean } {
  const text = ruleText(property)
  if (scaleOf(text) !== undefined) return { walls: [], isWhole: true } // RFC 7529: anyone who does not know the calendar shows the first alone
  const end = untilOf(text, span)
  const rule = text
    .split(';')
    .filter((part) => !/^(UNTIL|X-|RSCALE|SKIP)/.test(part))
    .join(';')
  const stop = end !== undefined && end < last ? end : last
  if (stop < span.wall) return { walls: [], isWhole: true }
  try {
    return expandRule(rule, span.wall, first > span.wall ? first : span.wall, stop, limit)
  } catch {
    return { walls: [], isWhole: true } // the library throws where a rule is impossible or falls too rarely: its first stands alone
  }
}

function expandRule(
  rule: string,
  start: string,
  first: string,
  last: string,
  maxCount: number,
): { walls: string[]; isWhole: boolean } {
  const isCounted = rule.includes('COUNT=')
  const maxIterations = isCounted ? maxCounted : maxPeriods
  const recurrence = new RRuleTemporal({
    rruleString: rule,
    dtstart: wallInUtc(start),
    maxIterations,
    maxCandidateEvaluations: 10 * maxIterations,
    includeDtstart: true,
  })
  const step = isCounted
    ? longStretch
    : (stretches[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? longStretch) // what is counted is bounded, and counted from its first by each question
  const walls: string[] = []
  const end = Date.parse(`${last}Z`)
  let stretch = 0
  for (let at = Date.parse(`${first}Z`); at <= end; at += step + 1000) {
    if (++stretch > maxStretches) return { walls, isWhole: false }
    const until = Math.min(end, at + step)
    for (const zonedDateTime of recurrence.between(
      wallInUtc(wallAt(at)),
      wallInUtc(wallAt(until)),
      true,
    ))
      walls.push(wallAt(zonedDateTime.epochMilliseconds))
    if (walls.length > maxCount) return { walls: walls.slice(0, maxCount), isWhole: false }
  }
  return { walls, isWhole: true }
}

const wallAt = (at: number) => new Date(at).toISOString().slice(0, 19)
const wallInUtc = (wall: string) => Temporal.PlainDateTime.from(wall).toZonedDateTime('UTC')

/** The last wall-clock time of a rule with UNTIL: a day includes its end, an instant is converted to the zone. */
export function untilOf(rule: string, span: WallSpan): string | undefined {
  const when = parseMoment(/(?:^|;)UNTIL=([^;]*)/.exec(rule)?.[1] ?? '')
  if (!when) return undefined
  if (when.isDay || span.isDay) return `${when.wall.slice(0, 10)}T23:59:59`
  return when.isUtc ? span.zone.wall(ianaZone('UTC').instant(when.wall)) : when.wall
}
