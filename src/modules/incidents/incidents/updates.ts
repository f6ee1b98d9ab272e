import { truncate } from '../../../kernel/text/truncate.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { holdersOf, incidentService, servicesOf } from '../access.ts'
import { pageOnCall } from '../escalations/triggers.ts'
import { syncItemAccess } from './visibility.ts'
import { isLead } from './role-changes.ts'
import { requirePast, withoutClockSkew } from './declaration.ts'
import { syncRoomAccess, postInRoom } from './rooms.ts'
import { isActive, type Severity } from './states.ts'
import { addTimelineEntry } from './timeline.ts'
import { applyTransition, notifyResponders } from './transitions.ts'

type Incident = Row<'incidents'>

/** An update's texts for an incident; null clears. */
export interface Texts {
  title?: string | undefined
  summary_markdown?: string | null | undefined
  cause?: string | null | undefined
  customer_impact?: string | null | undefined
}

const textNames = {
  title: 'Title',
  summary_markdown: 'Summary',
  cause: 'Cause',
  customer_impact: 'Customer impact',
} as const
const maxShownLength = 500

/** Changes texts; each change is a timeline entry. The summary's entry omits its long text. */
export async function changeTexts(
  ctx: WriteContext,
  row: Incident,
  { title, summary_markdown, cause, customer_impact }: Texts,
  reasonSuffix: string,
): Promise<Incident> {
  const trimmedPatch = (text: string | null | undefined) =>
    text === undefined ? {} : { value: text?.trim() ? text.trim() : null }
  const newValues = {
    title: title === undefined ? {} : { value: title.trim() },
    summary_markdown: summary_markdown === undefined ? {} : { value: summary_markdown || null },
    cause: trimmedPatch(cause),
    customer_impact: trimmedPatch(customer_impact),
  }
  const fields = (Object.keys(textNames) as (keyof typeof textNames)[]).filter(
    (field) => 'value' in newValues[field] && newValues[field].value !== row[field],
  )
  const changed = await ctx.change(
    'incidents',
    row,
    Object.fromEntries(fields.map((field) => [field, newValues[field].value])),
  )
  for (const field of fields) {
    const values =
      field === 'summary_markdown' ? {} : { from: excerpt(row[field]), to: excerpt(changed[field]) }
    await addTimelineEntry(ctx, row, {
      kind: 'note',
      text: `${textNames[field]} ${changeVerb(row[field], changed[field])}.${reasonSuffix}`,
      ...values,
    })
  }
  return changed
}

function changeVerb(before: string | null, after: string | null): string {
  if (after === null) return 'removed'
  return before === null ? 'added' : 'changed'
}

function excerpt(text: string | null): string | null {
  return text && truncate(text, maxShownLength + 1)
}

export async function changeSeverity(
  ctx: WriteContext,
  row: Incident,
  severity: Severity,
  reasonSuffix: string,
): Promise<Incident> {
  if (severity === row.severity) return row
  const changed = await ctx.change('incidents', row, { severity })
  await addTimelineEntry(ctx, row, {
    kind: 'severity',
    text: `Severity changed from ${row.severity} to ${severity}.${reasonSuffix}`,
    from: row.severity,
    to: severity,
  })
  ctx.event('incident.severity_changed', 'incidents', changed)
  await notifyResponders(
    ctx,
    changed,
    `${ctx.actor.display_name} changed the severity of ${row.key} from ${row.severity} to ${severity}`,
  )
  await postInRoom(
    ctx,
    row,
    `${row.key} is now ${severity}; it was ${row.severity}.${reasonSuffix}`,
  )
  if (severity === 'sev1') await pageOnCall(ctx, changed, 'Raised to sev1.')
  return changed
}

/** Replaces an incident's services; those in the trash stay linked. @returns added services */
export async function changeServices(
  ctx: WriteContext,
  row: Incident,
  services: readonly Row<'services'>[],
  reasonSuffix: string,
): Promise<Row<'services'>[]> {
  const before = (await servicesOf(ctx, [row.id])).get(row.id) ?? []
  const added = services.filter((service) => before.every((other) => other.id !== service.id))
  const removedServices = before.filter((item) => services.every((other) => other.id !== item.id))
  if (added.length + removedServices.length === 0) return []
  for (const item of added)
    await ctx.add('incident_services', { incident_id: row.id, service_id: item.id })
  for (const item of removedServices) {
    const serviceLink = await incidentService
      .of(ctx, [row.id])
      .selectAll('incident_services')
      .where('incident_services.service_id', '=', item.id)
      .executeTakeFirstOrThrow()
    await ctx.remove('incident_services', serviceLink)
  }
  const names = (services: readonly Row<'services'>[]) =>
    services.length === 0 ? null : services.map((item) => item.name).join(', ')
  await addTimelineEntry(ctx, row, {
    kind: 'note',
    text: `Services changed.${reasonSuffix}`,
    from: names(before),
    to: names(services),
  })
  return added
}

/** Sets the time of containment: makes it mitigated, or corrects an earlier time. */
export async function mitigate(
  ctx: WriteContext,
  row: Incident,
  requestedTime: number,
  reasonSuffix: string,
): Promise<Incident> {
  const at = withoutClockSkew(ctx, requestedTime)
  if (at === row.mitigated_at) return row
  requirePast(ctx, at, 'mitigated_at')
  if (at < row.detected_at)
    throw invalid(
      'mitigated_at',
      `${iso(at)} is before ${row.key} was detected, at ${iso(row.detected_at)}.`,
    )
  if (isActive(row) && row.mitigated_at === null) {
    await postInRoom(ctx, row, `${row.key} is mitigated.${reasonSuffix}`)
    return applyTransition(ctx, row, {
      to: 'mitigated',
      patch: { mitigated_at: at },
      text: `Mitigated.${reasonSuffix}`,
      event: 'incident.mitigated',
      at,
    })
  }
  if (row.resolved_at !== null && at > row.resolved_at)
    throw invalid(
      'mitigated_at',
      `${iso(at)} is after ${row.key} was resolved, at ${iso(row.resolved_at)}.`,
    )
  await addTimelineEntry(ctx, row, {
    kind: 'note',
    text: `Time of mitigation corrected.${reasonSuffix}`,
    from: row.mitigated_at === null ? null : iso(row.mitigated_at),
    to: iso(at),
  })
  return ctx.change('incidents', row, { mitigated_at: at })
}

/**
 * Restricts an incident to its role holders and administrators, or opens it to all.
 * @throws Refusal permission_denied except for its lead and administrators
 */
export async function restrict(
  ctx: WriteContext,
  row: Incident,
  restricted: boolean,
  reasonSuffix: string,
): Promise<Incident> {
  if (restricted === (row.restricted === 1)) return row
  if (ctx.actor.role === 'guest')
    throw denied(
      'Guests cannot decide who can see an incident.',
      'A member who leads the incident or an administrator can.',
    )
  if (!isAdmin(ctx.actor) && !(await isLead(ctx, row, ctx.actor.id)))
    throw denied(
      'Only the lead of an incident or an administrator can decide who can see it.',
      `Ask them, or take the lead with assign_incident_role(role="lead", person_id="me").`,
    )
  const changed = await ctx.change('incidents', row, { restricted: restricted ? 1 : 0 })
  await addTimelineEntry(ctx, row, {
    kind: 'note',
    text: `${restricted ? 'Restricted to people with a role in it and administrators' : 'Open to the organization'}.${reasonSuffix}`,
  })
  for (const id of await outsiders(ctx, row))
    ctx.access(restricted ? 'access_lost' : 'access_gained', 'incidents', row, id)
  await syncRoomAccess(ctx, changed)
  await syncItemAccess(ctx, changed)
  return changed
}

/** People who see an incident only while it is unrestricted. */
async function outsiders(ctx: WriteContext, row: Incident): Promise<string[]> {
  const holders = new Set(
    (await holdersOf(ctx, [row.id])).map((holder) => holder.person_id as string),
  )
  const people = await person
    .visibleTo(ctx)
    .select('users.id')
    .where('users.role', '<>', 'admin')
    .where('users.status', '<>', 'deactivated')
    .execute()
  return people.map((item) => item.id as string).filter((id) => !holders.has(id))
}
