import type { DealRow } from './data.ts'

/** A column of the pipeline: the open deals of a stage, or recently closed ones. */
export interface DealColumn {
  key: string
  kind: 'stage' | 'won' | 'lost'
  ids: readonly string[]
  /** Total value of its deals, by currency. */
  value: Readonly<Record<string, number>>
}

const maxClosedDays = 90
const dayMs = 86_400_000

/**
 * The pipeline columns: the organization's stages, former stages still used by deals, and recently won and lost ones.
 */
export function pipelineColumns(
  deals: readonly DealRow[],
  stages: readonly string[],
  now: number,
): DealColumn[] {
  const open = deals.filter(({ status }) => status === 'open')
  const formerStages = [...new Set(open.map(({ stage }) => stage))]
    .filter((stage) => !stages.includes(stage))
    .sort()
  const recentlyClosed = (status: 'won' | 'lost') =>
    deals.filter(
      (deal) =>
        deal.status === status && Date.parse(deal.closed_at ?? '') > now - maxClosedDays * dayMs,
    )
  return [
    ...[...stages, ...formerStages].map((stage) =>
      columnOf(
        `stage ${stage}`,
        'stage',
        open.filter((deal) => deal.stage === stage),
      ),
    ),
    columnOf('won', 'won', recentlyClosed('won')),
    columnOf('lost', 'lost', recentlyClosed('lost')),
  ]
}

/** The stage of a column. */
export const stageOf = ({ key }: DealColumn) => key.slice('stage '.length)

function columnOf(key: string, kind: DealColumn['kind'], deals: readonly DealRow[]): DealColumn {
  const ids = deals
    .toSorted(kind === 'stage' ? compareCloseDay : compareClosedAt)
    .map(({ id }) => id)
  return { key, kind, ids, value: dealValue(deals) }
}

/** Earliest expected close first, then deals without one, newest first. */
const compareCloseDay = (a: DealRow, b: DealRow) =>
  (a.expected_close_on ?? '9999').localeCompare(b.expected_close_on ?? '9999') ||
  (a.id < b.id ? 1 : -1)

const compareClosedAt = (a: DealRow, b: DealRow) =>
  (b.closed_at ?? '').localeCompare(a.closed_at ?? '') || (a.id < b.id ? 1 : -1)

/** Total value of deals, by currency, exact to the smallest unit. */
export function dealValue(deals: readonly DealRow[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { amount, currency } of deals)
    if (amount !== undefined)
      sums[currency] = Math.round(((sums[currency] ?? 0) + amount) * 1000) / 1000
  return sums
}
