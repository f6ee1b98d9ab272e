import { z } from 'zod'
import type { App } from '../../operations/app.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { iso } from '../../kernel/time/times.ts'
import { displayPrefix } from '../../keys/format.ts'
import { ownStorageQuery } from '../../limits/usage.ts'
import { usageReport, type UsageReport } from '../../limits/usage-report.ts'
import { requireAdmin } from '../../identity/administration.ts'
import { OrganizationUsage, OwnUsage } from './shapes/usage.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'

const getUsage = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/usage',
  name: 'get_usage',
  about:
    "operations by day (in the organization's time zone), key, tool, transport and outcome, and the plan with the remaining amounts; `key_id` null: without a key",
  input: {
    of: z
      .enum(['me', 'organization'])
      .default('me')
      .describe('only administrators: `organization`'),
    days: z.coerce.number().int().min(1).max(90).default(30).describe('1 to 90'),
  },
  output: z.discriminatedUnion('of', [OwnUsage, OrganizationUsage]),
  async handle({ of, days }, { app, signed: { actor } }) {
    if (of === 'organization') requireAdmin(actor)
    const person = of === 'me' ? actor.id : undefined
    const isOperation = (tool: string) => app.catalogue.find(tool) !== undefined
    const report = await usageReport(app.store, {
      org: actor.org_id,
      person,
      now: app.clock.now(),
      days,
      isOperation,
    })
    const by_tool = report.by_tool.map((item) => ({
      ...item,
      module: app.catalogue.find(item.tool)!.module,
    }))
    const presented = { ...report, by_tool, keys: await keyUsageOf(app, actor, report) }
    if (of === 'me') return { of, ...presented, plan: await ownPlan(app, actor) }
    const plan = await app.limits.plans.usageReport(actor.org_id, app.clock.now())
    return { of, ...presented, plan }
  },
})

export const usageEndpoints: readonly ServerEndpoint[] = [getUsage]

/** The organization's plan: members see the use by others only if the plan limits it. */
async function ownPlan({ limits, clock, store }: App, { id, org_id }: Actor) {
  const { plan, day_ends_at, month_ends_at, ...rest } = await limits.plans.useOf(
    org_id,
    clock.now(),
  )
  const stored = await store.read.one<{ used: number }>(ownStorageQuery, id)
  const storage_bytes = { used: stored?.used ?? 0 }
  return {
    name: plan,
    ...rest,
    storage_bytes,
    day_ends_at: iso(day_ends_at),
    month_ends_at: iso(month_ends_at),
  }
}

async function keyUsageOf(
  { store }: App,
  { org_id }: Actor,
  { by_key }: UsageReport,
): Promise<z.infer<typeof OwnUsage>['keys']> {
  const ids = by_key.flatMap((item) =>
    item.key_id === null ? [] : [item.key_id as Id<'api_keys'>],
  )
  const rows = await store.read
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.lookup',
      'api_keys.owner_id',
      'users.display_name',
    ])
    .where('api_keys.org_id', '=', org_id)
    .where('api_keys.id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: displayPrefix(row.lookup),
    owner: { id: row.owner_id, name: row.display_name },
  }))
}
