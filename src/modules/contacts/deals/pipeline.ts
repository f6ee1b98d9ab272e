import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date, day } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { Truncated } from '../../../records/shapes.ts'
import { addDays, dayAt, dayLength, instantOfMinute } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { deal } from '../access.ts'
import { closedSums, lastActivity, openSums, withoutActivitySince } from './access.ts'
import { stagesOf } from './stages.ts'
import { Money } from './money.ts'
import { byStage, forecastOf, dealOutcomeOf } from './pipeline-sums.ts'
import { Deal, presentDeals, type DealShape } from './shapes.ts'

/** Open deals without activity for this many days are stalled. */
const stalledDays = 30
const maxStalled = 25
/** Default length of the period for closed deals. */
const defaultPeriodDays = 90

const groupFields = { count: z.int(), value: Money, weighted: Money }

const PipelineSummary = shape('PipelineSummary', {
  from: day(),
  to: day(),
  stages: z
    .array(z.strictObject({ stage: z.string(), weight: z.number(), ...groupFields }))
    .describe(
      'current open deals, by currency. weighted: multiplied by the stage weight, which is its position divided by the number of stages plus one (with four: 0.2, 0.4, 0.6, 0.8); removed stages count 0',
    ),
  forecast: z
    .record(z.string(), z.strictObject(groupFields))
    .describe('current open deals by month of the expected close (2026-12), overdue, undated'),
  stalled: z
    .array(Deal)
    .describe(
      `open deals without activity for ${stalledDays} days, longest first; at most ${maxStalled}`,
    ),
  stalled_count: z.int(),
  truncated: Truncated.optional(),
  won: z.strictObject({ count: z.int(), value: Money }).describe('closed in the period'),
  lost: z.strictObject({ count: z.int(), value: Money }),
  win_rate: z
    .number()
    .optional()
    .describe('share of closed deals that were won, 0 to 1; absent if none were closed'),
  average_cycle_days: z
    .number()
    .optional()
    .describe('won deals, from creation to win; absent if none were won'),
})

export const getPipelineSummary = operation({
  name: 'get_pipeline_summary',
  searchHint: 'sales forecast, revenue, funnel, win rate, sales report',
  kind: 'read',
  rest: 'GET /api/deals/summary',
  about: 'Deal counts and value by stage, forecast, stalled deals and win rate',
  on: { owner: person.see.maybe },
  input: {
    from: date()
      .optional()
      .describe(`first day for closed deals; default: ${defaultPeriodDays} days before the last`),
    to: date().optional().describe('last day; default: today'),
  },
  output: PipelineSummary,
  async handle({ owner, from, to }, ctx) {
    const { timezone } = ctx.actor
    const today = dayAt(ctx.now, timezone)
    const last = to ?? (from !== undefined && from > today ? from : today)
    const first = from ?? addDays(last, 1 - defaultPeriodDays)
    if (first > last) throw invalid('from', `${first} is after ${last}.`)
    const stages = await stagesOf(ctx)
    const open = await openSums(ctx, owner, today)
    const closed = await closedSums(
      ctx,
      owner,
      instantOfMinute(first, 0, timezone),
      instantOfMinute(addDays(last, 1), 0, timezone),
    )
    return {
      from: first,
      to: last,
      stages: byStage(stages, open),
      forecast: forecastOf(stages, open),
      ...(await stalledOf(ctx, owner)),
      ...dealOutcomeOf(closed),
    }
  },
})

async function stalledOf(
  ctx: ReadContext,
  owner: Row<'users'> | undefined,
): Promise<{ stalled: DealShape[]; stalled_count: number; truncated?: Truncated }> {
  let query = withoutActivitySince(deal.visibleTo(ctx), ctx.now - stalledDays * dayLength)
  if (owner) query = query.where('deals.owner_id', '=', owner.id)
  const rows = await query
    .selectAll('deals')
    .select((eb) => eb.fn.countAll<number>().over().as('count'))
    .orderBy(lastActivity)
    .orderBy('deals.id')
    .limit(maxStalled)
    .execute()
  const stalled_count = Number(rows[0]?.count ?? 0)
  const cuts = new SectionCuts()
  const ownerArgument = owner === undefined ? '' : ` and owner_id ${owner.id}`
  const tool = `list_deals with stale_days ${stalledDays}${ownerArgument}`
  cuts.note('stalled', stalled_count > rows.length, tool)
  return { stalled: await presentDeals(ctx, rows), stalled_count, ...cuts.report() }
}
