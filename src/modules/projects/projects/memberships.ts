import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { taskPerson } from '../../tasks/access.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { projectMember } from '../../portfolio/access.ts'
import { taskLinksOf } from '../access-tasks.ts'

/** @throws Refusal invalid_argument: only active people of the organization can belong to a project */
export function requireActiveMember(person: Row<'users'>, field: string): void {
  if (person.status !== 'active')
    throw invalid(
      field,
      `${person.display_name} is ${person.status}; only active people can belong to a project.`,
    )
}

/** Returns the person's membership of a project that the caller may see. */
export async function membershipOf(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  personId: Id<'users'>,
): Promise<Row<'project_members'> | undefined> {
  return projectMember
    .of(ctx, [projectId])
    .selectAll('project_members')
    .where('project_members.person_id', '=', personId)
    .executeTakeFirst()
}

/** Adds a person to a project, which becomes visible to them. */
export async function joinProject(
  ctx: WriteContext,
  projectRow: Row<'projects'>,
  person: Row<'users'> | { id: Id<'users'> },
  role: 'lead' | 'member',
): Promise<void> {
  await ctx.add('project_members', { project_id: projectRow.id, person_id: person.id, role })
  if (person.id === ctx.actor.id) return
  ctx.access('access_gained', 'projects', projectRow, person.id)
  ctx.event('project.member_added', 'projects', projectRow)
  ctx.notify(
    'invite',
    [person.id],
    'projects',
    projectRow,
    role === 'lead'
      ? `${ctx.actor.display_name} made you the lead of ${projectRow.key}`
      : `${ctx.actor.display_name} added you to ${projectRow.key}`,
  )
}

/** Makes a person the lead, adding them if necessary; the previous lead stays a member. */
export async function makeLead(
  ctx: WriteContext,
  project: Row<'projects'>,
  person: Row<'users'>,
): Promise<void> {
  const lead = await projectMember
    .of(ctx, [project.id])
    .selectAll('project_members')
    .where('project_members.role', '=', 'lead')
    .executeTakeFirst()
  if (lead?.person_id === person.id) return
  if (lead) await ctx.changePart('project_members', lead, { role: 'member' })
  const member = await membershipOf(ctx, project.id, person.id)
  if (!member) return joinProject(ctx, project, person, 'lead')
  await ctx.changePart('project_members', member, { role: 'lead' })
  ctx.notify(
    'assignment',
    [person.id],
    'projects',
    project,
    `${ctx.actor.display_name} made you the lead of ${project.key}`,
  )
}

export interface RemovedLinks {
  /** Open tasks given to the heir, or left without this assignee. */
  open: number
  /** Other tasks from which this assignee was removed. */
  closed: number
  watched: number
}

/** Unassigns a person from a project's tasks when they leave it. Open tasks go to the heir, if any. */
export async function unassignAll(
  ctx: WriteContext,
  projectRow: Row<'projects'>,
  personId: Id<'users'>,
  heir: Row<'users'> | undefined,
): Promise<RemovedLinks> {
  const removed = { open: 0, closed: 0, watched: 0 }
  for (const { task, links } of await taskLinksOf(ctx, projectRow.id, personId)) {
    for (const link of links) {
      await ctx.remove('task_people', link)
      if (link.role === 'watcher') removed.watched++
      else if (isOpenTask(task) && task.deleted_at === null) removed.open++
      else removed.closed++
      if (link.role === 'assignee' && heir && isOpenTask(task)) await assignTo(ctx, task, heir)
    }
  }
  return removed
}

/** Assigns a handed-over task unless the person already has it. */
export async function assignTo(
  ctx: WriteContext,
  taskRow: Row<'tasks'>,
  person: Row<'users'>,
): Promise<void> {
  const existing = await taskPerson
    .of(ctx, [taskRow.id])
    .select('task_people.task_id')
    .where('task_people.person_id', '=', person.id)
    .where('task_people.role', '=', 'assignee')
    .executeTakeFirst()
  if (existing) return
  await ctx.add('task_people', { task_id: taskRow.id, person_id: person.id, role: 'assignee' })
  ctx.event('task.assigned', 'tasks', taskRow)
  ctx.notify(
    'assignment',
    [person.id],
    'tasks',
    taskRow,
    `${ctx.actor.display_name} handed ${taskRow.key} over to you`,
  )
}
