import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { holdersOf } from '../access.ts'
import { syncItemAccess } from './visibility.ts'
import { addToRoom, removeFromRoom } from './rooms.ts'
import { addTimelineEntry } from './timeline.ts'

type Incident = Row<'incidents'>
type Role = Row<'incident_roles'>['role']

const roleNames: Record<Role, string> = {
  lead: 'lead',
  communications: 'communications',
  scribe: 'scribe',
}

/** @throws Refusal invalid_argument for deactivated people */
export function requireActiveResponder(personRow: Row<'users'>, field: string): void {
  if (personRow.status === 'deactivated')
    throw invalid(field, `${personRow.display_name} is deactivated.`, 'Choose an active person.')
}

/** Assigns or clears a role. Role holders of a restricted incident see it, and lose access with their last role. */
export async function giveRole(
  ctx: WriteContext,
  row: Incident,
  role: Role,
  assignee: Row<'users'> | null,
  suffix = '',
): Promise<void> {
  const holders = await holdersOf(ctx, [row.id])
  const currentHolder = holders.find((holder) => holder.role === role)
  if (currentHolder?.person_id === assignee?.id) return
  const others = new Set(
    holders.filter((holder) => holder.role !== role).map((holder) => holder.person_id as string),
  )
  if (currentHolder && assignee)
    await ctx.changePart('incident_roles', currentHolder, { person_id: assignee.id })
  else if (currentHolder) await ctx.remove('incident_roles', currentHolder)
  else if (assignee)
    await ctx.add('incident_roles', { incident_id: row.id, role, person_id: assignee.id })
  const previousPerson =
    currentHolder &&
    (await person.among(ctx, [currentHolder.person_id])).get(currentHolder.person_id)
  await addTimelineEntry(ctx, row, {
    kind: 'role',
    text: `${roleChangeText(role, previousPerson, assignee)}${suffix}`,
    from: previousPerson?.display_name ?? null,
    to: assignee?.display_name ?? null,
  })
  if (assignee) await admitHolder(ctx, row, role, assignee, others)
  if (currentHolder && !others.has(currentHolder.person_id))
    await removeHolderAccess(ctx, row, currentHolder.person_id as Id<'users'>)
  await syncItemAccess(ctx, row)
}

function roleChangeText(
  role: Role,
  previousPerson: Row<'users'> | undefined,
  to: Row<'users'> | null,
): string {
  const name = roleNames[role]
  if (!to) return `${previousPerson?.display_name ?? 'No one'} is no longer ${name}.`
  return previousPerson
    ? `${to.display_name} replaces ${previousPerson.display_name} as ${name}.`
    : `${to.display_name} is ${name}.`
}

async function admitHolder(
  ctx: WriteContext,
  row: Incident,
  role: Role,
  to: Row<'users'>,
  others: ReadonlySet<string>,
): Promise<void> {
  await addToRoom(ctx, row, [to.id])
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

async function removeHolderAccess(
  ctx: WriteContext,
  row: Incident,
  personId: Id<'users'>,
): Promise<void> {
  if (row.restricted === 0) return
  const who = (await person.among(ctx, [personId])).get(personId)
  if (who?.role !== 'admin') ctx.access('access_lost', 'incidents', row, personId)
  await removeFromRoom(ctx, row, personId)
}

/** Whether someone leads a visible incident. */
export async function isLead(
  ctx: ReadContext,
  row: Pick<Incident, 'id'>,
  personId: string,
): Promise<boolean> {
  return (await holdersOf(ctx, [row.id])).some(
    (holder) => holder.role === 'lead' && holder.person_id === personId,
  )
}
