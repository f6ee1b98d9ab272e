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

const ms = (at: string) => new Date(at).getTime()

/** Position of a range in a period, in percent of its length; undefined if it is outside. */
export function rotaBarOf(
  period: RotaRange,
  { from, to }: RotaRange,
): { start: number; width: number } | undefined {
  const [begin, end] = [ms(period.from), ms(period.to)]
  const [first, last] = [Math.max(begin, ms(from)), Math.min(end, ms(to))]
  if (last <= first) return undefined
  const share = (length: number) => (length / (end - begin)) * 100
  return { start: share(first - begin), width: share(last - first) }
}

/** The next shift of the same level. */
export function shiftAfter<S extends ShiftTimes>(
  shifts: readonly S[],
  { level, ends_at }: ShiftTimes,
): S | undefined {
  return shifts
    .filter((shift) => shift.level === level && ms(shift.starts_at) >= ms(ends_at))
    .toSorted((a, b) => ms(a.starts_at) - ms(b.starts_at))[0]
}

export const totalHours = (stretches: readonly RotaRange[]): number =>
  stretches.reduce((sum, { from, to }) => sum + (ms(to) - ms(from)), 0) / 3_600_000
