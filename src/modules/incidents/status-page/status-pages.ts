import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { day } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { organization } from '../../directory/access.ts'
import { Ref } from '../../../records/shapes.ts'
import { service } from '../access.ts'
import { openUpdates, organizationsOf, outages, statesOf } from './access.ts'
import { serviceRef, serviceStateEnum, StatusUpdate } from '../shapes.ts'
import { statusPaths } from './addresses.ts'
import { statusCalendar, historyDays, historyOf, overallOf } from './days.ts'
import { presentUpdates } from './presenter.ts'
import { phaseOf } from './threads.ts'

const StatusPageDay = shape('StatusPageDay', {
  date: day(),
  state: serviceStateEnum.describe('worst state that day'),
  uptime: z.number(),
  outage_minutes: z.int(),
})

const StatusPage = shape('StatusPage', {
  overall: serviceStateEnum.describe('worst state of the public services'),
  services: z.array(
    z.strictObject({
      service: Ref,
      public: z.boolean().describe('whether the public status page shows it'),
      state: serviceStateEnum,
      uptime_90d: z
        .number()
        .describe(
          'percent; major outages count fully, partial outages at 30%, degraded service and maintenance not at all',
        ),
      days: z
        .array(StatusPageDay)
        .describe('since registration, oldest first, in the time zone of the organization'),
    }),
  ),
  open_updates: z.array(StatusUpdate).describe('the latest of each open thread'),
  planned: z.array(StatusUpdate),
  public_url: z.string(),
})

export const getStatusPage = operation({
  name: 'get_status_page',
  searchHint:
    'uptime, is everything up, service health, availability of services, who owns a service',
  kind: 'read',
  rest: 'GET /api/status-pages/default',
  about: 'Services with their public state, open updates and 90-day history',
  input: { days: z.int().min(1).max(historyDays).default(historyDays).describe('of the history') },
  output: StatusPage,
  async handle({ days }, ctx) {
    const rows = await service
      .visibleTo(ctx)
      .selectAll('services')
      .orderBy('services.is_public', 'desc')
      .orderBy('services.name')
      .orderBy('services.id')
      .execute()
    const states = await statesOf(
      ctx,
      rows.map((row) => row.id),
    )
    const { default_timezone } = await organization
      .visibleTo(ctx)
      .select('orgs.default_timezone')
      .executeTakeFirstOrThrow()
    const dates = statusCalendar(ctx.now, default_timezone)
    const outagesByService = Map.groupBy(
      await outages(
        ctx,
        rows.map((row) => row.id),
        dates,
      ),
      (outage) => outage.service_id,
    )
    const services = rows.map((row) => {
      const history = historyOf(dates, outagesByService.get(row.id) ?? [], row.created_at, ctx.now)
      return {
        service: serviceRef(row),
        public: row.is_public === 1,
        state: states.get(row.id) ?? ('operational' as const),
        uptime_90d: history.uptime,
        days: history.days.slice(-days),
      }
    })
    return {
      overall: overallOf(services.filter((item) => item.public).map((item) => item.state)),
      services,
      ...(await threadsOf(ctx)),
      public_url: await publicUrl(ctx),
    }
  },
})

async function threadsOf(
  ctx: ReadContext,
): Promise<Pick<z.infer<typeof StatusPage>, 'open_updates' | 'planned'>> {
  const open = await openUpdates(ctx)
    .selectAll('status_updates')
    .orderBy('status_updates.published_at', 'desc')
    .orderBy('status_updates.id', 'desc')
    .execute()
  const planned = open
    .filter((row) => phaseOf(row, ctx.now) === 'planned')
    .sort((a, b) => a.starts_at! - b.starts_at!)
  return {
    open_updates: await presentUpdates(
      ctx,
      open.filter((row) => !planned.includes(row)),
    ),
    planned: await presentUpdates(ctx, planned),
  }
}

async function publicUrl(ctx: ReadContext): Promise<string> {
  return `${ctx.baseUrl}${statusPaths(await organizationsOf(ctx)).get(ctx.actor.org_id)!}`
}
