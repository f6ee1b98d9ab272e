// Usage report for the last days, from the call log: by day, key, tool and outcome.

import { setImmediate as turn } from 'node:timers/promises'
import type { Id } from '../kernel/ids.ts'
import { addDays, dayAt, instantOfMinute } from '../kernel/time/times.ts'
import type { Store } from '../db/open.ts'

/** Calls, and how many failed or were denied. */
interface Tally {
  calls: number
  errors: number
  denied: number
}

export interface UsageReport extends Tally {
  timezone: string
  days: (Tally & { day: string; by_key: { key_id: string | null; calls: number }[] })[]
  /** By key; null: signed in, at the command line, or internal. Busiest first, like the others. */
  by_key: (Tally & { key_id: string | null })[]
  by_tool: (Tally & { tool: string })[]
  by_transport: (Tally & { transport: string })[]
}

export interface ReportOf {
  org: Id<'orgs'>
  /** Limits the report to one person. */
  person?: Id<'users'> | undefined
  now: number
  /** Number of days, including today. */
  days: number
  /** Whether a tool is an operation; the web app's other calls are not. */
  isOperation: (tool: string) => boolean
}

interface Counted {
  key_id: string | null
  transport: string
  tool: string
  status: 'ok' | 'error' | 'denied'
  calls: number
}

/** Counts by person and day, in small indexed queries, so that others get their turn in between. */
export async function usageReport(
  store: Store,
  { org, person, now, days, isOperation }: ReportOf,
): Promise<UsageReport> {
  const db = store.read
  const { default_timezone: zone } = await db
    .selectFrom('orgs')
    .select('default_timezone')
    .where('id', '=', org)
    .executeTakeFirstOrThrow()
  const today = dayAt(now, zone)
  const dates = Array.from({ length: days }, (_, i) => addDays(today, i + 1 - days))
  const people =
    person === undefined
      ? (await db.selectFrom('users').select('id').where('org_id', '=', org).execute()).map(
          (row) => row.id,
        )
      : [person]
  const sums = new Sums()
  for (const id of people) {
    const first = await db.one<{ at: number | null }>(
      'SELECT min(at) AS at FROM calls WHERE actor_id = ? AND at >= ?',
      ...[id, instantOfMinute(dates[0]!, 0, zone)],
    )
    const since = first?.at ?? null
    if (since === null) continue
    for (const day of dates) {
      const end = instantOfMinute(day, 1440, zone)
      if (end <= since) continue
      const counted = await db.all<Counted>(
        'SELECT key_id, transport, tool, status, count(*) AS calls FROM calls WHERE actor_id = ? AND at >= ? AND at < ? GROUP BY key_id, transport, tool, status',
        ...[id, instantOfMinute(day, 0, zone), end],
      )
      for (const row of counted) if (isOperation(row.tool)) sums.add(day, row)
      await turn()
    }
  }
  return { ...sums.all, timezone: zone, days: dates.map((day) => sums.day(day)), ...sums.groups() }
}

class Sums {
  readonly all = nothing()
  readonly #days = new Map<string, Tally>()
  readonly #keysOfDays = new Map<string, Map<string | null, Tally>>()
  readonly #keys = new Map<string | null, Tally>()
  readonly #tools = new Map<string, Tally>()
  readonly #transports = new Map<string, Tally>()

  add(day: string, row: Counted): void {
    let keys = this.#keysOfDays.get(day)
    if (!keys) this.#keysOfDays.set(day, (keys = new Map()))
    for (const tally of [
      this.all,
      of(this.#days, day),
      of(keys, row.key_id),
      of(this.#keys, row.key_id),
      of(this.#tools, row.tool),
      of(this.#transports, row.transport),
    ]) {
      tally.calls += row.calls
      if (row.status === 'error') tally.errors += row.calls
      if (row.status === 'denied') tally.denied += row.calls
    }
  }

  day(day: string): UsageReport['days'][number] {
    const keys = [...(this.#keysOfDays.get(day) ?? [])].map(([key_id, { calls }]) => ({
      key_id,
      calls,
    }))
    return { day, ...(this.#days.get(day) ?? nothing()), by_key: keys.sort(busiest) }
  }

  groups(): Pick<UsageReport, 'by_key' | 'by_tool' | 'by_transport'> {
    return {
      by_key: [...this.#keys].map(([key_id, tally]) => ({ key_id, ...tally })).sort(busiest),
      by_tool: [...this.#tools].map(([tool, tally]) => ({ tool, ...tally })).sort(busiest),
      by_transport: [...this.#transports]
        .map(([transport, tally]) => ({ transport, ...tally }))
        .sort(busiest),
    }
  }
}

function of<K>(map: Map<K, Tally>, key: K): Tally {
  let tally = map.get(key)
  if (!tally) map.set(key, (tally = nothing()))
  return tally
}

function nothing(): Tally {
  return { calls: 0, errors: 0, denied: 0 }
}

function busiest(a: { calls: number }, b: { calls: number }): number {
  return b.calls - a.calls
}
