import { containedInAny, overlapsAny, type TimeSpan } from './spans.ts'

/** An attendee with their times as merged spans. */
export interface Attendee {
  name: string
  isRequired: boolean
  /** Fixed times: events, and days away. */
  busy: readonly TimeSpan[]
  focus: readonly TimeSpan[]
  /** Working hours, without holidays. */
  hours: readonly TimeSpan[]
  /** 7:00 to 22:00 local time. */
  awake: readonly TimeSpan[]
}

export interface Search {
  /** Start of the requested period; slots in the past do not count. */
  from: number
  earliest: number
  to: number
  /** Duration in milliseconds. */
  length: number
  /** Milliseconds to keep free before and after. */
  buffer: number
  onlyInHours: boolean
}

export interface Slot extends TimeSpan {
  score: number
  reasons: string[]
  /** Indexes of the attendees. */
  missing: number[]
  outside: number[]
}

/** Slots start at quarter-hours. */
const step = 15 * 60_000
const day = 24 * 3600_000

/** Points that a slot loses from its 100; never below 0. */
const penalty = {
  /** Per whole day after the start of the search, up to 20. */
  day: 1,
  maxDays: 20,
  /** Per required person whose focus block it interrupts. */
  focus: 25,
  /** Per required person outside working hours; at night, replaced by the penalty for night. */
  outside: 15,
  night: 40,
  /** Per optional person who cannot attend; `optionalOutside`: who can, but outside their hours. */
  missing: 10,
  optionalOutside: 5,
  /** Per required person with an event directly before or after. */
  noBreak: 3,
  /** Per better slot in the same half day, up to 5. */
  sameHalfDay: 2,
  maxSameHalfDay: 5,
} as const

/**
 * Slots with all required people free, best first: by score, then the earlier. Of overlapping slots only the best is
 * listed, so that each is a distinct choice.
 */
export function rankedSlots(attendees: readonly Attendee[], search: Search): Slot[] {
  const candidates: Slot[] = []
  for (
    let start = Math.ceil(Math.max(search.from, search.earliest) / step) * step;
    start + search.length <= search.to;
    start += step
  ) {
    const slot = slotAt(attendees, search, start)
    if (slot) candidates.push(slot)
  }
  return penalizeSameHalfDay(
    withoutOverlaps(candidates.sort((a, b) => b.score - a.score || a.start - b.start)),
    search.from,
  )
}

/** The slot that starts at a moment; undefined if a required person cannot attend. */
function slotAt(attendees: readonly Attendee[], search: Search, start: number): Slot | undefined {
  const slot: Slot = {
    start,
    end: start + search.length,
    score: 100,
    reasons: [],
    missing: [],
    outside: [],
  }
  const withBuffer = { start: slot.start - search.buffer, end: slot.end + search.buffer }
  for (const [i, attendee] of attendees.entries()) {
    const isBusy = overlapsAny(attendee.busy, withBuffer)
    const isInside = containedInAny(attendee.hours, slot)
    if (attendee.isRequired && (isBusy || (search.onlyInHours && !isInside))) return undefined
    if (!isInside) slot.outside.push(i)
    if (isBusy || (search.onlyInHours && !isInside)) {
      penalize(
        slot,
        penalty.missing,
        `${attendee.name} (optional) cannot attend: ${isBusy ? 'busy or away' : 'outside their working hours'}`,
      )
      slot.missing.push(i)
    } else applyPenalties(slot, attendee, isInside)
  }
  const daysLater = Math.min(penalty.maxDays, Math.floor((start - search.from) / day))
  slot.score -= daysLater * penalty.day
  slot.score = Math.max(0, slot.score)
  if (slot.outside.length === 0) slot.reasons.unshift('within the working hours of everyone')
  if (slot.missing.length === 0) slot.reasons.unshift('everyone is free')
  return slot
}

function applyPenalties(
  slot: Slot,
  { name, isRequired, busy, focus, awake }: Attendee,
  isInside: boolean,
): void {
  if (!isInside) {
    const isNight = !containedInAny(awake, slot)
    if (isRequired)
      penalize(
        slot,
        isNight ? penalty.night : penalty.outside,
        `${name}: ${isNight ? 'between 22:00 and 7:00' : 'outside working hours'}`,
      )
    else penalize(slot, penalty.optionalOutside, `${name} (optional): outside working hours`)
  }
  if (!isRequired) return
  if (overlapsAny(focus, slot)) penalize(slot, penalty.focus, `breaks a focus block of ${name}`)
  if (overlapsAny(busy, { start: slot.start - 1, end: slot.end + 1 }))
    penalize(slot, penalty.noBreak, `no break for ${name}`)
}

function penalize(slot: Slot, points: number, reason: string): void {
  slot.score -= points
  slot.reasons.push(reason)
}

/** Drops slots that overlap a better one. */
function withoutOverlaps(slots: readonly Slot[]): Slot[] {
  const usedSteps = new Set<number>() // quarter-hours that a chosen slot occupies
  return slots.filter((slot) => {
    const steps = Array.from(
      { length: Math.ceil((slot.end - slot.start) / step) },
      (_, i) => slot.start + i * step,
    )
    if (steps.some((value) => usedSteps.has(value))) return false
    for (const value of steps) usedSteps.add(value)
    return true
  })
}

/**
 * Penalizes slots after better ones of the same half day, so that the first of a list are on different days and times
 * of day.
 */
function penalizeSameHalfDay(slots: readonly Slot[], from: number): Slot[] {
  const before = new Map<number, number>()
  for (const slot of slots) {
    const half = Math.floor((slot.start - from) / (day / 2))
    const count = before.get(half) ?? 0
    before.set(half, count + 1)
    slot.score = Math.max(
      0,
      slot.score - penalty.sameHalfDay * Math.min(count, penalty.maxSameHalfDay),
    )
  }
  return slots.toSorted((a, b) => b.score - a.score || a.start - b.start)
}
