// Organization settings that administrators change in a signed-in session; API keys cannot.

import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import { shape } from '../../../kernel/shape.ts'
import { PlanStanding } from '../../../limits/plan-shapes.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { date, timezone } from '../../../kernel/fields.ts'
import { endpoint } from '../../../operations/endpoints/endpoint.ts'
import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { organization } from '../../directory/access.ts'
import { stagesInUse } from './access-settings.ts'
import { Organization, presentOrganization } from '../shapes.ts'

const name = (maxLength: number) => z.string().trim().min(1).max(maxLength)
/** The only severities known to incidents, runbooks and paging. */
const severities = ['sev1', 'sev2', 'sev3', 'sev4'] as const
const outcomes = ['won', 'lost']

const Severity = z.strictObject({
  severity: z.enum(severities),
  name: z.string(),
  description: z.string(),
})

const OrganizationSettings = shape('OrganizationSettings', {
  ...Organization.omit({ plan_limits: true }).shape,
  severity_scale: z.array(Severity),
  plan: PlanStanding,
})

export const readOrganization = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/organization',
  name: 'read_organization',
  about:
    'administrators: the same as `get_organization`, and the `plan` with `used`, `limit` and `left`',
  output: OrganizationSettings,
  handle: (_, request) =>
    request.read(async (ctx) =>
      presentOrganizationSettings(ctx, await requireAdminOrganization(ctx)),
    ),
})

export const changeOrganization = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/organization',
  name: 'change_organization',
  about:
    'changes the given fields; lists are replaced as a whole. Severities stay `sev1` to `sev4`, with any names and descriptions; a stage with open deals cannot be removed (409 with `stages`). If the days for the trash are reduced, older items are erased the next time the trash is cleared',
  input: {
    expected_revision: z.int().min(1).optional(),
    name: name(200).optional(),
    default_timezone: timezone().optional(),
    work_week: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .refine(isWithoutRepeats, 'a day is listed twice')
      .optional(),
    holidays: z
      .array(z.strictObject({ date: date(), name: name(200) }))
      .max(1000)
      .refine((all) => isWithoutRepeats(all.map((item) => item.date)), 'a date is listed twice')
      .optional(),
    severity_scale: z
      .array(
        z.strictObject({
          severity: z.enum(severities),
          name: name(100),
          description: z.string().trim().max(1000),
        }),
      )
      .optional(),
    deal_stages: z.array(name(100)).min(1).max(50).optional(),
    trash_days: z.int().min(1).max(3650).optional(),
  },
  output: OrganizationSettings,
  async handle({ expected_revision, ...requested }, request) {
    const done = await request.change(async (ctx) => {
      const row = await requireAdminOrganization(ctx)
      if (expected_revision !== undefined && expected_revision !== row.revision)
        throw staleRevision(row)
      const { work_week, holidays, severity_scale, deal_stages, ...columns } = requested
      if (severity_scale) checkSeverities(severity_scale.map((item) => item.severity))
      if (deal_stages) await checkStages(ctx, deal_stages)
      const after = await ctx.change(
        'orgs',
        row,
        omitUndefined({
          ...(Object.fromEntries(
            Object.entries(columns).filter(([, value]) => value !== undefined),
          ) as Partial<Row<'orgs'>>),
          work_week_json: work_week ? JSON.stringify(work_week.toSorted()) : undefined,
          holidays_json: holidays
            ? JSON.stringify(holidays.toSorted((a, b) => (a.date < b.date ? -1 : 1)))
            : undefined,
          severity_scale_json: severity_scale ? JSON.stringify(severity_scale) : undefined,
          deal_stages_json: deal_stages ? JSON.stringify(deal_stages) : undefined,
        }),
      )
      return presentOrganizationSettings(ctx, after)
    })
    return done
  },
})

/** @throws Refusal permission_denied */
async function requireAdminOrganization(ctx: ReadContext): Promise<Row<'orgs'>> {
  if (!isAdmin(ctx.actor))
    throw denied('Only administrators may see or change organization settings.')
  return organization.visibleTo(ctx).selectAll('orgs').executeTakeFirstOrThrow()
}

async function presentOrganizationSettings(
  ctx: ReadContext,
  row: Row<'orgs'>,
): Promise<z.infer<typeof OrganizationSettings>> {
  const { plan_limits: _, ...rest } = presentOrganization(ctx, row)
  const severity_scale = JSON.parse(row.severity_scale_json) as z.infer<typeof Severity>[]
  return { ...rest, severity_scale, plan: await ctx.limits.plans.usageReport(row.id, ctx.now) }
}

function checkSeverities(keys: readonly string[]): void {
  if (severities.every((severity, i) => keys[i] === severity) && keys.length === severities.length)
    return
  throw invalid(
    'severity_scale',
    `must be ${severities.join(', ')}, each once, in this order.`,
    'Incidents depend on these levels; only names and descriptions can be changed.',
  )
}

async function checkStages(ctx: ReadContext, stages: readonly string[]): Promise<void> {
  const folded = stages.map((stage) => stage.toLowerCase())
  if (!isWithoutRepeats(folded)) throw invalid('deal_stages', 'a stage is listed twice.')
  if (folded.some((item) => outcomes.includes(item)))
    throw invalid('deal_stages', 'won and lost are outcomes, not stages.')
  const removedInUse = [...(await stagesInUse(ctx))].filter(([stage]) => !stages.includes(stage))
  if (removedInUse.length === 0) return
  const stageList = removedInUse.map(([stage, count]) => `${stage} (${count})`).join(', ')
  throw new Refusal('conflict', `Stages to be removed still contain open deals: ${stageList}.`, {
    field: 'deal_stages',
    hint: 'Add the new stages first, move these deals (including those in the trash), then remove the old stages.',
    context: { stages: removedInUse.map(([stage, deals]) => ({ stage, deals })) },
  })
}

function staleRevision({ revision }: Row<'orgs'>): Refusal {
  return new Refusal(
    'conflict',
    `The organization has changed since you read it (revision ${revision}).`,
    {
      field: 'expected_revision',
      hint: 'Read it again and retry.',
      context: { current_revision: revision },
    },
  )
}

function isWithoutRepeats(all: readonly unknown[]): boolean {
  return new Set(all).size === all.length
}
