import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, paging, pageOf } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import type { PlanUse } from '../../limits/plan.ts'
import { invalid } from '../../kernel/refusal.ts'
import { parseInstant, iso } from '../../kernel/time/times.ts'
import { presentKeys } from './key-presenter.ts'
import { apiKey } from './access.ts'
import { tallyCalls } from './calls/access-calls.ts'
import { ApiKey, ApiKeyUsage } from './shapes.ts'
import { dayOfQuarter, sum, usageBy } from './usage.ts'

const month = 30 * 24 * 3600 * 1000
/** Tally column for each way of grouping usage. */
const tallyGroups = { tool: 'tool', module: 'tool', day: 'quarter', status: 'status' } as const

export const listApiKeys = operation({
  name: 'list_api_keys',
  searchHint: 'tokens, my keys, which assistants have access',
  kind: 'read',
  rest: 'GET /api/api-keys',
  about:
    'Your keys and connections: name, prefix, last use, state; secrets are never shown and keys cannot be created or changed here',
  input: {
    status: z.enum(['active', 'suspended', 'paused', 'revoked', 'expired']).optional(),
    ...paging,
  },
  output: pageOf(ApiKey),
  async handle({ status, limit, cursor }, ctx) {
    let query = apiKey.visibleTo(ctx).selectAll('api_keys')
    if (status === 'suspended')
      query = query
        .where('api_keys.suspended_at', 'is not', null)
        .where('api_keys.suspended_by', 'is', null)
    if (status === 'paused') query = query.where('api_keys.suspended_by', 'is not', null)
    if (status === 'active') query = query.where('api_keys.suspended_at', 'is', null)
    if (status === 'suspended' || status === 'paused' || status === 'active')
      query = query
        .where('api_keys.revoked_at', 'is', null)
        .where((eb) =>
          eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', ctx.now)]),
        )
    if (status === 'revoked') query = query.where('api_keys.revoked_at', 'is not', null)
    if (status === 'expired')
      query = query
        .where('api_keys.revoked_at', 'is', null)
        .where('api_keys.expires_at', '<=', ctx.now)
    const page = await paged(
      query,
      [
        { by: 'api_keys.created_at', as: 'created_at', dir: 'desc' },
        { by: 'api_keys.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentKeys(ctx, page.items))
  },
})

export const getApiKeyUsage = operation({
  name: 'get_api_key_usage',
  searchHint: 'rate limit, quota, how many calls are left',
  kind: 'read',
  rest: 'GET /api/api-keys/{key_id}/usage',
  about:
    'Your key\'s calls, errors, tools and modules over time, and its remaining rate limit; "current" is this key',
  on: { key: apiKey.see },
  input: {
    from: datetime().optional().describe('default: 30 days ago'),
    to: datetime().optional(),
    group_by: z.enum(['tool', 'module', 'day', 'status']).default('tool'),
  },
  output: ApiKeyUsage,
  async handle({ key, from, to, group_by }, ctx) {
    const zone = ctx.actor.timezone
    const end = to === undefined ? ctx.now : parseInstant(to, zone, 'end', 'to')
    const start = from === undefined ? end - month : parseInstant(from, zone, 'start', 'from')
    if (start > end) throw invalid('from', 'the period ends before it starts.')
    const tallies = await tallyCalls(ctx, key, { from: start, to: end }, tallyGroups[group_by])
    const [shownKey] = await presentKeys(ctx, [key])
    const remaining = ctx.limits.remaining(key.id)
    return omitNullish({
      key: shownKey!,
      from: iso(start),
      to: iso(end),
      calls: sum(tallies),
      errors: sum(tallies.filter((tally) => tally.status === 'error')),
      denied: sum(tallies.filter((tally) => tally.status === 'denied')),
      by_group: usageBy(
        tallies,
        (tally) => groupKey(ctx, group_by, tally.group),
        group_by === 'day' ? 'key' : 'calls',
      ),
      rate_limit: remaining ? { ...remaining, resets_at: iso(remaining.resets_at) } : undefined,
      plan: presentPlan(await ctx.limits.plans.useOf(key.org_id, ctx.now)),
    })
  },
})

function presentPlan({
  plan,
  day_ends_at,
  month_ends_at,
  ...calls
}: PlanUse): z.infer<typeof ApiKeyUsage>['plan'] {
  return { name: plan, ...calls, day_ends_at: iso(day_ends_at), month_ends_at: iso(month_ends_at) }
}

function groupKey(
  ctx: ReadContext,
  by: 'tool' | 'module' | 'day' | 'status',
  group: string | number,
): string {
  if (by === 'day') return dayOfQuarter(group, ctx.actor.timezone)
  if (by === 'module') return ctx.catalogue.find(String(group))?.module ?? 'other'
  return String(group)
}
