// Aggregates of deals; each query is restricted to deals that the reader can see.
import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { deal } from '../access.ts'

/** Time of the last interaction of each of these deals. */
export async function lastInteractionTimes(
  viewer: Viewer,
  ids: readonly Id<'deals'>[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('interactions')
    .where('interactions.deal_id', 'in', ids)
    .where('interactions.deleted_at', 'is', null)
    .groupBy('interactions.deal_id')
    .select((eb) => ['interactions.deal_id', eb.fn.max('interactions.occurred_at').as('at')])
    .execute()
  return new Map(rows.map((row) => [row.deal_id as string, Number(row.at)]))
}

/** Narrows to open deals without activity since a time: no stage change, and no interaction. */
export function withoutActivitySince(deals: Scoped<'deals'>, at: number): Scoped<'deals'> {
  const hadInteraction = sql<SqlBool>`exists (select 1 from interactions as t where t.deal_id = deals.id and t.deleted_at is null and t.occurred_at > ${at})`
  return deals
    .where('deals.status', '=', 'open')
    .where('deals.stage_since_at', '<=', at)
    .where((eb) => eb.not(hadInteraction))
}

/** Time of a deal's last activity, for sorting stalled deals: entering its stage, or its last interaction. */
export const lastActivity = sql<number>`(select case when max(t.occurred_at) > deals.stage_since_at then max(t.occurred_at) else deals.stage_since_at end from interactions as t where t.deal_id = deals.id and t.deleted_at is null)`

export interface OpenSum {
  stage: string
  /** Month of the expected close; `overdue` if that day has passed, `undated` without a day. */
  month: string
  currency: string
  count: number
  sum: number | null
}

/** Open deals by stage, month of the expected close and currency. */
export async function openSums(
  viewer: Viewer,
  owner: Row<'users'> | undefined,
  today: string,
): Promise<OpenSum[]> {
  const month = sql<string>`case when deals.expected_close_on is null then 'undated' when deals.expected_close_on < ${today} then 'overdue' else substr(deals.expected_close_on, 1, 7) end`
  const rows = await ownedBy(deal.visibleTo(viewer), owner)
    .where('deals.status', '=', 'open')
    .select((eb) => [
      'deals.stage',
      month.as('month'),
      'deals.currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | null>('deals.amount').as('sum'),
    ])
    .groupBy(['deals.stage', sql`2`, 'deals.currency'])
    .execute()
  return rows.map((row) => ({
    ...row,
    count: Number(row.count),
    sum: row.sum === null ? null : Number(row.sum),
  }))
}

export interface ClosedSum {
  status: 'won' | 'lost'
  currency: string
  count: number
  sum: number | null
  /** Total time from creation to closing of these deals. */
  totalDurationMs: number
}

/** Deals closed in a period (`end` excluded), by outcome and currency. */
export async function closedSums(
  viewer: Viewer,
  owner: Row<'users'> | undefined,
  start: number,
  end: number,
): Promise<ClosedSum[]> {
  const rows = await ownedBy(deal.visibleTo(viewer), owner)
    .where('deals.closed_at', '>=', start)
    .where('deals.closed_at', '<', end)
    .select((eb) => [
      'deals.status',
      'deals.currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | null>('deals.amount').as('sum'),
      sql<number>`sum(cast(deals.closed_at - deals.created_at as double precision))`.as(
        'totalDurationMs',
      ),
    ])
    .groupBy(['deals.status', 'deals.currency'])
    .execute()
  return rows.map((row) => ({
    status: row.status as 'won' | 'lost',
    currency: row.currency,
    count: Number(row.count),
    sum: row.sum === null ? null : Number(row.sum),
    totalDurationMs: Number(row.totalDurationMs),
  }))
}

function ownedBy(deals: Scoped<'deals'>, owner: Row<'users'> | undefined): Scoped<'deals'> {
  return owner ? deals.where('deals.owner_id', '=', owner.id) : deals
}
