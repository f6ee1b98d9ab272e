import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { isMember, projectMember } from '../../portfolio/access.ts'
import { taskPerson } from '../access.ts'
import { notifyAssigned } from './notifications.ts'

/**
 * Requires that people can be assigned tasks of a project.
 * @throws Refusal invalid_argument naming those who are no members, or no longer active
 */
export async function requireAssignable(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  people: readonly Row<'users'>[],
  field = 'assignee_ids',
): Promise<void> {
  if (people.length === 0) return
  const deactivated = people.find((row) => row.status === 'deactivated')
  if (deactivated)
    throw new Refusal(
      'invalid_argument',
      `${field}: ${deactivated.display_name} is deactivated and cannot be assigned.`,
      { field },
    )
  const members = await projectMember
    .of(ctx, [projectId])
    .select('project_members.person_id')
    .where(
      'project_members.person_id',
      'in',
      people.map((row) => row.id),
    )
    .execute()
  const nonMembers = people.filter((row) => !members.some((member) => member.person_id === row.id))
  if (nonMembers.length === 0) return
  throw new Refusal(
    'invalid_argument',
    `${field}: ${nonMembers.map((stranger) => stranger.display_name).join(', ')} ${nonMembers.length === 1 ? 'is not a member' : 'are not members'} of the project.`,
    {
      field,
      hint: 'Its lead can add them with add_project_member.',
      next: {
        tool: 'add_project_member',
        arguments: { project_id: projectId, person_id: nonMembers[0]!.id },
      },
    },
  )
}

/** The member of a project for an id, an email address, `me` or a member's name. */
export async function memberNamed(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  text: string,
): Promise<Row<'users'> | undefined> {
  const match = (await person.find(ctx, text)) ?? (await onlyMember(ctx, projectId, text))
  return match && (await isMember(ctx, projectId, match.id)) ? match : undefined
}

async function onlyMember(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  text: string,
): Promise<Row<'users'> | undefined> {
  const members = projectMember.of(ctx, [projectId]).select('project_members.person_id')
  const matches = await person.named(ctx, text, {
    among: (rows) => rows.where('users.id', 'in', members),
  })
  return matches.length === 1 ? matches[0] : undefined
}

export async function assigneesOf(
  ctx: ReadContext,
  id: Id<'tasks'>,
): Promise<Row<'task_people'>[]> {
  return taskPerson
    .of(ctx, [id])
    .selectAll('task_people')
    .where('task_people.role', '=', 'assignee')
    .execute()
}

/** Replaces the assignees of a task; returns whether that changed anything. */
export async function setAssignees(
  ctx: WriteContext,
  row: Row<'tasks'>,
  people: readonly Row<'users'>[],
): Promise<boolean> {
  const before = await assigneesOf(ctx, row.id)
  const removed = before.filter((item) => !people.some((other) => other.id === item.person_id))
  const added = people.filter((item) => !before.some((other) => other.person_id === item.id))
  for (const item of removed) await ctx.remove('task_people', item)
  for (const item of added)
    await ctx.add('task_people', { task_id: row.id, person_id: item.id, role: 'assignee' })
  if (added.length > 0) ctx.event('task.assigned', 'tasks', row)
  notifyAssigned(ctx, row, added)
  return removed.length + added.length > 0
}

/** Sets whether the caller watches a task. */
export async function setWatching(
  ctx: WriteContext,
  row: Row<'tasks'>,
  watching: boolean,
): Promise<boolean> {
  const watcher = await taskPerson
    .of(ctx, [row.id])
    .selectAll('task_people')
    .where('task_people.role', '=', 'watcher')
    .where('task_people.person_id', '=', ctx.actor.id)
    .executeTakeFirst()
  if (Boolean(watcher) === watching) return false
  if (watcher) await ctx.remove('task_people', watcher)
  else await ctx.add('task_people', { task_id: row.id, person_id: ctx.actor.id, role: 'watcher' })
  return true
}
