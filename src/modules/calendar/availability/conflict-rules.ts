import { covers, touches, type TimeSpan } from './spans.ts'
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

export interface Clash {
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
const way = 30 * minute

/**
 * Finds conflicts in a calendar, in chronological order. `hours`: working hours, without days off; `away`: days of
 * absence. Both merged.
 */
export function clashes(
  planned: readonly Planned[],
  hours: readonly TimeSpan[],
  away: readonly TimeSpan[],
): Clash[] {
  const timed = planned
    .filter((item) => !item.isAllDay && item.kind !== 'out_of_office' && item.end > item.start)
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1))
  const conflicts = [
    ...overlaps(timed),
    ...runs(timed),
    ...ways(timed),
    ...aside(timed, hours, away),
  ]
  return conflicts.sort(
    (a, b) =>
      a.starts_at - b.starts_at ||
      compareText(a.kind, b.kind) ||
      compareText(a.events[0]!.id, b.events[0]!.id),
  )
}

function overlaps(timed: readonly Planned[]): Clash[] {
  return timed.flatMap((planned, i) => {
    const conflicts: Clash[] = []
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
function runs(timed: readonly Planned[]): Clash[] {
  const conflicts: Clash[] = []
  let run: Planned[] = []
  let end = -Infinity
  const close = () => {
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
      close()
      run = []
    }
    run.push(planned)
    end = run.length === 1 ? planned.end : Math.max(end, planned.end)
  }
  close()
  return conflicts
}

/** Two places with too little time in between. */
function ways(timed: readonly Planned[]): Clash[] {
  const placed = timed.filter((planned) => planned.place !== undefined)
  return placed.flatMap((planned, i) => {
    const next = placed[i + 1]
    if (
      !next ||
      next.start < planned.end ||
      next.start - planned.end >= way ||
      fold(next.place!) === fold(planned.place!)
    )
      return []
    const left = Math.round((next.start - planned.end) / minute)
    return [
      {
        kind: 'travel' as const,
        events: [planned, next],
        starts_at: planned.end,
        suggestion: `${quantity(left, 'minute')} from ${planned.place} to ${next.place}: join one of them by video, or leave time to travel.`,
      },
    ]
  })
}

function aside(
  timed: readonly Planned[],
  hours: readonly TimeSpan[],
  away: readonly TimeSpan[],
): Clash[] {
  return timed.flatMap((planned): Clash[] => {
    if (touches(away, planned))
      return [
        {
          kind: 'time_off',
          events: [planned],
          starts_at: planned.start,
          suggestion: 'You are away: decline it, or find another day.',
        },
      ]
    if (covers(hours, planned) || planned.kind === 'focus') return []
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
export function placeToGo(location: string | null): string | undefined {
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
