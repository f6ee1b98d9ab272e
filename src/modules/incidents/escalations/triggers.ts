import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { beginRound, nextRound, runningPages } from './pages.ts'

type Incident = Row<'incidents'>

/**
 * Pages the people on call for an open incident's services, from level 1 on, replacing running pages: when it is
 * declared, reopened, or raised to sev1. An acknowledged incident pages no one.
 */
export async function pageOnCall(
  ctx: WriteContext,
  incident: Incident,
  reason = '',
): Promise<void> {
  if (incident.status !== 'open') return
  await endPages(ctx, incident, 'cancelled')
  await beginRound(ctx, incident, {
    number: await nextRound(ctx, incident),
    route: { kind: 'services', ids: undefined },
    reason,
  })
}

/** Pages the people on call for services added to an open incident, in addition to running pages. */
export async function pageServices(
  ctx: WriteContext,
  incidentRow: Incident,
  services: readonly Row<'services'>[],
): Promise<void> {
  if (incidentRow.status !== 'open' || services.length === 0) return
  const reason = `Added: ${services.map((service) => service.name).join(', ')}.`
  await beginRound(ctx, incidentRow, {
    number: await nextRound(ctx, incidentRow),
    route: { kind: 'services', ids: services.map((service) => service.id) },
    reason,
  })
}

/** Ends the pages of an acknowledged or finished incident; takes its current row. */
export async function stopEscalation(ctx: WriteContext, incident: Incident): Promise<void> {
  await endPages(
    ctx,
    incident,
    incident.status === 'acknowledged' || incident.status === 'mitigated'
      ? 'acknowledged'
      : 'cancelled',
  )
}

async function endPages(
  ctx: WriteContext,
  incidentRow: Incident,
  status: 'acknowledged' | 'cancelled',
): Promise<void> {
  for (const row of await runningPages(ctx, incidentRow))
    await ctx.change('escalations', row, { status, next_at: null })
}
