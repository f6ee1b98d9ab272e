import { containedInAny, overlapsAny, type TimeSpan } from './spans.ts'
import { compareText } from '../../../kernel/text/order.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

/** Properties of an event that decide whether it conflicts with others. */
export interface Planned extends TimeSpan {
  /** Id of the occurrence. */
  id: string
  title: string
  isAllDay: boolean
  kind: 'default' | 'focus' | 'out_of_office'
  /** Place to travel to; undefined for telephone and video meetings. */
  place: string | undefined
}

export interface Conflict {
  kind: 'overlap' | 'no_break' | 'time_off' | 'outside_hours' | 'travel'
  events: Planned[]
  starts_at: number
  suggestion: string
}

const minute = 60_000
/** Minimum length of a break. */
const breakLength = 5 * minute
/** Thresholds for a back-to-back warning: this long without a break, or this many events. */
const longRun = 150 * minute
const manyInRun = 3
/** Travel time between two places. */
const travelTime = 30 * minute

/**
 * Finds conflicts in a calendar, in chronological order. `hours`: working hours, without days off; `away`: days of
 * absence. Both merged.
 */
export function findConflicts(
  planned: readonly Planned[],
  hours: readonly TimeSpan[],
  away: readonly TimeSpan[],
): Conflict[] {
  const timed = planned
    .filter((item) => !item.isAllDay && item.kind !== 'out_of_office' && item.end > item.start)
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1))
  const conflicts = [
    ...overlaps(timed),
    ...missingBreaks(timed),
    ...travelConflicts(timed),
    ...outsideAvailability(timed, hours, away),
  ]
  return conflicts.sort(
    (a, b) =>
      a.starts_at - b.starts_at ||
      compareText(a.kind, b.kind) ||
      compareText(a.events[0]!.id, b.events[0]!.id),
  )
}

function overlaps(timed: readonly Planned[]): Conflict[] {
  return timed.flatMap((planned, i) => {
    const conflicts: Conflict[] = []
    for (let j = i + 1; j < timed.length && timed[j]!.start < planned.end; j++) {
      const other = timed[j]!
      const focus = [planned, other].find((each) => each.kind === 'focus')
      const suggestion = focus
        ? `Move the focus block “${focus.title}”, or decline the other.`
        : `Move or decline one of “${planned.title}” and “${other.title}”.`
      conflicts.push({
        kind: 'overlap',
        events: [planned, other],
        starts_at: other.start,
        suggestion,
      })
    }
    return conflicts
  })
}

/** Sequences of events without a break. */
function missingBreaks(timed: readonly Planned[]): Conflict[] {
  const conflicts: Conflict[] = []
  let run: Planned[] = []
  let end = -Infinity
  const endRun = () => {
    const isLong = run.length >= manyInRun || (run.length > 1 && end - run[0]!.start >= longRun)
    if (isLong)
      conflicts.push({
        kind: 'no_break',
        events: run,
        starts_at: run[0]!.start,
        suggestion: `${run.length} events in ${Math.round((end - run[0]!.start) / minute)} minutes without a break: end one of them five or ten minutes earlier.`,
      })
  }
  for (const planned of timed.filter((each) => each.kind !== 'focus')) {
    if (planned.start - end >= breakLength) {
      endRun()
      run = []
    }
    run.push(planned)
    end = run.length === 1 ? planned.end : Math.max(end, planned.end)
  }
  endRun()
  return conflicts
}

/** Two places with too little time in between. */
function travelConflicts(timed: readonly Planned[]): Conflict[] {
  const withPlace = timed.filter((planned) => planned.place !== undefined)
  return withPlace.flatMap((planned, i) => {
    const next = withPlace[i + 1]
    if (
      !next ||
      next.start < planned.end ||
      next.start - planned.end >= travelTime ||
      fold(next.place!) === fold(planned.place!)
    )
      return []
    const minutesLeft = Math.round((next.start - planned.end) / minute)
    return [
      {
        kind: 'travel' as const,
        events: [planned, next],
        starts_at: planned.end,
        suggestion: `${quantity(minutesLeft, 'minute')} from ${planned.place} to ${next.place}: join one of them by video, or leave time to travel.`,
      },
    ]
  })
}

function outsideAvailability(
  timed: readonly Planned[],
  hours: readonly TimeSpan[],
  away: readonly TimeSpan[],
): Conflict[] {
  return timed.flatMap((planned): Conflict[] => {
    if (overlapsAny(away, planned))
      return [
        {
          kind: 'time_off',
          events: [planned],
          starts_at: planned.start,
          suggestion: 'You are away: decline it, or find another day.',
        },
      ]
    if (containedInAny(hours, planned) || planned.kind === 'focus') return []
    return [
      {
        kind: 'outside_hours',
        events: [planned],
        starts_at: planned.start,
        suggestion: 'Outside your working hours: find another time with find_meeting_time.',
      },
    ]
  })
}

const fold = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** Place that an event requires travel to; undefined if its location is a link or a telephone number. */
export function physicalPlace(location: string | null): string | undefined {
  const text = location?.trim() ?? ''
  if (
    text === '' ||
    /^(https?:\/\/|tel:)/i.test(text) ||
    /^(online|remote|video|zoom|google meet|microsoft teams|teams|phone|telephone|call|tbd|tba)\b/i.test(
      text,
    )
  )
    return undefined
  return text.slice(0, 100)
}
