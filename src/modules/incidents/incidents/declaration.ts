import type { WriteContext } from '../../../operations/context.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { takeIncidentNumber } from '../access.ts'
import { pageOnCall } from '../escalations/triggers.ts'
import { requireActiveResponder, giveRole } from './role-changes.ts'
import { openRoom } from './rooms.ts'
import type { Severity } from './states.ts'
import { addTimelineEntry } from './timeline.ts'

export interface Declaration {
  title: string
  severity: Severity
  summary: string | undefined
  services: readonly Row<'services'>[]
  lead: Row<'users'> | undefined
  /** In milliseconds. */
  detectedAt: number | undefined
  restricted: boolean
}

/** Declares an incident: with its number, services, roles, timeline and channel. */
export async function declare(
  ctx: WriteContext,
  { title, severity, summary, services, lead, detectedAt = ctx.now, restricted }: Declaration,
): Promise<Row<'incidents'>> {
  if (lead) requireActiveResponder(lead, 'lead_id')
  requirePast(ctx, detectedAt, 'detected_at')
  const row = await ctx.add('incidents', {
    key: `INC-${await takeIncidentNumber(ctx)}`,
    title: title.trim(),
    severity,
    status: 'open',
    restricted: restricted ? 1 : 0,
    detected_at: detectedAt,
    opened_at: ctx.now,
    summary_markdown: summary || null,
  })
  for (const service of services)
    await ctx.add('incident_services', { incident_id: row.id, service_id: service.id })
  await addTimelineEntry(ctx, row, {
    kind: 'status',
    text: declarationText(row, services),
    to: 'open',
  })
  const holders = await assignInitialRoles(ctx, row, lead)
  await openRoom(
    ctx,
    row,
    holders.map((holder) => holder.id),
  )
  ctx.event('incident.opened', 'incidents', row)
  await pageOnCall(ctx, row)
  return row
}

/** The person declaring a restricted incident keeps access: as its lead, or as scribe if someone else leads. */
async function assignInitialRoles(
  ctx: WriteContext,
  row: Row<'incidents'>,
  lead: Row<'users'> | undefined,
): Promise<Row<'users'>[]> {
  const self = (await person.among(ctx, [ctx.actor.id])).get(ctx.actor.id)!
  const shouldKeepDeclarer =
    row.restricted === 1 && lead?.id !== self.id && !(lead && isAdmin(ctx.actor))
  const initialLead = lead ?? (shouldKeepDeclarer ? self : undefined)
  if (initialLead) await giveRole(ctx, row, 'lead', initialLead)
  if (shouldKeepDeclarer && initialLead !== self) await giveRole(ctx, row, 'scribe', self)
  return [
    ...(initialLead ? [initialLead] : []),
    ...(shouldKeepDeclarer && initialLead !== self ? [self] : []),
  ]
}

function declarationText(
  { key, severity, detected_at, opened_at }: Row<'incidents'>,
  services: readonly Row<'services'>[],
): string {
  const servicesText =
    services.length > 0 ? ` Services: ${services.map((service) => service.name).join(', ')}.` : ''
  return `${key} declared as ${severity}.${servicesText}${detected_at === opened_at ? '' : ` Detected at ${iso(detected_at)}.`}`
}

/** Milliseconds that a client's clock may be ahead when it says "now". */
const clockSkewMs = 30_000

/** Replaces a time in the future by now if the difference is only clock skew. */
export const withoutClockSkew = ({ now }: Pick<WriteContext, 'now'>, at: number): number =>
  at > now && at - now <= clockSkewMs ? now : at

/** @throws Refusal invalid_argument for a future time */
export function requirePast(ctx: WriteContext, at: number, field: string): void {
  if (at > ctx.now)
    throw invalid(
      field,
      `${iso(at)} is in the future; the current time is ${iso(ctx.now)}.`,
      'Send a past time, or leave it out.',
    )
}
