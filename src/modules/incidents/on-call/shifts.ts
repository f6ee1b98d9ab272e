import { offsets, type OffsetRange } from './offsets.ts'

// Computes on-call shifts; pure. Wall-clock times are counted in milliseconds as if the zone were UTC ("local" below),
// so that hours, days and weeks all have one length. A handover happens once, when the clock first reaches or jumps past
// its time; setting the clock back undoes no handover. Duty hours follow the wall clock.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day
/** Monday, 5 January 1970, in local time. */
const firstMonday = 4 * day
/** Maximum clock change. */
const maxClockChangeMs = 2 * day

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Duty hours by weekday; an end not after the start is on the next day. */
export type Hours = Partial<Record<Weekday, readonly { from: string; to: string }[]>>

/** People in rotation. */
export interface Layer {
  level: number
  people: readonly string[]
  /** daily, weekly, or a number of hours, days or weeks: `every 12 hours` */
  rotation: string
  /** First day of the first turn. */
  starts_on: string
  /** Handover time; for turns in hours, the start of the first. */
  handover: { time: string; weekday?: Weekday | undefined }
  /** Unset for all hours. */
  hours?: Hours | undefined
}

/** A person who covers a level for a period. */
export interface Override {
  id: string
  level: number
  person: string
  from: number
  until: number
}

export interface Rota {
  timezone: string
  /** Layers of a schedule; in each level, the first layer with a person on call counts. */
  layers: readonly Layer[]
  /** Newest last: it takes precedence on overlap. */
  overrides: readonly Override[]
  /** The turn of an inactive person stays empty. */
  isActive(person: string): boolean
}

/** One person's uninterrupted shift, end exclusive, in milliseconds. */
export interface Shift {
  level: number
  person: string
  from: number
  until: number
  /** Id of the originating override. */
  overrideId?: string | undefined
  /** Person who would otherwise be on call when such a shift begins. */
  covers_for?: string | undefined
}

export interface ShiftSpan {
  from: number
  until: number
}

/** Turn of a person within a span, and its number: two turns of one person are two shifts. */
interface Turn extends ShiftSpan {
  person: string
  turnId: string
  overrideId?: string
}

/** Shifts of a period by level and time, clipped to it. */
export function shifts(rota: Rota, from: number, until: number): Shift[] {
  return levelsOf(rota).flatMap((level) => shiftsOf(rota, level, from, until))
}

/** Shifts that overlap a period, in full length. */
export function wholeShifts(rota: Rota, from: number, until: number): Shift[] {
  const turn = Math.max(...rota.layers.map((layer) => rotationLength(layer.rotation)))
  for (let margin = turn + maxClockChangeMs + day; ; margin *= 6) {
    const nearbyShifts = shifts(rota, from - margin, until + margin)
    const overlapping = nearbyShifts.filter((shift) => shift.from < until && shift.until > from)
    if (!overlapping.some((shift) => shift.from <= from - margin || shift.until >= until + margin))
      return overlapping // a cover may be longer than a turn
  }
}

/** Shifts at a moment, one per level, in full length. */
export function shiftsAt(rota: Rota, at: number): Shift[] {
  return wholeShifts(rota, at, at + 1)
}

/** Periods in which no level has a person on call. */
export function gaps(rota: Rota, from: number, until: number): ShiftSpan[] {
  const uncovered: ShiftSpan[] = []
  let coveredUntil = from
  for (const shift of shifts(rota, from, until).sort((a, b) => a.from - b.from)) {
    if (shift.from > coveredUntil) uncovered.push({ from: coveredUntil, until: shift.from })
    coveredUntil = Math.max(coveredUntil, shift.until)
  }
  return coveredUntil < until ? [...uncovered, { from: coveredUntil, until }] : uncovered
}

/** The next shift change after a moment; at the latest `until`. */
export function nextChange(rota: Rota, at: number, until: number): number {
  for (
    let horizon = Math.min(at + day, until);
    ;
    horizon = Math.min(at + (horizon - at) * 6, until)
  ) {
    const edges = shifts(rota, at, horizon)
      .flatMap((shift) => [shift.from, shift.until])
      .filter((edge) => edge > at && edge < horizon)
    if (edges.length > 0 || horizon === until) return Math.min(until, ...edges)
  }
}

export function levelsOf({ layers }: Pick<Rota, 'layers'>): number[] {
  return [...new Set(layers.map((layer) => layer.level))].sort((a, b) => a - b)
}

function shiftsOf(rota: Rota, level: number, from: number, until: number): Shift[] {
  const regular = mergeByPriority(
    rota.layers
      .filter((layer) => layer.level === level)
      .map((layer, i) => turnsOf(rota, layer, i, from, until)),
    { from, until },
  )
  const covers = rota.overrides
    .filter((cover) => cover.level === level && rota.isActive(cover.person))
    .toReversed()
  const turns = covers.map(({ id, person, ...span }): Turn[] =>
    [
      {
        person,
        turnId: id,
        overrideId: id,
        from: Math.max(from, span.from),
        until: Math.min(until, span.until),
      },
    ].filter((item) => item.from < item.until),
  )
  return mergeByPriority([...turns, regular], { from, until }).map(({ turnId: _, ...turn }) => ({
    level,
    ...turn,
    ...coveredPerson(turn, regular),
  }))
}

function coveredPerson(
  { overrideId, person, from }: Omit<Turn, 'turnId'>,
  regular: readonly Turn[],
): { covers_for?: string } {
  const covered =
    overrideId === undefined
      ? undefined
      : regular.find((turn) => turn.from <= from && from < turn.until)?.person
  return covered === undefined || covered === person ? {} : { covers_for: covered }
}

/** Combines lists of turns: at each moment the turn of the first list that has one. */
function mergeByPriority(lists: readonly Turn[][], period: ShiftSpan): Turn[] {
  let remaining = [period]
  const selected: Turn[] = []
  for (const list of lists)
    remaining = assignFreeTime(
      selected,
      list.toSorted((a, b) => a.from - b.from),
      remaining,
    )
  return selected.sort((a, b) => a.from - b.from)
}

/** Assigns free time to turns. Both are sorted and traversed once. @returns the remaining free time */
function assignFreeTime(
  result: Turn[],
  turns: readonly Turn[],
  free: readonly ShiftSpan[],
): ShiftSpan[] {
  const remaining: ShiftSpan[] = []
  let next = 0
  for (const span of free) {
    let reached = span.from
    while (next < turns.length && turns[next]!.until <= span.from) next++
    for (let i = next; i < turns.length && turns[i]!.from < span.until; i++) {
      const turn = turns[i]!
      result.push(...intersection(turn, span))
      if (turn.from > reached) remaining.push({ from: reached, until: turn.from })
      reached = Math.max(reached, turn.until)
    }
    if (reached < span.until) remaining.push({ from: reached, until: span.until })
  }
  return remaining
}

function intersection(turn: Turn, span: ShiftSpan): Turn[] {
  const clipped = {
    ...turn,
    from: Math.max(turn.from, span.from),
    until: Math.min(turn.until, span.until),
  }
  return clipped.from < clipped.until ? [clipped] : []
}

/** A layer's turns in a period. */
function turnsOf(rota: Rota, layer: Layer, index: number, from: number, until: number): Turn[] {
  const { people } = layer
  const windows = layer.hours && windowsOf(layer.hours)
  const turns: Turn[] = []
  let latestLocal = -Infinity // the latest local time that the clock has shown
  for (const range of offsets(rota.timezone, from - maxClockChangeMs, until)) {
    for (const { turnNumber, ...span } of turnsIn(layer, range, latestLocal)) {
      const person = people[turnNumber % people.length]!
      if (!rota.isActive(person)) continue
      for (const shiftSpan of windows ? withinWindows(span, windows, range.offset) : [span])
        addJoined(turns, { person, turnId: `${index} ${turnNumber}`, ...shiftSpan }, from)
    }
    latestLocal = Math.max(latestLocal, range.until + range.offset - 1) // a clock set back at midnight has not shown midnight
  }
  return turns
}

/** Joins turns across adjacent offset ranges. */
function addJoined(result: Turn[], turn: Turn, from: number): void {
  const last = result.at(-1)
  if (turn.until <= from) return
  if (last?.until === turn.from && last.turnId === turn.turnId) last.until = turn.until
  else result.push({ ...turn, from: Math.max(from, turn.from) })
}

/** The turns in one offset range; `reached` is the last local time before it. */
function turnsIn(
  layer: Layer,
  { from, until, offset }: OffsetRange,
  reached: number,
): (ShiftSpan & { turnNumber: number })[] {
  const { anchor, start, length } = rotationTiming(layer)
  const localStart = Math.max(reached, from + offset)
  const first = localStart >= start ? from : start - offset
  const turns = []
  for (let k = Math.floor((Math.max(localStart, start) - anchor) / length); ; k++) {
    const begins = Math.max(first, turns.length === 0 ? first : anchor + k * length - offset)
    if (begins >= until) return turns
    const ends = Math.min(until, anchor + (k + 1) * length - offset)
    if (begins < ends) turns.push({ turnNumber: k, from: begins, until: ends })
  }
}

/** In local time: start of the first turn aligned to a handover, start of duty, and turn length. */
function rotationTiming({ rotation, starts_on, handover }: Layer): {
  anchor: number
  start: number
  length: number
} {
  const start = Date.parse(`${starts_on}T00:00:00Z`) + minutesOfDay(handover.time) * minute
  const days =
    handover.weekday === undefined
      ? 0
      : (weekdayOf(start) - weekdays.indexOf(handover.weekday) + 7) % 7
  return { anchor: start - days * day, start, length: rotationLength(rotation) }
}

/** 0 is Monday. */
const weekdayOf = (local: number) => ((Math.floor((local - firstMonday) / day) % 7) + 7) % 7

const units: Record<string, number> = { hour, day, week }

/** Length of a rotation's turn, by the wall clock. */
export function rotationLength(rotation: string): number {
  if (rotation === 'daily') return day
  if (rotation === 'weekly') return week
  const [, count, unit] = /^every (\d+) (hour|day|week)s?$/.exec(rotation)!
  return Number(count) * units[unit!]!
}

/** Minutes since midnight of `09:30`; `24:00` is 1440. */
export function minutesOfDay(time: string): number {
  const [h, m] = time.split(':').map(Number) as [number, number]
  return h * 60 + m
}

/** Duty hours as spans of a week starting on Monday. */
function windowsOf(hours: Hours): ShiftSpan[] {
  const spans = weekdays.flatMap((name, i) =>
    (hours[name] ?? []).map(({ from, to }) => ({
      from: i * day + minutesOfDay(from) * minute,
      until: i * day + (minutesOfDay(to) + (to <= from ? 1440 : 0)) * minute,
    })),
  )
  const inWeek = spans.flatMap((span) =>
    span.until <= week
      ? [span]
      : [
          { from: span.from, until: week },
          { from: 0, until: span.until - week },
        ],
  )
  return inWeek.sort((a, b) => a.from - b.from).reduce<ShiftSpan[]>(mergeSpan, [])
}

function mergeSpan(result: ShiftSpan[], next: ShiftSpan): ShiftSpan[] {
  const last = result.at(-1)
  if (last && next.from <= last.until) last.until = Math.max(last.until, next.until)
  else result.push({ ...next })
  return result
}

/** Whether a span overlaps local duty hours. */
export function overlapsHours({ from, until }: ShiftSpan, hours: Hours, zone: string): boolean {
  const windows = windowsOf(hours)
  return offsets(zone, from, until).some(
    (stretch) => withinWindows(stretch, windows, stretch.offset).length > 0,
  )
}

/** The parts of a span within local duty hours. */
function withinWindows(
  { from, until }: ShiftSpan,
  windows: readonly ShiftSpan[],
  offset: number,
): ShiftSpan[] {
  const spans: ShiftSpan[] = []
  for (
    let monday = Math.floor((from + offset - firstMonday) / week) * week + firstMonday - offset;
    monday < until;
    monday += week
  ) {
    for (const window of windows) {
      const cut = {
        from: Math.max(from, monday + window.from),
        until: Math.min(until, monday + window.until),
      }
      if (cut.from < cut.until) mergeSpan(spans, cut)
    }
  }
  return spans
}
