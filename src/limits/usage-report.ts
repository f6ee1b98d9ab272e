// Usage report for the last days, from the call log: by day, key, tool and outcome.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
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

export interface ReportOptions {
  org: Id<'orgs'>
  /** Limits the report to one person. */
  person?: Id<'users'> | undefined
  now: number
  /** Number of days, including today. */
  days: number
  /** Whether a tool is an operation; the web app's other calls are not. */
  isOperation: (tool: string) => boolean
}

interface CountRow {
  key_id: string | null
  transport: string
  tool: string
  status: 'ok' | 'error' | 'denied'
  calls: number
}

/** Counts by person and day, in small indexed queries, so that others get their turn in between. */
export async function usageReport(
  store: Store,
  { org, person, now, days, isOperation }: ReportOptions,
): Promise<UsageReport> {
  const db = store.read
  const { default_timezone: timezone } = await db
    .selectFrom('orgs')
    .select('default_timezone')
    .where('id', '=', org)
    .executeTakeFirstOrThrow()
  const today = dayAt(now, timezone)
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
      ...[id, instantOfMinute(dates[0]!, 0, timezone)],
    )
    const since = first?.at ?? null
    if (since === null) continue
    for (const day of dates) {
      const end = instantOfMinute(day, 1440, timezone)
      if (end <= since) continue
      const rows = await db.all<CountRow>(
        'SELECT key_id, transport, tool, status, count(*) AS calls FROM calls WHERE actor_id = ? AND at >= ? AND at < ? GROUP BY key_id, transport, tool, status',
        ...[id, instantOfMinute(day, 0, timezone), end],
      )
      for (const row of rows) if (isOperation(row.tool)) sums.add(day, row)
      await yieldToEventLoop()
    }
  }
  return {
    ...sums.all,
    timezone,
    days: dates.map((day) => sums.day(day)),
    ...sums.groups(),
  }
}

class Sums {
  readonly all = emptyTally()
  readonly #days = new Map<string, Tally>()
  readonly #keysOfDays = new Map<string, Map<string | null, Tally>>()
  readonly #keys = new Map<string | null, Tally>()
  readonly #tools = new Map<string, Tally>()
  readonly #transports = new Map<string, Tally>()

  add(day: string, row: CountRow): void {
    let keys = this.#keysOfDays.get(day)
    if (!keys) this.#keysOfDays.set(day, (keys = new Map()))
    for (const tally of [
      this.all,
      tallyOf(this.#days, day),
      tallyOf(keys, row.key_id),
      tallyOf(this.#keys, row.key_id),
      tallyOf(this.#tools, row.tool),
      tallyOf(this.#transports, row.transport),
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
    return { day, ...(this.#days.get(day) ?? emptyTally()), by_key: keys.sort(byCallsDescending) }
  }

  groups(): Pick<UsageReport, 'by_key' | 'by_tool' | 'by_transport'> {
    return {
      by_key: [...this.#keys]
        .map(([key_id, tally]) => ({ key_id, ...tally }))
        .sort(byCallsDescending),
      by_tool: [...this.#tools]
        .map(([tool, tally]) => ({ tool, ...tally }))
        .sort(byCallsDescending),
      by_transport: [...this.#transports]
        .map(([transport, tally]) => ({ transport, ...tally }))
        .sort(byCallsDescending),
    }
  }
}

function tallyOf<K>(map: Map<K, Tally>, key: K): Tally {
  let tally = map.get(key)
  if (!tally) map.set(key, (tally = emptyTally()))
  return tally
}

function emptyTally(): Tally {
  return { calls: 0, errors: 0, denied: 0 }
}

function byCallsDescending(a: { calls: number }, b: { calls: number }): number {
  return b.calls - a.calls
}
