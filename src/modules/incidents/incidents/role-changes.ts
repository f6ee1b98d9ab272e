import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { holdersOf } from '../access.ts'
import { followIncident } from './visibility.ts'
import { letIn, letOut } from './rooms.ts'
import { addTimelineEntry } from './timeline.ts'

type Incident = Row<'incidents'>
type Role = Row<'incident_roles'>['role']

const roleNames: Record<Role, string> = {
  lead: 'lead',
  communications: 'communications',
  scribe: 'scribe',
}

/** @throws Refusal invalid_argument for deactivated people */
export function requireActiveResponder(who: Row<'users'>, field: string): void {
  if (who.status === 'deactivated')
    throw invalid(field, `${who.display_name} is deactivated.`, 'Choose an active person.')
}

/** Assigns or clears a role. Role holders of a restricted incident see it, and lose access with their last role. */
export async function giveRole(
  ctx: WriteContext,
  row: Incident,
  role: Role,
  to: Row<'users'> | null,
  more = '',
): Promise<void> {
  const holders = await holdersOf(ctx, [row.id])
  const before = holders.find((holder) => holder.role === role)
  if (before?.person_id === to?.id) return
  const others = new Set(
    holders.filter((holder) => holder.role !== role).map((holder) => holder.person_id as string),
  )
  if (before && to) await ctx.changePart('incident_roles', before, { person_id: to.id })
  else if (before) await ctx.remove('incident_roles', before)
  else if (to) await ctx.add('incident_roles', { incident_id: row.id, role, person_id: to.id })
  const was = before && (await person.among(ctx, [before.person_id])).get(before.person_id)
  await addTimelineEntry(ctx, row, {
    kind: 'role',
    text: `${sentence(role, was, to)}${more}`,
    from: was?.display_name ?? null,
    to: to?.display_name ?? null,
  })
  if (to) await welcome(ctx, row, role, to, others)
  if (before && !others.has(before.person_id))
    await dismiss(ctx, row, before.person_id as Id<'users'>)
  await followIncident(ctx, row)
}

function sentence(role: Role, was: Row<'users'> | undefined, to: Row<'users'> | null): string {
  const name = roleNames[role]
  if (!to) return `${was?.display_name ?? 'No one'} is no longer ${name}.`
  return was
    ? `${to.display_name} replaces ${was.display_name} as ${name}.`
    : `${to.display_name} is ${name}.`
}

async function welcome(
  ctx: WriteContext,
  row: Incident,
  role: Role,
  to: Row<'users'>,
  others: ReadonlySet<string>,
): Promise<void> {
  await letIn(ctx, row, [to.id])
  if (row.restricted === 1 && to.role !== 'admin' && !others.has(to.id))
    ctx.access('access_gained', 'incidents', row, to.id)
  ctx.notify(
    'assignment',
    [to.id],
    'incidents',
    row,
    `${ctx.actor.display_name} made you ${roleNames[role]} of an incident`,
  )
}

async function dismiss(ctx: WriteContext, row: Incident, personId: Id<'users'>): Promise<void> {
  if (row.restricted === 0) return
  const who = (await person.among(ctx, [personId])).get(personId)
  if (who?.role !== 'admin') ctx.access('access_lost', 'incidents', row, personId)
  await letOut(ctx, row, personId)
}

/** Whether someone leads a visible incident. */
export async function leads(
  ctx: ReadContext,
  row: Pick<Incident, 'id'>,
  personId: string,
): Promise<boolean> {
  return (await holdersOf(ctx, [row.id])).some(
    (holder) => holder.role === 'lead' && holder.person_id === personId,
  )
}
