import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { dayLength } from '../../../kernel/time/times.ts'
import {
  type CalendarObject,
  type Component,
  type Property,
  parseMoment,
  periodsOf,
  momentsOf,
} from './objects.ts'
import { type WallSpan, wallInSeries, instantsOf, maxSpanLength } from './wall-spans.ts'
import { ianaZone, zoneOfWhen } from './zones.ts'

/** Maximum occurrences per event and period. */
export const maxOccurrences = 2000

/** Maximum periods checked for a rule; higher for rules with COUNT, which are counted from the first occurrence. */
const maxPeriods = 5000
const maxCounted = 20_000

/** An RDATE period that is longer gets the duration of the series instead. */
const maxPeriod = 366 * dayLength

/** Length of the chunks in which a rule is expanded, so that even rules for every second stay bounded. */
const chunkLengths: Record<string, number> = {
  SECONDLY: 1800_000,
  MINUTELY: dayLength,
  HOURLY: 60 * dayLength,
  DAILY: 1500 * dayLength,
}
const maxChunkLength = 20_000 * dayLength
const maxChunks = 400

/** Wall-clock times of a series' rules and dates, without excluded ones. */
export function expandRules(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  from: number,
  until: number,
  zone: string,
  limit: number,
): { walls: string[]; isComplete: boolean } {
  const reach = maxSpanLength(span, span.isDay)
  const [first, last] = [
    span.zone.wall(from - reach - 2 * dayLength),
    span.zone.wall(until + 2 * dayLength),
  ]
  const walls = new Set([span.wall])
  let isComplete = true
  for (const property of master.getAllProperties('rrule')) {
    const run = expandProperty(property, span, first, last, limit)
    for (const wall of run.walls) walls.add(wall)
    isComplete &&= run.isComplete
  }
  for (const property of master.getAllProperties('rdate')) {
    for (const when of momentsOf(property)) walls.add(wallInSeries(object, when, span, zone))
  }
  const isExcluded = exclusionTest(object, master, span, first, last, zone)
  return { walls: [...walls].filter((wall) => !isExcluded(wall)), isComplete }
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
    const wall = wallInSeries(object, start, span, zone)
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
function exclusionTest(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  first: string,
  last: string,
  zone: string,
): (wall: string) => boolean {
  const whens = master.getAllProperties('exdate').flatMap(momentsOf)
  const days = new Set(
    whens.filter((when) => when.isDay || span.isDay).map((when) => when.wall.slice(0, 10)),
  )
  const moments = new Set(
    whens
      .filter((when) => !when.isDay && !span.isDay)
      .map((when) => zoneOfWhen(when, object.root, zone).instant(when.wall)),
  )
  const excludedByRule = new Set(
    master
      .getAllProperties('exrule')
      .flatMap((property) => expandProperty(property, span, first, last, maxOccurrences).walls),
  )
  return (wall) =>
    days.has(wall.slice(0, 10)) ||
    (moments.size > 0 && moments.has(span.zone.instant(wall))) ||
    excludedByRule.has(wall)
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

/** The calendar system of a rule, if it is not Gregorian (RFC 7529). */
export function scaleOf(rule: string): string | undefined {
  const scale = /(?:^|;)RSCALE=([^;]*)/.exec(rule)?.[1]?.trim()
  return scale === undefined || /^GREGORIAN$|^GREGORY$/.test(scale) ? undefined : scale.slice(0, 40)
}

function expandProperty(
  property: Property,
  span: WallSpan,
  first: string,
  last: string,
  limit: number,
): { walls: string[]; isComplete: boolean } {
  const text = ruleText(property)
  if (scaleOf(text) !== undefined) return { walls: [], isComplete: true } // RFC 7529: with an unknown calendar, only the first occurrence counts
  const end = untilOf(text, span)
  const rule = text
    .split(';')
    .filter((part) => !/^(UNTIL|X-|RSCALE|SKIP)/.test(part))
    .join(';')
  const lastWall = end !== undefined && end < last ? end : last
  if (lastWall < span.wall) return { walls: [], isComplete: true }
  try {
    return expandRule(rule, span.wall, first > span.wall ? first : span.wall, lastWall, limit)
  } catch {
    return { walls: [], isComplete: true } // the library throws for impossible or too rare rules: only the first occurrence counts
  }
}

function expandRule(
  rule: string,
  start: string,
  first: string,
  last: string,
  maxCount: number,
): { walls: string[]; isComplete: boolean } {
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
    ? maxChunkLength
    : (chunkLengths[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? maxChunkLength) // a counted rule is bounded, and each query counts from its first occurrence
  const walls: string[] = []
  const end = Date.parse(`${last}Z`)
  let chunkCount = 0
  for (let at = Date.parse(`${first}Z`); at <= end; at += step + 1000) {
    if (++chunkCount > maxChunks) return { walls, isComplete: false }
    const until = Math.min(end, at + step)
    for (const zonedDateTime of recurrence.between(
      wallInUtc(wallAt(at)),
      wallInUtc(wallAt(until)),
      true,
    ))
      walls.push(wallAt(zonedDateTime.epochMilliseconds))
    if (walls.length > maxCount) return { walls: walls.slice(0, maxCount), isComplete: false }
  }
  return { walls, isComplete: true }
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
