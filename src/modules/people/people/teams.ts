import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { paging, pageOf, shortText } from '../../../kernel/fields.ts'
import { containsText, equalsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person, team, teamMember } from '../../directory/access.ts'
import { requireActivePerson, giveRole, memberOf, setLead } from './memberships.ts'
import { presentTeams, Team } from '../shapes.ts'

const teamName = () => z.string().min(1).max(200).regex(/\S/, 'must not be blank')

export const listTeams = operation({
  name: 'list_teams',
  searchHint: 'departments, groups, squads, who is in which team',
  kind: 'read',
  rest: 'GET /api/teams',
  about: 'Teams with members and leads',
  on: { person: person.see.maybe.describe('only teams of this person') },
  input: { query: shortText(200).optional().describe('part of a name or description'), ...paging },
  output: pageOf(Team),
  async handle({ person: who, query, limit, cursor }, ctx) {
    let teamQuery = team.visibleTo(ctx).selectAll('teams')
    if (query?.trim())
      teamQuery = teamQuery.where(containsText(['teams.name', 'teams.description'], query.trim()))
    if (who)
      teamQuery = teamQuery.where(
        'teams.id',
        'in',
        teamMember.of(ctx, [who.id], 'person_id').select('team_members.team_id'),
      )
    const page = await paged(
      teamQuery,
      [
        { by: 'teams.name', as: 'name', dir: 'asc' },
        { by: 'teams.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentTeams(ctx, page.items))
  },
})

export const createTeam = operation({
  name: 'create_team',
  searchHint: 'new team, department, squad, group of people',
  kind: 'write',
  rest: 'POST /api/teams',
  about: 'Create a team (organization admins)',
  on: { lead: person.see.maybe.named('lead_id'), members: person.see.many.maybe },
  input: { name: teamName(), description: shortText(2000).optional() },
  output: Team,
  async handle({ lead, members = [], name, description }, ctx) {
    if (!isAdmin(ctx.actor)) throw adminsOnly()
    await requireFreeTeamName(ctx, name.trim())
    if (lead) requireActivePerson(lead, 'lead_id')
    for (const member of members) requireActivePerson(member, 'member_ids')
    const row = await ctx.add('teams', {
      name: name.trim(),
      description: description?.trim() || null,
    })
    if (lead) await ctx.add('team_members', { team_id: row.id, person_id: lead.id, role: 'lead' })
    for (const member of members)
      if (member.id !== lead?.id)
        await ctx.add('team_members', { team_id: row.id, person_id: member.id, role: 'member' })
    return presentTeam(ctx, row)
  },
})

export const updateTeam = operation({
  name: 'update_team',
  searchHint: 'rename a team, new team lead',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/teams/{team_id}',
  about: 'Rename a team or change its lead or description',
  on: {
    team: team.edit,
    lead: person.see.clearable
      .named('lead_id')
      .describe('added to the team if needed; the previous lead stays as a member; null: no lead'),
  },
  input: { name: teamName().optional(), description: shortText(2000).nullable().optional() },
  output: Team,
  async handle({ team: row, lead, name, description }, ctx) {
    if (name !== undefined) await requireFreeTeamName(ctx, name.trim(), row)
    const changed = await ctx.change(
      'teams',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        description: description === undefined ? undefined : description?.trim() || null,
      }),
    )
    if (lead !== undefined) await setLead(ctx, row, lead, 'lead_id')
    return presentTeam(ctx, changed)
  },
})

export const deleteTeam = operation({
  name: 'delete_team',
  searchHint: 'disband, dissolve a team',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/teams/{team_id}',
  about: 'Delete a team; its members and their work are kept',
  on: { team: team.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ team: row }, ctx) {
    await ctx.trash('teams', row)
    return deletedRef(ctx, team.ref(row, ctx.baseUrl))
  },
})

export const addTeamMember = operation({
  name: 'add_team_member',
  searchHint: 'new hire, join a team, onboard, put someone on the team',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/teams/{team_id}/members/{person_id}',
  about: 'Add a person to a team or change their role',
  on: { team: team.edit, person: person.see },
  input: {
    role: z
      .enum(['lead', 'member'])
      .optional()
      .describe('lead: the previous lead stays as a member; default: unchanged, or member'),
  },
  output: Team,
  async handle({ team: row, person: who, role }, ctx) {
    const before = await memberOf(ctx, row.id, who.id)
    if (role === 'lead') await setLead(ctx, row, who, 'person_id')
    else if (!before || role) await giveRole(ctx, row, who, 'member', 'person_id')
    return presentTeam(ctx, row)
  },
})

export const removeTeamMember = operation({
  name: 'remove_team_member',
  searchHint: 'kick out of a team, take off the team, leaves the team',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/teams/{team_id}/members/{person_id}',
  about: 'Remove a person from a team',
  on: { team: team.edit, person: person.see },
  output: DeletedRef,
  async handle({ team: row, person: who }, ctx) {
    const membership = await memberOf(ctx, row.id, who.id)
    if (!membership) throw notFound('member of the team', 'person_id')
    await ctx.remove('team_members', membership)
    return deletedRef(ctx, person.ref(who, ctx.baseUrl), [], { erased: true })
  },
})

/** The team's current state: member changes also increment its revision. */
async function presentTeam(ctx: ReadContext, row: Row<'teams'>) {
  const current = await team
    .visibleTo(ctx)
    .selectAll('teams')
    .where('teams.id', '=', row.id)
    .executeTakeFirstOrThrow()
  return (await presentTeams(ctx, [current]))[0]!
}

async function requireFreeTeamName(
  ctx: ReadContext,
  name: string,
  except?: Row<'teams'>,
): Promise<void> {
  const sameName = await team
    .visibleTo(ctx)
    .selectAll('teams')
    .where(equalsText('teams.name', name))
    .execute()
  const other = sameName.find((item) => item.id !== except?.id)
  if (!other) return
  throw new Refusal('conflict', `A team named "${other.name}" already exists.`, {
    field: 'name',
    hint: 'Choose another name or use that team.',
    context: { existing_id: other.id },
  })
}

function adminsOnly(): Refusal {
  return denied('Only administrators may create teams.')
}
