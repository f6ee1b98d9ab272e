import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { beginRound, nextRound, pagesGoingOn } from './pages.ts'

type Incident = Row<'incidents'>

/**
 * Pages the people on call for the services of an open incident, from level 1 on, in place of the pages that go on: when it is declared,
 * reopened, or raised to sev1. An acknowledged incident pages no one.
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

/** Pages the people on call for services that were added to an open incident, beside the pages that go on. */
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

/** Ends the pages of an incident that was acknowledged, or that is over; with its row as it is now. */
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
  for (const row of await pagesGoingOn(ctx, incidentRow))
    await ctx.change('escalations', row, { status, next_at: null })
}
