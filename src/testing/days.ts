const dayLong = 86_400_000

/** Dates relative to a moment, such as `2026-11-20`: tests with the real clock must not contain fixed dates. */
export function daysFrom(now: number): (days: number) => string {
  return (days) => new Date(now + days * dayLong).toISOString().slice(0, 10)
}

/** The quarter of a moment, in the notation of goals. */
export function quarterOf(now: number): string {
  const at = new Date(now)
  return `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`
}
