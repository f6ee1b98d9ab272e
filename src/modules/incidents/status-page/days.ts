import { addDays, dayAt, instant } from '../../../kernel/time/times.ts'
import type { IntervalState, Outage, ServiceState, StatusInterval } from './access.ts'

/** Days that the history of a service goes back, and that its uptime is of. */
export const historyDays = 90
/**
 * Share of a state's duration that counts as downtime: 30 % for a partial outage, as is usual on status pages.
 * Degraded service and maintenance do not count.
 */
const weights: Partial<Record<IntervalState, number>> = { major_outage: 1, partial_outage: 0.3 }
/** Worst first. */
const worstFirst = [
  'major_outage',
  'partial_outage',
  'degraded',
  'maintenance',
] as const satisfies readonly IntervalState[]

/** A day in the calendar of the organization. */
export interface CalendarDay extends StatusInterval {
  date: string
}

/** The days up to today, as they begin and end in a zone. */
export function statusCalendar(now: number, zone: string, count = historyDays): CalendarDay[] {
  const today = dayAt(now, zone)
  return Array.from({ length: count }, (_, i) => addDays(today, i - count + 1)).map((date) => ({
    date,
    from: instant(date, zone, 'start'),
    to: instant(addDays(date, 1), zone, 'start'),
  }))
}

export interface DayOfService {
  date: string
  /** The worst that the service was in on this day. */
  state: ServiceState
  /** Percent of the part of the day that has passed. */
  uptime: number
  /** In a major or a partial outage, rounded up: 0 is said only of a day without one. */
  outage_minutes: number
}

export interface History {
  /** Percent over all days, or since the service was registered. */
  uptime: number
  /** Days since the service was registered. */
  days: DayOfService[]
}

/** The history of one service, by the outages of its days. */
export function historyOf(
  calendarDays: readonly CalendarDay[],
  outages: readonly Outage[],
  createdAt: number,
  now: number,
): History {
  const byDay = new Map(outages.map((outage) => [outage.n, outage]))
  let up = 0
  let down = 0
  const days = calendarDays.flatMap(({ date, from, to }, n): DayOfService[] => {
    if (to <= createdAt) return []
    const outage = byDay.get(n)
    const passed = Math.max(1, Math.min(to, now) - Math.max(from, createdAt))
    const lost = Math.min(
      passed,
      worstFirst.reduce((sum, state) => sum + (weights[state] ?? 0) * (outage?.[state] ?? 0), 0),
    )
    up += passed
    down += lost
    const minutes = Math.ceil(
      ((outage?.major_outage ?? 0) + (outage?.partial_outage ?? 0)) / 60_000,
    )
    return [
      {
        date,
        state: worstFirst.find((state) => (outage?.[state] ?? 0) > 0) ?? 'operational',
        uptime: percent(passed, lost),
        outage_minutes: minutes,
      },
    ]
  })
  return { uptime: percent(up, down), days }
}

/** In thousandths, rounded down: 100 is said only of what was never down. */
function percent(passed: number, lost: number): number {
  return passed === 0 ? 100 : Math.floor((1 - lost / passed) * 100_000) / 1000
}

/** The state of the whole: the worst of its services. */
export function overallOf(states: readonly ServiceState[]): ServiceState {
  return worstFirst.find((state) => states.includes(state)) ?? 'operational'
}
