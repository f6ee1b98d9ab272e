/** A time range between two moments. */
export interface RotaRange {
  from: string
  to: string
}

interface ShiftTimes {
  level: number
  starts_at: string
  ends_at: string
}

const toMs = (timestamp: string) => new Date(timestamp).getTime()

/** Position of a range in a period, in percent of its length; undefined if it is outside. */
export function rotaBarOf(
  period: RotaRange,
  { from, to }: RotaRange,
): { start: number; width: number } | undefined {
  const [begin, end] = [toMs(period.from), toMs(period.to)]
  const [clippedStart, clippedEnd] = [Math.max(begin, toMs(from)), Math.min(end, toMs(to))]
  if (clippedEnd <= clippedStart) return undefined
  const share = (length: number) => (length / (end - begin)) * 100
  return { start: share(clippedStart - begin), width: share(clippedEnd - clippedStart) }
}

/** The next shift of the same level. */
export function shiftAfter<S extends ShiftTimes>(
  shifts: readonly S[],
  { level, ends_at }: ShiftTimes,
): S | undefined {
  return shifts
    .filter((shift) => shift.level === level && toMs(shift.starts_at) >= toMs(ends_at))
    .toSorted((a, b) => toMs(a.starts_at) - toMs(b.starts_at))[0]
}

export const totalHours = (ranges: readonly RotaRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + (toMs(to) - toMs(from)), 0) / 3_600_000
