import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, Ref } from '../../../records/shapes.ts'
import { incident } from '../access.ts'
import { escalation, targetsOf, type PagingChannel, type EscalationRow } from './access.ts'
import { incidentRef } from '../shapes.ts'

export const Escalation = shape('Escalation', {
  ...common,
  incident: Ref,
  level: z.int(),
  round: z
    .int()
    .describe('manual pages run in their own rounds, in parallel with those of the services'),
  targets: z.array(Ref),
  channels: z
    .array(z.enum(['app', 'email', 'webhook']))
    .describe('the channels these people have enabled for incidents'),
  status: z.enum(['paging', 'acknowledged', 'exhausted', 'cancelled']),
  next_at: datetimeString()
    .optional()
    .describe('when the next level is paged without an acknowledgment'),
  reason: z.string().optional(),
})

/** A page of a visible incident. */
export async function presentEscalation(
  ctx: ReadContext,
  incidentRow: Row<'incidents'>,
  row: EscalationRow,
): Promise<z.infer<typeof Escalation>> {
  const targets = (await targetsOf(ctx, [row])).get(row.id) ?? []
  const people = await peopleRefs(ctx, [row.created_by, ...targets])
  return omitNullish({
    ...commonOf(row, `${incident.url(incidentRow, ctx.baseUrl)}#${row.id}`, people),
    incident: incidentRef(incidentRow),
    level: row.level,
    round: row.round,
    targets: targets.map((id) => people.get(id)!),
    channels: JSON.parse(row.channels_json) as PagingChannel[],
    status: row.status,
    next_at: row.next_at === null ? undefined : iso(row.next_at),
    reason: row.reason === '' ? undefined : row.reason,
  })
}

export const Paged = shape('PagedPeople', {
  people: z.array(Ref),
  level: z.int(),
  reason: z.string(),
})

/** The latest page of a visible incident; undefined if there is none. */
export async function pagedFor(
  ctx: ReadContext,
  incident: Row<'incidents'>,
): Promise<z.infer<typeof Paged> | undefined> {
  const row = await escalation
    .of(ctx, [incident.id])
    .selectAll('escalations')
    .orderBy('escalations.round', 'desc')
    .orderBy('escalations.level', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const targets = (await targetsOf(ctx, [row])).get(row.id) ?? []
  const people = await peopleRefs(ctx, targets)
  return {
    people: targets.map((id) => people.get(id)!),
    level: row.level,
    reason: row.reason || `They are on call for its services at level ${row.level}.`,
  }
}
