const dayLong = 86_400_000

/** Days counted from the one of a moment, as `2026-11-20`: where the clock is the real one, a test names no date that goes by. */
export function daysFrom(now: number): (days: number) => string {
  return (days) => new Date(now + days * dayLong).toISOString().slice(0, 10)
}

/** The quarter of a moment, as goals name it. */
export function quarterOf(now: number): string {
  const at = new Date(now)
  return `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`
}
