import { omitNullish } from '../../../kernel/present.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { ClosedSum, OpenSum } from './access.ts'
import { weightOf } from './stages.ts'
import { moneyOf, type Money } from './money.ts'

export interface Slice {
  count: number
  value: Money
  weighted: Money
}

/** Open deals by stage: those of the organization in order, empty ones too, then those that deals have from before. */
export function byStage(
  stages: readonly string[],
  open: readonly OpenSum[],
): ({ stage: string; weight: number } & Slice)[] {
  const former = [...new Set(open.map((openSum) => openSum.stage))]
    .filter((stage) => !stages.includes(stage))
    .sort()
  return [...stages, ...former].map((stage) => ({
    stage,
    weight: Math.round(weightOf(stages, stage) * 100) / 100,
    ...sliceOf(
      stages,
      open.filter((openSum) => openSum.stage === stage),
    ),
  }))
}

/** Open deals by the month in which they are expected to close, then overdue and undated ones; what there is none of is left out. */
export function forecastOf(
  stages: readonly string[],
  open: readonly OpenSum[],
): Record<string, Slice> {
  return Object.fromEntries(
    [...new Set(open.map((openSum) => openSum.month))].sort().map((month) => [
      month,
      sliceOf(
        stages,
        open.filter((openSum) => openSum.month === month),
      ),
    ]),
  )
}

function sliceOf(stages: readonly string[], sums: readonly OpenSum[]): Slice {
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

/** Closed deals: the win rate is won of won and lost; the cycle is that of won ones, from being made to being won. */
export function dealOutcomeOf(closed: readonly ClosedSum[]): DealOutcome {
  const totalsFor = (status: 'won' | 'lost') => {
    const sums = closed.filter((closedSum) => closedSum.status === status)
    return { count: sums.reduce((total, sum) => total + sum.count, 0), value: moneyOf(sums) }
  }
  const [won, lost] = [totalsFor('won'), totalsFor('lost')]
  const lasted = closed
    .filter((closedSum) => closedSum.status === 'won')
    .reduce((total, closedSum) => total + closedSum.lasted, 0)
  return omitNullish({
    won,
    lost,
    win_rate:
      won.count + lost.count === 0
        ? undefined
        : Math.round((won.count / (won.count + lost.count)) * 1000) / 1000,
    average_cycle_days:
      won.count === 0 ? undefined : Math.round((lasted / won.count / dayLength) * 10) / 10,
  })
}
