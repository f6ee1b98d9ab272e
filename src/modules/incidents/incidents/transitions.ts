import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { holdersOf, timelineEntry } from '../access.ts'
import { stopEscalation } from '../escalations/triggers.ts'
import { archiveRoom, postInRoom } from './rooms.ts'
import { requireTransition, type Status } from './states.ts'
import { addTimelineEntry } from './timeline.ts'

type Incident = Row<'incidents'>

export interface Transition {
  to: Status
  /** Accompanying times and texts. */
  patch: Partial<Incident>
  /** Text of the timeline entry, in addition to from and to. */
  text: string
  event: string
  /** When it happened, in milliseconds; default now. */
  at?: number
}

/**
 * Moves an incident to another state, with its timeline entry, event, and notification of role holders.
 * @throws Refusal conflict if the transition is not allowed
 */
export async function applyTransition(
  ctx: WriteContext,
  row: Incident,
  { to, patch, text, event, at }: Transition,
): Promise<Incident> {
  requireTransition(row, to)
  const changed = await ctx.change('incidents', row, { ...patch, status: to })
  await addTimelineEntry(ctx, changed, { kind: 'status', text, from: row.status, to, at })
  ctx.event(event, 'incidents', changed)
  if (to !== 'open') await stopEscalation(ctx, changed)
  await notifyResponders(ctx, changed, `${ctx.actor.display_name} ${actionText(to, changed.key)}`)
  return changed
}

const verbs: Record<Exclude<Status, 'mitigated'>, string> = {
  open: 'reopened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  closed: 'closed',
}

function actionText(status: Status, key: string): string {
  return status === 'mitigated' ? `marked ${key} as mitigated` : `${verbs[status]} ${key}`
}

/** Notifies an incident's role holders, and the person who declared it. */
export async function notifyResponders(
  ctx: WriteContext,
  row: Incident,
  text: string,
): Promise<void> {
  const holders = await holdersOf(ctx, [row.id])
  ctx.notify(
    'incident',
    [...holders.map((holder) => holder.person_id), row.created_by],
    'incidents',
    row,
    text,
  )
}

/**
 * Closes a resolved incident, and archives its channel.
 * @throws Refusal conflict if it is not resolved
 */
export async function closeIncident(
  ctx: WriteContext,
  row: Incident,
  text = 'Closed.',
): Promise<Incident> {
  requireTransition(row, 'closed')
  await postInRoom(ctx, row, `${row.key} is closed. ${text}`)
  const changed = await applyTransition(ctx, row, {
    to: 'closed',
    patch: { closed_at: ctx.now },
    text,
    event: 'incident.closed',
  })
  await archiveRoom(ctx, changed, true)
  return changed
}

/** The last state change of a visible incident; its declaration is the first. */
export function lastTransition(
  ctx: ReadContext,
  row: Incident,
): Promise<Row<'timeline_entries'> | undefined> {
  return timelineEntry
    .of(ctx, [row.id])
    .selectAll('timeline_entries')
    .where('timeline_entries.kind', '=', 'status')
    .orderBy('timeline_entries.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
