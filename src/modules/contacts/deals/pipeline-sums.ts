import { omitNullish } from '../../../kernel/present.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { ClosedSum, OpenSum } from './access.ts'
import { weightOf } from './stages.ts'
import { moneyOf, type Money } from './money.ts'

export interface DealGroup {
  count: number
  value: Money
  weighted: Money
}

/** Open deals by stage: the organization's stages in order, including empty ones, then removed stages that deals still have. */
export function byStage(
  stages: readonly string[],
  open: readonly OpenSum[],
): ({ stage: string; weight: number } & DealGroup)[] {
  const removedStages = [...new Set(open.map((openSum) => openSum.stage))]
    .filter((stage) => !stages.includes(stage))
    .sort()
  return [...stages, ...removedStages].map((stage) => ({
    stage,
    weight: Math.round(weightOf(stages, stage) * 100) / 100,
    ...dealGroupOf(
      stages,
      open.filter((openSum) => openSum.stage === stage),
    ),
  }))
}

/** Open deals by the month in which they are expected to close, then overdue and undated ones; empty groups are omitted. */
export function forecastOf(
  stages: readonly string[],
  open: readonly OpenSum[],
): Record<string, DealGroup> {
  return Object.fromEntries(
    [...new Set(open.map((openSum) => openSum.month))].sort().map((month) => [
      month,
      dealGroupOf(
        stages,
        open.filter((openSum) => openSum.month === month),
      ),
    ]),
  )
}

function dealGroupOf(stages: readonly string[], sums: readonly OpenSum[]): DealGroup {
  return {
    count: sums.reduce((total, sum) => total + sum.count, 0),
    value: moneyOf(sums),
    weighted: moneyOf(sums.map((sum) => ({ ...sum, share: weightOf(stages, sum.stage) }))),
  }
}

export interface DealOutcome {
  won: { count: number; value: Money }
  lost: { count: number; value: Money }
  win_rate?: number
  average_cycle_days?: number
}

/** Figures of closed deals. Win rate: won / (won + lost). Cycle: time from creation to win of the won deals. */
export function dealOutcomeOf(closed: readonly ClosedSum[]): DealOutcome {
  const totalsFor = (status: 'won' | 'lost') => {
    const sums = closed.filter((closedSum) => closedSum.status === status)
    return { count: sums.reduce((total, sum) => total + sum.count, 0), value: moneyOf(sums) }
  }
  const [won, lost] = [totalsFor('won'), totalsFor('lost')]
  const totalDurationMs = closed
    .filter((closedSum) => closedSum.status === 'won')
    .reduce((total, closedSum) => total + closedSum.totalDurationMs, 0)
  return omitNullish({
    won,
    lost,
    win_rate:
      won.count + lost.count === 0
        ? undefined
        : Math.round((won.count / (won.count + lost.count)) * 1000) / 1000,
    average_cycle_days:
      won.count === 0 ? undefined : Math.round((totalDurationMs / won.count / dayLength) * 10) / 10,
  })
}
