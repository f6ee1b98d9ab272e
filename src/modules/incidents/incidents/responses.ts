import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import { datetime, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant, iso } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { holdersOf, incident } from '../access.ts'
import { pageOnCall, stopEscalation } from '../escalations/triggers.ts'
import { runningPages } from '../escalations/pages.ts'
import { giveRole, isLead } from './role-changes.ts'
import { requirePast } from './declaration.ts'
import { presentCurrent } from './presenter.ts'
import { archiveRoom, addToRoom, postInRoom } from './rooms.ts'
import { Incident } from '../shapes.ts'
import { lastTransition, applyTransition } from './transitions.ts'

const markdownText = () => z.string().min(1).max(20_000).regex(/\S/, 'must not be blank')

export const acknowledgeIncident = operation({
  name: 'acknowledge_incident',
  searchHint: 'ack, I am on it, looking into it, stop paging',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/incidents/{incident_id}/acknowledge',
  about: 'Acknowledge an incident and stop its escalation',
  on: { incident: incident.edit },
  input: { note: shortText(2000).optional() },
  output: Incident,
  async handle({ incident: row, note: noteText }, ctx) {
    if (
      row.status === 'acknowledged' ||
      (row.status === 'mitigated' && (await runningPages(ctx, row)).length > 0)
    ) {
      await stopEscalation(ctx, row) // pages requested since then
      return presentCurrent(ctx, row.id)
    }
    const noteSuffix = noteText?.trim() ? ` ${noteText.trim()}` : ''
    const changed = await applyTransition(ctx, row, {
      to: 'acknowledged',
      patch: omitNullish({
        acknowledged_at: ctx.now,
        first_acknowledged_at: row.first_acknowledged_at === null ? ctx.now : undefined,
      }),
      text: `Acknowledged by ${ctx.actor.display_name}.${noteSuffix}`,
      event: 'incident.acknowledged',
    })
    const self = (await person.among(ctx, [ctx.actor.id])).get(ctx.actor.id)!
    if ((await holdersOf(ctx, [row.id])).every((holder) => holder.role !== 'lead'))
      await giveRole(ctx, changed, 'lead', self, ' First to acknowledge.')
    await addToRoom(ctx, changed, [self.id])
    await postInRoom(ctx, changed, `I am taking ${changed.key}.${noteSuffix}`)
    return presentCurrent(ctx, row.id)
  },
})

export const resolveIncident = operation({
  name: 'resolve_incident',
  searchHint: 'outage is over, fixed, all clear, back up',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/incidents/{incident_id}/resolve',
  about: 'Resolve an incident with a resolution text',
  on: { incident: incident.edit },
  input: {
    resolution: markdownText().describe('how it was resolved'),
    resolved_at: datetime().optional().describe('default: now'),
  },
  output: Incident,
  async handle({ incident: row, resolution, resolved_at }, ctx) {
    const at =
      resolved_at === undefined
        ? undefined
        : parseInstant(resolved_at, ctx.actor.timezone, 'start', 'resolved_at')
    if (
      row.status === 'resolved' &&
      row.resolution === resolution.trim() &&
      (at === undefined || at === row.resolved_at)
    )
      return presentCurrent(ctx, row.id)
    if (at !== undefined) await requireLaterThanEvents(ctx, row, at)
    const changed = await applyTransition(ctx, row, {
      to: 'resolved',
      patch: { resolved_at: at ?? ctx.now, resolution: resolution.trim() },
      text: resolution.trim(),
      event: 'incident.resolved',
      at: at ?? ctx.now,
    })
    await postInRoom(ctx, changed, `${changed.key} is resolved. ${resolution.trim()}`)
    return presentCurrent(ctx, row.id)
  },
})

/** @throws Refusal invalid_argument if an incident would be resolved before it was noticed, mitigated or reopened */
async function requireLaterThanEvents(
  ctx: WriteContext,
  row: Row<'incidents'>,
  at: number,
): Promise<void> {
  requirePast(ctx, at, 'resolved_at')
  const last = await lastTransition(ctx, row)
  const reopened = last?.to_value === 'open' && last.from_value !== null ? last.occurred_at : null
  const laterEvent = [
    { when: row.detected_at, what: 'was detected' },
    { when: row.mitigated_at, what: 'was mitigated' },
    { when: reopened, what: 'was reopened' },
  ].find((item) => item.when !== null && at < item.when)
  if (laterEvent)
    throw invalid(
      'resolved_at',
      `${iso(at)} is before ${row.key} ${laterEvent.what}, at ${iso(laterEvent.when!)}.`,
    )
}

export const reopenIncident = operation({
  name: 'reopen_incident',
  searchHint: 'outage is back, it broke again, happened again after resolving',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/incidents/{incident_id}/reopen',
  about: 'Reopen a resolved incident',
  on: { incident: incident.edit },
  input: { reason: markdownText() },
  output: Incident,
  async handle({ incident: row, reason }, ctx) {
    if (await isJustReopened(ctx, row, reason)) return presentCurrent(ctx, row.id)
    if (row.status === 'closed' && !isAdmin(ctx.actor) && !(await isLead(ctx, row, ctx.actor.id)))
      throw denied(`${row.key} is closed: only its lead or an administrator can reopen it.`)
    const changed = await applyTransition(ctx, row, {
      to: 'open',
      patch: { acknowledged_at: null, mitigated_at: null, resolved_at: null, closed_at: null },
      text: reason.trim(),
      event: 'incident.reopened',
    })
    await archiveRoom(ctx, changed, false)
    await pageOnCall(ctx, changed, 'Reopened.')
    await postInRoom(ctx, changed, `${changed.key} is open again. ${reason.trim()}`)
    return presentCurrent(ctx, row.id)
  },
})

/** A repeated call with nothing left to do. */
async function isJustReopened(
  ctx: ReadContext,
  row: Row<'incidents'>,
  reason: string,
): Promise<boolean> {
  if (row.status !== 'open') return false
  const last = await lastTransition(ctx, row)
  return (
    last?.to_value === 'open' && last.from_value !== null && last.body_markdown === reason.trim()
  )
}
