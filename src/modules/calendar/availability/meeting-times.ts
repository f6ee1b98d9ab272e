import { covers, touches, type TimeSpan } from './spans.ts'

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
  /** Per optional person who cannot come; the other penalty is for those outside their hours. */
  missing: 10,
  optionalOutside: 5,
  /** Per required person with an event directly before or after. */
  noBreak: 3,
  /** Per better slot in the same half day, up to 5. */
  again: 2,
  maxAgain: 5,
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
  return spread(
    apart(candidates.sort((a, b) => b.score - a.score || a.start - b.start)),
    search.from,
  )
}

/** The slot that starts at a moment; undefined if a required person cannot come. */
function slotAt(attendees: readonly Attendee[], search: Search, start: number): Slot | undefined {
  const slot: Slot = {
    start,
    end: start + search.length,
    score: 100,
    reasons: [],
    missing: [],
    outside: [],
  }
  const wide = { start: slot.start - search.buffer, end: slot.end + search.buffer }
  for (const [i, one] of attendees.entries()) {
    const isBusy = touches(one.busy, wide)
    const isInside = covers(one.hours, slot)
    if (one.isRequired && (isBusy || (search.onlyInHours && !isInside))) return undefined
    if (!isInside) slot.outside.push(i)
    if (isBusy || (search.onlyInHours && !isInside)) {
      lose(
        slot,
        penalty.missing,
        `${one.name} (optional) cannot attend: ${isBusy ? 'busy or away' : 'outside their working hours'}`,
      )
      slot.missing.push(i)
    } else weigh(slot, one, isInside)
  }
  const late = Math.min(penalty.maxDays, Math.floor((start - search.from) / day))
  slot.score -= late * penalty.day
  slot.score = Math.max(0, slot.score)
  if (slot.outside.length === 0) slot.reasons.unshift('within the working hours of everyone')
  if (slot.missing.length === 0) slot.reasons.unshift('everyone is free')
  return slot
}

function weigh(
  slot: Slot,
  { name, isRequired, busy, focus, awake }: Attendee,
  isInside: boolean,
): void {
  if (!isInside) {
    const isNight = !covers(awake, slot)
    if (isRequired)
      lose(
        slot,
        isNight ? penalty.night : penalty.outside,
        `${name}: ${isNight ? 'between 22:00 and 7:00' : 'outside working hours'}`,
      )
    else lose(slot, penalty.optionalOutside, `${name} (optional): outside working hours`)
  }
  if (!isRequired) return
  if (touches(focus, slot)) lose(slot, penalty.focus, `breaks a focus block of ${name}`)
  if (touches(busy, { start: slot.start - 1, end: slot.end + 1 }))
    lose(slot, penalty.noBreak, `no break for ${name}`)
}

function lose(slot: Slot, points: number, reason: string): void {
  slot.score -= points
  slot.reasons.push(reason)
}

/** Drops slots that overlap a better one. */
function apart(slots: readonly Slot[]): Slot[] {
  const usedSteps = new Set<number>() // the steps that are in a slot
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
function spread(slots: readonly Slot[], from: number): Slot[] {
  const before = new Map<number, number>()
  for (const slot of slots) {
    const half = Math.floor((slot.start - from) / (day / 2))
    const count = before.get(half) ?? 0
    before.set(half, count + 1)
    slot.score = Math.max(0, slot.score - penalty.again * Math.min(count, penalty.maxAgain))
  }
  return slots.toSorted((a, b) => b.score - a.score || a.start - b.start)
}
