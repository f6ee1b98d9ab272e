import { Temporal } from 'temporal-polyfill'

/** A period with a constant UTC offset in a zone, end exclusive. In milliseconds. */
export interface OffsetRange {
  from: number
  until: number
  offset: number
}

const rangeCache = new Map<string, OffsetRange[]>()
const maxCached = 2000

/** The constant-offset ranges of a zone within a period. */
export function offsets(zone: string, from: number, until: number): OffsetRange[] {
  if (from >= until) return []
  const years = Array.from(
    { length: yearOf(until - 1) - yearOf(from) + 1 },
    (_, i) => yearOf(from) + i,
  )
  const clipped = years
    .flatMap((year) => rangesOfYear(zone, year))
    .map((offsetRange) => ({
      ...offsetRange,
      from: Math.max(from, offsetRange.from),
      until: Math.min(until, offsetRange.until),
    }))
  return clipped.filter((item) => item.from < item.until).reduce<OffsetRange[]>(mergeOffset, [])
}

function mergeOffset(merged: OffsetRange[], next: OffsetRange): OffsetRange[] {
  const last = merged.at(-1)
  if (last?.offset === next.offset) last.until = next.until
  else merged.push({ ...next })
  return merged
}

const yearOf = (at: number) => new Date(at).getUTCFullYear()

function rangesOfYear(zone: string, year: number): OffsetRange[] {
  const key = `${zone} ${year}`
  let ranges = rangeCache.get(key)
  if (!ranges) {
    ranges = computeRanges(zone, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1))
    if (rangeCache.size >= maxCached) rangeCache.clear()
    rangeCache.set(key, ranges)
  }
  return ranges
}

function computeRanges(zone: string, from: number, until: number): OffsetRange[] {
  const ranges: OffsetRange[] = []
  for (let at = from; at < until; ) {
    const localTime = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
    const next = Math.min(
      localTime.getTimeZoneTransition('next')?.epochMilliseconds ?? until,
      until,
    )
    ranges.push({ from: at, until: next, offset: localTime.offsetNanoseconds / 1e6 })
    at = next
  }
  return ranges
}
