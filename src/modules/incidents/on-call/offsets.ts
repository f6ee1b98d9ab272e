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
  const cut = years
    .flatMap((year) => ofYear(zone, year))
    .map((offsetRange) => ({
      ...offsetRange,
      from: Math.max(from, offsetRange.from),
      until: Math.min(until, offsetRange.until),
    }))
  return cut.filter((item) => item.from < item.until).reduce<OffsetRange[]>(mergeOffset, [])
}

function mergeOffset(done: OffsetRange[], next: OffsetRange): OffsetRange[] {
  const last = done.at(-1)
  if (last?.offset === next.offset) last.until = next.until
  else done.push({ ...next })
  return done
}

const yearOf = (at: number) => new Date(at).getUTCFullYear()

function ofYear(zone: string, year: number): OffsetRange[] {
  const key = `${zone} ${year}`
  let ranges = rangeCache.get(key)
  if (!ranges) {
    ranges = looked(zone, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1))
    if (rangeCache.size >= maxCached) rangeCache.clear()
    rangeCache.set(key, ranges)
  }
  return ranges
}

function looked(zone: string, from: number, until: number): OffsetRange[] {
  const ranges: OffsetRange[] = []
  for (let at = from; at < until; ) {
    const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
    const next = Math.min(here.getTimeZoneTransition('next')?.epochMilliseconds ?? until, until)
    ranges.push({ from: at, until: next, offset: here.offsetNanoseconds / 1e6 })
    at = next
  }
  return ranges
}
