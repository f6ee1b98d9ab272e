import { offsets, type OffsetRange } from './offsets.ts'

// Computes on-call shifts; pure. Wall-clock times are counted in milliseconds as if the zone were UTC ("local" below),
// so that hours, days and weeks all have one length. A handover happens once, when the clock first reaches or jumps past
// its time; setting the clock back undoes no handover. Duty hours follow the wall clock.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day
/** Monday, 5 January 1970, by the clock. */
const aMonday = 4 * day
/** No clock is set by more at once. */
const maxSetMs = 2 * day

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Times of duty by weekday; one that ends no later than it begins ends on the next day. */
export type Hours = Partial<Record<Weekday, readonly { from: string; to: string }[]>>

/** People who take turns. */
export interface Layer {
  level: number
  people: readonly string[]
  /** daily, weekly, or every so many hours, days or weeks: `every 12 hours` */
  rotation: string
  /** The day on which the first of them begins. */
  starts_on: string
  /** When the next one takes over; of turns of hours: when the first begins. */
  handover: { time: string; weekday?: Weekday | undefined }
  /** Unset: always. */
  hours?: Hours | undefined
}

/** A person who covers a level for a time. */
export interface Cover {
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
  /** The newest last: where two overlap it counts. */
  covers: readonly Cover[]
  /** The turn of a person who is not active is left empty. */
  isActive(person: string): boolean
}

/** One person on call without interruption, from and before until, in milliseconds. */
export interface Shift {
  level: number
  person: string
  from: number
  until: number
  /** Id of the override that it comes from. */
  cover?: string | undefined
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
  of: string
  cover?: string
}

/** The shifts of a period in order of level and time, cut to it. */
export function shifts(rota: Rota, from: number, until: number): Shift[] {
  return levelsOf(rota).flatMap((level) => shiftsOf(rota, level, from, until))
}

/** The shifts that touch a period, each as long as it is. */
export function wholeShifts(rota: Rota, from: number, until: number): Shift[] {
  const turn = Math.max(...rota.layers.map((layer) => rotationLength(layer.rotation)))
  for (let margin = turn + maxSetMs + day; ; margin *= 6) {
    const nearbyShifts = shifts(rota, from - margin, until + margin)
    const here = nearbyShifts.filter((shift) => shift.from < until && shift.until > from)
    if (!here.some((shift) => shift.from <= from - margin || shift.until >= until + margin))
      return here // a cover may be longer than a turn
  }
}

/** The shifts at a moment, one a level, each as long as it is. */
export function shiftsAt(rota: Rota, at: number): Shift[] {
  return wholeShifts(rota, at, at + 1)
}

/** Periods in which no level has a person on call. */
export function gaps(rota: Rota, from: number, until: number): ShiftSpan[] {
  const free: ShiftSpan[] = []
  let reached = from
  for (const shift of shifts(rota, from, until).sort((a, b) => a.from - b.from)) {
    if (shift.from > reached) free.push({ from: reached, until: shift.from })
    reached = Math.max(reached, shift.until)
  }
  return reached < until ? [...free, { from: reached, until }] : free
}

/** When the next shift starts or ends after a moment; at the latest at `until`. */
export function nextChange(rota: Rota, at: number, until: number): number {
  for (let far = Math.min(at + day, until); ; far = Math.min(at + (far - at) * 6, until)) {
    const edges = shifts(rota, at, far)
      .flatMap((shift) => [shift.from, shift.until])
      .filter((edge) => edge > at && edge < far)
    if (edges.length > 0 || far === until) return Math.min(until, ...edges)
  }
}

export function levelsOf({ layers }: Pick<Rota, 'layers'>): number[] {
  return [...new Set(layers.map((layer) => layer.level))].sort((a, b) => a - b)
}

function shiftsOf(rota: Rota, level: number, from: number, until: number): Shift[] {
  const regular = firstOf(
    rota.layers
      .filter((layer) => layer.level === level)
      .map((layer, i) => turnsOf(rota, layer, i, from, until)),
    { from, until },
  )
  const covers = rota.covers
    .filter((cover) => cover.level === level && rota.isActive(cover.person))
    .toReversed()
  const turns = covers.map(({ id, person, ...span }): Turn[] =>
    [
      {
        person,
        of: id,
        cover: id,
        from: Math.max(from, span.from),
        until: Math.min(until, span.until),
      },
    ].filter((item) => item.from < item.until),
  )
  return firstOf([...turns, regular], { from, until }).map(({ of: _, ...one }) => ({
    level,
    ...one,
    ...coveredBy(one, regular),
  }))
}

function coveredBy(
  { cover, person, from }: Omit<Turn, 'of'>,
  regular: readonly Turn[],
): { covers_for?: string } {
  const covered =
    cover === undefined
      ? undefined
      : regular.find((turn) => turn.from <= from && from < turn.until)?.person
  return covered === undefined || covered === person ? {} : { covers_for: covered }
}

/** Combines lists of turns: at each moment the turn of the first list that has one. */
function firstOf(lists: readonly Turn[][], whole: ShiftSpan): Turn[] {
  let free = [whole]
  const selected: Turn[] = []
  for (const list of lists)
    free = assignFreeTime(
      selected,
      list.toSorted((a, b) => a.from - b.from),
      free,
    )
  return selected.sort((a, b) => a.from - b.from)
}

/** Gives turns what is free of their time. Both are in order and gone through once. @returns what is still free */
function assignFreeTime(
  result: Turn[],
  turns: readonly Turn[],
  free: readonly ShiftSpan[],
): ShiftSpan[] {
  const left: ShiftSpan[] = []
  let next = 0
  for (const span of free) {
    let reached = span.from
    while (next < turns.length && turns[next]!.until <= span.from) next++
    for (let i = next; i < turns.length && turns[i]!.from < span.until; i++) {
      const turn = turns[i]!
      result.push(...common(turn, span))
      if (turn.from > reached) left.push({ from: reached, until: turn.from })
      reached = Math.max(reached, turn.until)
    }
    if (reached < span.until) left.push({ from: reached, until: span.until })
  }
  return left
}

function common(turn: Turn, span: ShiftSpan): Turn[] {
  const cut = {
    ...turn,
    from: Math.max(turn.from, span.from),
    until: Math.min(turn.until, span.until),
  }
  return cut.from < cut.until ? [cut] : []
}

/** The turns of a layer in a period. */
function turnsOf(rota: Rota, layer: Layer, index: number, from: number, until: number): Turn[] {
  const { people } = layer
  const windows = layer.hours && windowsOf(layer.hours)
  const turns: Turn[] = []
  let reached = -Infinity // what the clock has shown at most
  for (const stretch of offsets(rota.timezone, from - maxSetMs, until)) {
    for (const { k, ...span } of turnsIn(layer, stretch, reached)) {
      const person = people[k % people.length]!
      if (!rota.isActive(person)) continue
      for (const shiftSpan of windows ? withinWindows(span, windows, stretch.offset) : [span])
        add(turns, { person, of: `${index} ${k}`, ...shiftSpan }, from)
    }
    reached = Math.max(reached, stretch.until + stretch.offset - 1) // where it is set back at midnight it has not shown midnight
  }
  return turns
}

/** Turns go on where a stretch ends and the next begins. */
function add(result: Turn[], turn: Turn, from: number): void {
  const last = result.at(-1)
  if (turn.until <= from) return
  if (last?.until === turn.from && last.of === turn.of) last.until = turn.until
  else result.push({ ...turn, from: Math.max(from, turn.from) })
}

/** The turns of one stretch; `reached` is what the clock has shown before it. */
function turnsIn(
  layer: Layer,
  { from, until, offset }: OffsetRange,
  reached: number,
): (ShiftSpan & { k: number })[] {
  const { anchor, start, length } = rhythmOf(layer)
  const shows = Math.max(reached, from + offset)
  const first = shows >= start ? from : start - offset
  const turns = []
  for (let k = Math.floor((Math.max(shows, start) - anchor) / length); ; k++) {
    const begins = Math.max(first, turns.length === 0 ? first : anchor + k * length - offset)
    if (begins >= until) return turns
    const ends = Math.min(until, anchor + (k + 1) * length - offset)
    if (begins < ends) turns.push({ k, from: begins, until: ends })
  }
}

/** By the clock: when the first turn would have begun that ends with a handover, when duty begins, and how long a turn is. */
function rhythmOf({ rotation, starts_on, handover }: Layer): {
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
const weekdayOf = (local: number) => ((Math.floor((local - aMonday) / day) % 7) + 7) % 7

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

/** Hours of duty as spans of a week that begins on Monday. */
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
  return inWeek.sort((a, b) => a.from - b.from).reduce<ShiftSpan[]>(merged, [])
}

function merged(done: ShiftSpan[], next: ShiftSpan): ShiftSpan[] {
  const last = done.at(-1)
  if (last && next.from <= last.until) last.until = Math.max(last.until, next.until)
  else done.push({ ...next })
  return done
}

/** Whether some part of a span falls into such hours of a zone. */
export function fallsInto({ from, until }: ShiftSpan, hours: Hours, zone: string): boolean {
  const windows = windowsOf(hours)
  return offsets(zone, from, until).some(
    (stretch) => withinWindows(stretch, windows, stretch.offset).length > 0,
  )
}

/** The parts of a span in which the clock shows hours of duty. */
function withinWindows(
  { from, until }: ShiftSpan,
  windows: readonly ShiftSpan[],
  offset: number,
): ShiftSpan[] {
  const spans: ShiftSpan[] = []
  for (
    let monday = Math.floor((from + offset - aMonday) / week) * week + aMonday - offset;
    monday < until;
    monday += week
  ) {
    for (const window of windows) {
      const cut = {
        from: Math.max(from, monday + window.from),
        until: Math.min(until, monday + window.until),
      }
      if (cut.from < cut.until) merged(spans, cut)
    }
  }
  return spans
}
