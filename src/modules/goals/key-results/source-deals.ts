import type { Id } from '../../../kernel/ids.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import { instantOfMinute } from '../../../kernel/time/times.ts'
import { company, deal } from '../../contacts/access.ts'
import { resolveStage, stagesOf } from '../../contacts/shapes.ts'
import { person } from '../../directory/access.ts'
import { readCurrency } from './measures.ts'
import { periodDays, readPeriod } from '../goals/periods.ts'
import { manualSource, readParams, type SourceKind, type Measured } from './source-rules.ts'

const id = () => z.string().min(1).max(320)
const Params = z.strictObject({
  measure: z.enum(['count', 'value']).optional(),
  status: z.enum(['open', 'won', 'lost']).optional(),
  stage: z.string().min(1).max(200).optional(),
  owner_id: id().optional(),
  company_id: id().optional(),
  period: z.string().min(4).max(20).optional(),
  currency: z.string().min(1).max(20).optional(),
})

/** Stored form of the parameters. */
interface StoredDealsParams {
  measure: 'count' | 'value'
  status: 'open' | 'won' | 'lost'
  stage?: string
  owner_id?: string
  company_id?: string
  period?: string
  currency?: string
}

/** Deals: their number, or their total in one currency. */
export const fromDeals: SourceKind = {
  async read(ctx, params, measured, at) {
    if (ctx.actor.role === 'guest')
      throw denied('Guests have no access to deals and cannot use them as a source.')
    const input = readParams(
      Params,
      params,
      at,
      'Allowed parameters: measure (count or value), status, stage, owner_id, company_id, period and currency.',
    )
    const fieldName = (name: string) => `${at}.params.${name}`
    const status = input.status ?? (input.stage === undefined ? 'won' : 'open')
    const owner =
      input.owner_id === undefined
        ? undefined
        : await person.demand(ctx, input.owner_id, 'see', fieldName('owner_id'))
    const companyRow =
      input.company_id === undefined
        ? undefined
        : await company.demand(ctx, input.company_id, 'see', fieldName('company_id'))
    const counted: StoredDealsParams = omitNullish({
      ...measureOf(measured, input, at),
      status,
      stage:
        input.stage === undefined
          ? undefined
          : resolveStage(await stagesOf(ctx), input.stage, fieldName('stage')),
      owner_id: owner ? owner.id : undefined,
      company_id: companyRow ? companyRow.id : undefined,
      period:
        input.period === undefined ? undefined : readPeriod(input.period, fieldName('period')),
    })
    return {
      ...manualSource,
      source_kind: 'deals',
      source_params_json: JSON.stringify(counted),
      source_by: ctx.actor.id,
    }
  },
  async count(ctx, { source_params_json }) {
    return countDeals(ctx, JSON.parse(source_params_json!) as StoredDealsParams)
  },
}

/** Determines the amounts to count; different currencies are never added. @throws Refusal */
function measureOf(
  { metric, unit }: Measured,
  input: z.infer<typeof Params>,
  at: string,
): Pick<StoredDealsParams, 'measure' | 'currency'> {
  if (metric === 'boolean' || metric === 'percent')
    throw invalid(
      `${at}.kind`,
      `deals cannot be the source of a key result with metric ${metric}.`,
      'Use number or currency.',
    )
  const measure = input.measure ?? (metric === 'currency' ? 'value' : 'count')
  if (measure === 'count' && metric === 'currency')
    throw invalid(
      `${at}.params.measure`,
      'measure count cannot be used with metric currency.',
      'Use measure value, or metric number.',
    )
  if (measure === 'count') {
    if (input.currency !== undefined)
      throw invalid(
        `${at}.params.currency`,
        'currency requires measure value.',
        'Send measure value, or omit currency.',
      )
    return { measure }
  }
  const currencyName = input.currency ?? (metric === 'currency' ? unit : null)
  if (currencyName === null || currencyName === undefined)
    throw invalid(
      `${at}.params.currency`,
      'a currency is required: values in different currencies cannot be added.',
      'Send a code such as EUR.',
    )
  const currency = readCurrency(currencyName, `${at}.params.currency`)
  if (metric === 'currency' && unit !== null && unit !== currency)
    throw invalid(`${at}.params.currency`, `the unit of the key result is ${unit}.`)
  return { measure, currency }
}

async function countDeals(
  ctx: ReadContext,
  counted: StoredDealsParams,
): Promise<number | undefined> {
  const { measure, status, stage, owner_id, company_id, period, currency } = counted
  if (ctx.actor.role === 'guest') return undefined
  if (company_id !== undefined && !(await company.find(ctx, company_id))) return undefined
  let deals = deal.visibleTo(ctx).where('deals.status', '=', status)
  if (stage !== undefined) deals = deals.where('deals.stage', '=', stage)
  if (owner_id !== undefined) deals = deals.where('deals.owner_id', '=', owner_id as Id<'users'>)
  if (company_id !== undefined)
    deals = deals.where('deals.company_id', '=', company_id as Id<'companies'>)
  if (currency !== undefined) deals = deals.where('deals.currency', '=', currency)
  if (period !== undefined) {
    const { first, last } = periodDays(period)
    const { timezone } = ctx.actor
    if (status === 'open')
      deals = deals
        .where('deals.expected_close_on', '>=', first)
        .where('deals.expected_close_on', '<=', last)
    else
      deals = deals
        .where('deals.closed_at', '>=', instantOfMinute(first, 0, timezone))
        .where('deals.closed_at', '<', instantOfMinute(last, 1440, timezone))
  }
  const { count, value } = await deals
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | null>('deals.amount').as('value'),
    ])
    .executeTakeFirstOrThrow()
  return measure === 'count' ? Number(count) : Math.round(Number(value ?? 0) * 10_000) / 10_000
}
