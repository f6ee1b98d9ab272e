import type { Row } from '../../../records/resource.ts'
import { elapsedShare } from './periods.ts'

type Measured = Pick<Row<'key_results'>, 'start_value' | 'current_value' | 'target_value'>

/** Percentage points by which progress may lag behind the elapsed share of the period. */
const maxLag = 20

/** Progress of a key result from start to target, 0 to 100; targets below the start work the same way. */
export function measuredProgress({ start_value, current_value, target_value }: Measured): number {
  return roundPercent(clamped(((current_value - start_value) / (target_value - start_value)) * 100))
}

export function isReached(measured: Measured): boolean {
  return measured.target_value > measured.start_value
    ? measured.current_value >= measured.target_value
    : measured.current_value <= measured.target_value
}

/** The mean of several values, 0 to 100; undefined if there are none. */
export function mean(all: readonly number[]): number | undefined {
  return all.length === 0
    ? undefined
    : roundPercent(all.reduce((sum, value) => sum + value, 0) / all.length)
}

/**
 * Whether an active goal is at risk: low confidence at the last check-in, or progress more than 20 points behind the
 * elapsed share of the period. Without measures, only confidence counts.
 */
export function isAtRisk(
  goal: {
    status: string
    period: string
    confidence: string | undefined
    measured: number | undefined
  },
  now: number,
): boolean {
  if (goal.status !== 'active') return false
  if (goal.confidence === 'low') return true
  return (
    goal.measured !== undefined && elapsedShare(goal.period, now) * 100 - goal.measured > maxLag
  )
}

function clamped(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}

/** Never rounded up to 100: below target is not reached. */
function roundPercent(percent: number): number {
  const rounded = Math.round(percent * 10) / 10
  return rounded === 100 && percent < 100 ? 99.9 : rounded
}
