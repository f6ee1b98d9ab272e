import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, paging, pageOf } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, shown } from '../../records/paging.ts'
import { stopIfGone } from '../../operations/call/progress.ts'
import type { PlanUse } from '../../limits/plan.ts'
import { isFindingOpen } from '../../limits/release.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { instant, iso } from '../../kernel/time/times.ts'
import { displayPrefix } from '../../keys/format.ts'
import { apiKey, countCalls, findingsOf, tallyCalls } from './access.ts'
import { ApiKey, ApiKeyUsage, type KeyFinding } from './shapes.ts'
import { dayOfQuarter, sum, usageBy } from './usage.ts'

const month = 30 * 24 * 3600 * 1000

export const listApiKeys = operation({
  name: 'list_api_keys',
  searchHint: 'tokens, my keys, which assistants have access',
  kind: 'read',
  rest: 'GET /api/api-keys',
  about:
    'Your keys: name, prefix, last use, state; secrets are never shown and keys cannot be created or changed here',
  input: { status: z.enum(['active', 'suspended', 'revoked', 'expired']).optional(), ...paging },
  output: pageOf(ApiKey),
  async handle({ status, limit, cursor }, ctx) {
    let found = apiKey.visibleTo(ctx).selectAll('api_keys')
    if (status === 'suspended') found = found.where('api_keys.suspended_at', 'is not', null)
    if (status === 'active') found = found.where('api_keys.suspended_at', 'is', null)
    if (status === 'suspended' || status === 'active')
      found = found
        .where('api_keys.revoked_at', 'is', null)
        .where((eb) =>
          eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', ctx.now)]),
        )
    if (status === 'revoked') found = found.where('api_keys.revoked_at', 'is not', null)
    if (status === 'expired')
      found = found
        .where('api_keys.revoked_at', 'is', null)
        .where('api_keys.expires_at', '<=', ctx.now)
    const page = await paged(
      found,
      [
        { by: 'api_keys.created_at', as: 'created_at', dir: 'desc' },
        { by: 'api_keys.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return shown(page, await showKeys(ctx, page.items))
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
    const end = to === undefined ? ctx.now : instant(to, zone, 'end', 'to')
    const start = from === undefined ? end - month : instant(from, zone, 'start', 'from')
    if (start > end) throw invalid('from', 'the period ends before it starts.')
    const tallies = await tallyCalls(
      ctx,
      key,
      { from: start, to: end },
      group_by === 'day' ? 'quarter' : group_by === 'status' ? 'status' : 'tool',
    )
    const [shownKey] = await showKeys(ctx, [key])
    const remaining = ctx.limits.remaining(key.id)
    return present({
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
      plan: showPlan(ctx.limits.plans.useOf(key.org_id, ctx.now)),
    })
  },
})

function showPlan({
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

async function showKeys(
  ctx: ReadContext,
  rows: readonly Row<'api_keys'>[],
): Promise<z.infer<typeof ApiKey>[]> {
  const shownKeys: z.infer<typeof ApiKey>[] = []
  const findings = await findingsOf(ctx, rows, ctx.now - month)
  for (const row of rows) {
    await stopIfGone(ctx)
    shownKeys.push(
      showKey(ctx, row, await countCalls(ctx, row, ctx.now - month), findings.get(row.id) ?? []),
    )
  }
  return shownKeys
}

function showKey(
  ctx: ReadContext,
  row: Row<'api_keys'>,
  calls: number,
  findings: readonly Row<'abuse_findings'>[],
): z.infer<typeof ApiKey> {
  return present({
    id: row.id,
    name: row.name,
    prefix: displayPrefix(row.lookup),
    status: statusOf(row, ctx.now),
    created_at: iso(row.created_at),
    expires_at: row.expires_at === null ? undefined : iso(row.expires_at),
    last_used_at: row.last_used_at === null ? undefined : iso(row.last_used_at),
    last_ip: row.last_ip,
    last_client: row.last_client,
    call_count_30d: calls,
    is_current: row.id === ctx.actor.key?.id,
    findings:
      findings.length === 0 ? undefined : findings.map((finding) => showFinding(finding, ctx.now)),
    url: apiKey.url(row, ctx.baseUrl),
  })
}

function showFinding(row: Row<'abuse_findings'>, now: number): z.infer<typeof KeyFinding> {
  const holds =
    isFindingOpen(row, now) && row.hold !== 'none'
      ? present({ holds: row.hold, until: row.until_at === null ? undefined : iso(row.until_at) })
      : {}
  return { id: row.id, rule: row.rule, at: iso(row.first_at), ...holds }
}

function statusOf(row: Row<'api_keys'>, now: number): z.infer<typeof ApiKey>['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.suspended_at === null ? 'active' : 'suspended'
}
