import { Temporal } from 'temporal-polyfill'
import { causeKey } from '../incidents/causes.ts'

/** Columns of an incident that the metrics use; times in milliseconds. */
export interface MeasuredIncident {
  id: string
  severity: string
  detected_at: number
  opened_at: number
  first_acknowledged_at: number | null
  resolved_at: number | null
  cause: string | null
}

export interface Figures {
  count: number
  /** Minutes; null if there is nothing to measure. */
  mtta: number | null
  mttr: number | null
}

/**
 * Time to acknowledge: from declaration to the first acknowledgement. Time to resolve: from noticing to resolution,
 * the last one if reopened. Means over acknowledged and resolved incidents, respectively.
 */
export function figuresOf(incidents: readonly MeasuredIncident[]): Figures {
  return {
    count: incidents.length,
    mtta: mean(
      incidents.flatMap((measured) =>
        measured.first_acknowledged_at === null
          ? []
          : [measured.first_acknowledged_at - measured.opened_at],
      ),
    ),
    mttr: mean(
      incidents.flatMap((measured) =>
        measured.resolved_at === null ? [] : [measured.resolved_at - measured.detected_at],
      ),
    ),
  }
}

/** Mean of durations in milliseconds, returned in minutes with two decimal places. */
function mean(durations: readonly number[]): number | null {
  if (durations.length === 0) return null
  return Math.round(durations.reduce((sum, span) => sum + span, 0) / durations.length / 600) / 100
}

/** Causes shared by several incidents, most frequent first, in the wording of the newest. */
export function repeatedCauses(
  incidents: readonly MeasuredIncident[],
): { cause: string; ids: string[] }[] {
  const byCause = Map.groupBy(
    incidents.filter((measured) => measured.cause !== null && causeKey(measured.cause) !== ''),
    (measured) => causeKey(measured.cause!),
  )
  return [...byCause.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted((a, b) => b.opened_at - a.opened_at || (a.id < b.id ? 1 : -1)))
    .map((group) => ({ cause: group[0]!.cause!, ids: group.map((measured) => measured.id) }))
    .sort((a, b) => b.ids.length - a.ids.length || (causeKey(a.cause) < causeKey(b.cause) ? -1 : 1))
}

/** The local month of these moments, `2026-11`; the start of each month is computed once. */
export function monthNamer(zone: string, moments: readonly number[]): (at: number) => string {
  const [first, last] = moments.reduce(
    ([min, max], at) => [Math.min(min, at), Math.max(max, at)],
    [Infinity, -Infinity],
  )
  const starts: { at: number; name: string }[] = []
  if (moments.length === 0) return () => ''
  let month = Temporal.Instant.fromEpochMilliseconds(first)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toPlainYearMonth()
  for (; (starts.at(-1)?.at ?? -Infinity) <= last; month = month.add({ months: 1 })) {
    starts.push({
      at: month.toPlainDate({ day: 1 }).toZonedDateTime(zone).epochMilliseconds,
      name: month.toString(),
    })
  }
  return (at) => starts.findLast((start) => start.at <= at)!.name
}
