import { invalid } from '../../../kernel/refusal.ts'

const periodPattern = /^(20\d{2})(?:-(?:Q([1-4])|H([12])|(0[1-9]|1[0-2])))?$/

/** The first month of a period (0 = January) and its number of months. */
interface Span {
  year: number
  month: number
  months: number
}

function goalPeriodSpan(period: string): Span | undefined {
  const [, year, quarter, half, month] = periodPattern.exec(period) ?? []
  if (year === undefined) return undefined
  const span = (start: number, months: number) => ({ year: Number(year), month: start, months })
  if (quarter !== undefined) return span((Number(quarter) - 1) * 3, 3)
  if (half !== undefined) return span((Number(half) - 1) * 6, 6)
  return month === undefined ? span(0, 12) : span(Number(month) - 1, 1)
}

/**
 * A period in stored form: 2026, 2026-H2, 2026-Q4 or 2026-11.
 * @throws Refusal invalid_argument for any other format
 */
export function readPeriod(text: string, field = 'period'): string {
  const period = text.trim().toUpperCase()
  if (goalPeriodSpan(period)) return period
  throw invalid(
    field,
    `${JSON.stringify(text)} is not a period.`,
    'Send a year, half, quarter or month: 2026, 2026-H2, 2026-Q4 or 2026-11.',
  )
}

/** The first and the last day of a period. */
export function periodDays(period: string): { first: string; last: string } {
  const { year, month, months } = goalPeriodSpan(period)!
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { first: day(Date.UTC(year, month, 1)), last: day(Date.UTC(year, month + months, 0)) }
}

/** Elapsed share of a period at a moment, 0 to 1; its days begin and end in UTC. */
export function elapsedShare(period: string, now: number): number {
  const { year, month, months } = goalPeriodSpan(period)!
  const start = Date.UTC(year, month, 1)
  const end = Date.UTC(year, month + months, 1)
  return Math.min(1, Math.max(0, (now - start) / (end - start)))
}
