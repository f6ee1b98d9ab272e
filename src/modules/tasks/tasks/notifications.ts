import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { taskPerson } from '../access.ts'

/** Notifies people of tasks assigned to them. */
export function notifyAssigned(
  ctx: WriteContext,
  row: Row<'tasks'>,
  people: readonly { id: string }[],
): void {
  const text =
    ctx.actor.via === 'automation'
      ? `${row.key} was assigned to you`
      : `${ctx.actor.display_name} assigned ${row.key} to you`
  ctx.notify(
    'assignment',
    people.map((person) => person.id),
    'tasks',
    row,
    text,
  )
}

/** Notifies the owner of a key of a task delegated to it, unless they delegated it themselves. */
export function notifyDelegated(
  ctx: WriteContext,
  row: Row<'tasks'>,
  { name, owner_id }: Row<'api_keys'>,
): void {
  const text = `${ctx.actor.display_name} delegated ${row.key} to your key "${name}"`
  ctx.notify('assignment', [owner_id], 'tasks', row, text)
}

/** Notifies assignees that a task is no longer blocked. */
export async function notifyUnblockedAssignees(
  ctx: WriteContext,
  row: Row<'tasks'>,
): Promise<void> {
  ctx.notify(
    'assignment',
    (await taskPeopleOf(ctx, row.id))
      .filter((item) => item.role === 'assignee')
      .map((item) => item.person_id),
    'tasks',
    row,
    `${row.key} is no longer blocked`,
  )
}

/**
 * Notifies of a comment: the people mentioned, and otherwise the assignees, the watchers and the creator of the task.
 */
export async function notifyComment(
  ctx: WriteContext,
  row: Row<'tasks'>,
  mentioned: readonly string[],
): Promise<void> {
  notifyMentioned(ctx, row, mentioned)
  const people = [
    row.created_by,
    ...(await taskPeopleOf(ctx, row.id)).map((item) => item.person_id),
  ]
  ctx.notify('comment', people, 'tasks', row, `${ctx.actor.display_name} commented on ${row.key}`)
}

export function notifyMentioned(
  ctx: WriteContext,
  row: Row<'tasks'>,
  mentioned: readonly string[],
): void {
  ctx.notify(
    'mention',
    mentioned,
    'tasks',
    row,
    `${ctx.actor.display_name} mentioned you in a comment on ${row.key}`,
  )
}

function taskPeopleOf(ctx: ReadContext, id: Id<'tasks'>): Promise<Row<'task_people'>[]> {
  return taskPerson.of(ctx, [id]).selectAll('task_people').execute()
}
