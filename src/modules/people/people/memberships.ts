import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { teamMember } from '../../directory/access.ts'

/** A person's membership row in a team, if any. */
export async function memberOf(
  ctx: ReadContext,
  teamId: Id<'teams'>,
  personId: Id<'users'>,
): Promise<Row<'team_members'> | undefined> {
  return teamMember
    .of(ctx, [teamId])
    .selectAll('team_members')
    .where('team_members.person_id', '=', personId)
    .executeTakeFirst()
}

/** Gives a person a role in a team, adding them if necessary. */
export async function giveRole(
  ctx: WriteContext,
  team: Row<'teams'>,
  who: Row<'users'>,
  role: 'lead' | 'member',
  field: string,
): Promise<void> {
  const before = await memberOf(ctx, team.id, who.id)
  if (before?.role === role) return
  if (!before || role === 'lead') requireActivePerson(who, field)
  if (before) await ctx.changePart('team_members', before, { role })
  else await ctx.add('team_members', { team_id: team.id, person_id: who.id, role })
}

/** Makes a person a team's only lead, or leaves it without one; the previous lead stays a member. */
export async function setLead(
  ctx: WriteContext,
  team: Row<'teams'>,
  who: Row<'users'> | null,
  field: string,
): Promise<void> {
  const leads = await teamMember
    .of(ctx, [team.id])
    .selectAll('team_members')
    .where('team_members.role', '=', 'lead')
    .execute()
  for (const lead of leads)
    if (lead.person_id !== who?.id) await ctx.changePart('team_members', lead, { role: 'member' })
  if (who) await giveRole(ctx, team, who, 'lead', field)
}

/** @throws Refusal for a deactivated person: they may stay in a team, but neither join nor lead it */
export function requireActivePerson(who: Row<'users'>, field: string): void {
  if (who.status === 'deactivated')
    throw new Refusal(
      'conflict',
      `${who.display_name} was deactivated and cannot join or lead a team.`,
      { field },
    )
}
