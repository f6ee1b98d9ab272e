import { z } from 'zod'
import { date } from '../../../kernel/fields.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { equals, filters, oneOf, resolvedInput } from '../../../operations/filters.ts'
import { person } from '../../directory/access.ts'
import { company, deal } from '../access.ts'
import { withoutActivitySince } from './access.ts'
import { dealStates } from './shapes.ts'
import { resolveStage, stagesOf } from './stages.ts'

/** The filters of list_deals and export_deals. */
export const dealFilters = filters('deals', {
  owner: equals('deals.owner_id', person.see.maybe),
  company: equals('deals.company_id', company.see.maybe),
  stage: {
    input: resolvedInput(
      z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(50)
        .optional()
        .describe('deal_stages of the organization'),
      (texts, ctx) => resolveStages(ctx, texts),
    ),
    where: (query, stages) => query.where('deals.stage', 'in', stages),
  },
  status: oneOf(
    'deals.status',
    z
      .array(z.enum(dealStates))
      .min(1)
      .max(3)
      .optional()
      .describe('open only: nearest expected close first; otherwise newest first'),
  ),
  close_before: {
    input: date().optional().describe('expected to close by this day'),
    where: (query, day) => query.where('deals.expected_close_on', '<=', day),
  },
  stale_days: {
    input: z
      .int()
      .min(0)
      .max(36_500)
      .optional()
      .describe('open deals without activity for this many days'),
    where: (query, days, ctx) => withoutActivitySince(query, ctx.now - days * dayLength),
  },
})

/** Resolves stage names to filter by, including removed stages that deals still have. */
async function resolveStages(ctx: ReadContext, texts: readonly string[]): Promise<string[]> {
  const stages = await stagesOf(ctx)
  const usedStages = (await deal.visibleTo(ctx).select('deals.stage').distinct().execute()).map(
    (row) => row.stage,
  )
  return texts.map((text, i) =>
    resolveStage([...new Set([...stages, ...usedStages])], text, `stage[${i}]`),
  )
}
