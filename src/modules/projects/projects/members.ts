import { z } from 'zod'
import { operation } from '../../../operations/operation.ts'
import { denied, invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { isMember, project } from '../../portfolio/access.ts'
import {
  requireActiveMember,
  makeLead,
  joinProject,
  membershipOf,
  unassignAll,
} from './memberships.ts'
import { ProjectMember, presentProjects } from '../shapes.ts'
import { requireUnarchived } from './states.ts'

export const addProjectMember = operation({
  name: 'add_project_member',
  searchHint: 'give access to a project, invite to a project, let a guest into a project',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/projects/{project_id}/members/{person_id}',
  about: 'Add a member or change the role in the project (lead only)',
  on: { project: project.own, person: person.see },
  input: {
    role: z
      .enum(['lead', 'member'])
      .optional()
      .describe('lead: the previous lead stays as a member'),
  },
  output: ProjectMember,
  async handle({ project: projectRow, person: who, role }, ctx) {
    requireUnarchived(projectRow)
    requireActiveMember(who, 'person_id')
    const before = await membershipOf(ctx, projectRow.id, who.id)
    if (before?.role === 'lead' && role === 'member')
      throw leadRequired(projectRow.key, 'made a member')
    if (role === 'lead') await makeLead(ctx, projectRow, who)
    else if (!before) await joinProject(ctx, projectRow, who, 'member')
    const [presented] = await presentProjects(ctx, [projectRow])
    return presented!.members.find((member) => member.person.id === who.id)!
  },
})

export const removeProjectMember = operation({
  name: 'remove_project_member',
  searchHint: 'take off a project, remove access to a project',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/projects/{project_id}/members/{person_id}',
  about: 'Remove a member; their open tasks can be handed over',
  on: {
    project: project.see,
    person: person.see.describe('members may remove themselves'),
    heir: person.see.maybe
      .named('reassign_to')
      .describe('member to take over the open tasks; default: unassigned'),
  },
  output: DeletedRef,
  async handle({ project: projectRow, person: who, heir }, ctx) {
    if (who.id !== ctx.actor.id && !(await project.find(ctx, projectRow.id, 'own')))
      throw denied('Only the project lead may remove other members.')
    const membership = await membershipOf(ctx, projectRow.id, who.id)
    if (!membership) throw notFound('member of the project', 'person_id')
    if (membership.role === 'lead') throw leadRequired(projectRow.key, 'removed')
    if (heir) {
      if (heir.id === who.id)
        throw invalid('reassign_to', 'the removed member cannot take over their own tasks.')
      if (!(await isMember(ctx, projectRow.id, heir.id)))
        throw invalid(
          'reassign_to',
          `${heir.display_name} is not a member of ${projectRow.key}.`,
          'Choose a member, or add this person first with add_project_member.',
        )
      requireActiveMember(heir, 'reassign_to')
    }
    const removed = await unassignAll(ctx, projectRow, who.id, heir)
    await ctx.remove('project_members', membership)
    ctx.access('access_lost', 'projects', projectRow, who.id)
    ctx.event('project.member_removed', 'projects', projectRow)
    const removedLinks = [
      { type: heir ? 'assignment_handed_over' : 'open_assignment', count: removed.open },
      { type: 'closed_assignment', count: removed.closed },
      { type: 'watched_task', count: removed.watched },
    ]
    return deletedRef(
      ctx,
      person.ref(who, ctx.baseUrl),
      removedLinks.filter((item) => item.count > 0),
      { erased: true },
    )
  },
})

function leadRequired(key: string, what: string): Refusal {
  return new Refusal(
    'conflict',
    `The lead of ${key} cannot be ${what}: a project must have a lead.`,
    {
      hint: 'Assign another lead first with update_project(lead_id) or add_project_member(role=lead).',
      field: 'person_id',
    },
  )
}
