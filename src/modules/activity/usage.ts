import { dayAt } from '../../kernel/time/times.ts'
import type { CallTally } from './calls/access-calls.ts'

export interface GroupUsage {
  key: string
  calls: number
  errors: number
  /** 95th percentile of call durations, in milliseconds. */
  p95_ms: number
}

/** Tallies summed by group, busiest first (days in order). */
export function usageBy(
  tallies: readonly CallTally[],
  keyOf: (tally: CallTally) => string,
  order: 'calls' | 'key',
): GroupUsage[] {
  const groups = new Map<string, CallTally[]>()
  for (const tally of tallies) {
    const key = keyOf(tally)
    const group = groups.get(key)
    if (group) group.push(tally)
    else groups.set(key, [tally])
  }
  const usage = [...groups].map(([key, group]) => ({
    key,
    calls: sum(group),
    errors: sum(group.filter((callTally) => callTally.status !== 'ok')),
    p95_ms: percentile(group, 0.95),
  }))
  return usage.sort((a, b) => (order === 'calls' && b.calls - a.calls) || (a.key < b.key ? -1 : 1))
}

export function sum(tallies: readonly CallTally[]): number {
  return tallies.reduce((total, tally) => total + tally.count, 0)
}

/** The smallest duration not exceeded by at least this share of calls (nearest rank). */
export function percentile(tallies: readonly CallTally[], share: number): number {
  const rank = Math.ceil(sum(tallies) * share)
  let seen = 0
  for (const { ms, count } of [...tallies].sort((a, b) => a.ms - b.ms)) {
    seen += count
    if (seen >= rank) return ms
  }
  return 0
}

const quarter = 900_000

/** The local day of a quarter-hour; days start on one in every time zone. */
export function dayOfQuarter(group: string | number, zone: string): string {
  return dayAt(Number(group) * quarter, zone)
}
