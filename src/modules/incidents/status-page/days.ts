import { addDays, dayAt, parseInstant } from '../../../kernel/time/times.ts'
import type { IntervalState, Outage, ServiceState, StatusInterval } from './access.ts'

/** Days of a service's history and uptime. */
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

/** A day in the organization's calendar. */
export interface CalendarDay extends StatusInterval {
  date: string
}

/** The days up to today with their start and end in a zone. */
export function statusCalendar(now: number, zone: string, count = historyDays): CalendarDay[] {
  const today = dayAt(now, zone)
  return Array.from({ length: count }, (_, i) => addDays(today, i - count + 1)).map((date) => ({
    date,
    from: parseInstant(date, zone, 'start'),
    to: parseInstant(addDays(date, 1), zone, 'start'),
  }))
}

export interface ServiceDay {
  date: string
  /** Worst state of the service on this day. */
  state: ServiceState
  /** Percentage of the elapsed part of the day. */
  uptime: number
  /** Minutes in a major or partial outage, rounded up: 0 only without one. */
  outage_minutes: number
}

export interface ServiceHistory {
  /** Percentage over all days, or since the service was registered. */
  uptime: number
  /** Days since the service was registered. */
  days: ServiceDay[]
}

/** One service's history, from its outages by day. */
export function historyOf(
  calendarDays: readonly CalendarDay[],
  outages: readonly Outage[],
  createdAt: number,
  now: number,
): ServiceHistory {
  const byDay = new Map(outages.map((outage) => [outage.n, outage]))
  let totalElapsed = 0
  let totalDowntime = 0
  const days = calendarDays.flatMap(({ date, from, to }, n): ServiceDay[] => {
    if (to <= createdAt) return []
    const outage = byDay.get(n)
    const elapsed = Math.max(1, Math.min(to, now) - Math.max(from, createdAt))
    const downtime = Math.min(
      elapsed,
      worstFirst.reduce((sum, state) => sum + (weights[state] ?? 0) * (outage?.[state] ?? 0), 0),
    )
    totalElapsed += elapsed
    totalDowntime += downtime
    const minutes = Math.ceil(
      ((outage?.major_outage ?? 0) + (outage?.partial_outage ?? 0)) / 60_000,
    )
    return [
      {
        date,
        state: worstFirst.find((state) => (outage?.[state] ?? 0) > 0) ?? 'operational',
        uptime: percent(elapsed, downtime),
        outage_minutes: minutes,
      },
    ]
  })
  return { uptime: percent(totalElapsed, totalDowntime), days }
}

/** Rounded down to thousandths: 100 only without downtime. */
function percent(passed: number, lost: number): number {
  return passed === 0 ? 100 : Math.floor((1 - lost / passed) * 100_000) / 1000
}

/** The overall state: the worst of all services. */
export function overallOf(states: readonly ServiceState[]): ServiceState {
  return worstFirst.find((state) => states.includes(state)) ?? 'operational'
}
