// Queries and updates of a project's tasks. A person who sees a project sees its tasks.
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'

/** One person's open tasks in a project. */
export interface PersonCount {
  project_id: Id<'projects'>
  count: number
  person_id: Id<'users'>
}

/**
 * Counts tasks that were added to and removed from the scope of a visible project between two moments: created, and
 * cancelled
 * or trashed. The trash counts here, but only as a number.
 */
export async function scopeChange(
  viewer: Viewer,
  projectId: Id<'projects'>,
  start: number,
  end: number,
): Promise<{ added: number; removed: number }> {
  const tasks = accessScopeOf(viewer).all.selectFrom('tasks').where('project_id', '=', projectId)
  const count = async (query: typeof tasks) =>
    (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow())
      .count
  const cancelled = tasks
    .where('deleted_at', 'is', null)
    .where('status_category', '=', 'cancelled')
    .where('completed_at', '>=', start)
    .where('completed_at', '<=', end)
  return {
    added: await count(tasks.where('created_at', '>=', start).where('created_at', '<=', end)),
    removed:
      (await count(cancelled)) +
      (await count(tasks.where('deleted_at', '>=', start).where('deleted_at', '<=', end))),
  }
}

/** Counts the assigned open tasks of a visible project. */
export async function assignedCount(reader: Viewer, projectId: Id<'projects'>): Promise<number> {
  const { count } = await accessScopeOf(reader)
    .all.selectFrom('open_assignments')
    .where('project_id', '=', projectId)
    .select((eb) => eb.fn.count<number>('task_id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Blockers of the open tasks of a visible project, the oldest link first, including tasks in the trash on either
 * side. An index
 * covers all task columns involved, so that rows of tasks without blockers are not read.
 */
export function openBlockers(viewer: Viewer, projectId: Id<'projects'>) {
  return accessScopeOf(viewer)
    .all.selectFrom('tasks')
    .crossJoin('task_dependencies')
    .whereRef('task_dependencies.task_id', '=', 'tasks.id')
    .where('tasks.project_id', '=', projectId)
    .where('tasks.status_category', 'in', ['triage', 'backlog', 'todo', 'in_progress'])
    .where('task_dependencies.type', '=', 'blocked_by')
    .select(['tasks.id', 'task_dependencies.other_id', 'task_dependencies.added_at'])
    .orderBy('task_dependencies.added_at')
    .execute()
}

/**
 * Counts the tasks of a visible project that use an option of one of its fields. Tasks in the trash use it, too,
 * until they are purged.
 */
export async function optionUses(
  reader: Viewer,
  projectId: Id<'projects'>,
  optionId: string,
): Promise<{ live: number; trashed: number }> {
  const rows = await accessScopeOf(reader)
    .all.selectFrom('tasks')
    .select('deleted_at')
    .where('project_id', '=', projectId)
    .where('custom_fields_json', 'like', `%"${optionId}"%`)
    .execute()
  const trashed = rows.filter((row) => row.deleted_at !== null).length
  return { live: rows.length - trashed, trashed }
}

/** Tasks in some statuses of a visible project, including the trash: a status in use cannot be removed. */
export async function tasksInStatus(
  viewer: Viewer,
  ids: readonly Id<'statuses'>[],
): Promise<Row<'tasks'>[]> {
  if (ids.length === 0) return []
  return accessScopeOf(viewer)
    .all.selectFrom('tasks')
    .selectAll()
    .where('status_id', 'in', ids)
    .orderBy('id')
    .execute()
}

/**
 * Tasks of a project that a person is assigned to or watches, with these links; includes the trash, since they may be
 * restored.
 */
export async function taskLinksOf(
  reader: Viewer,
  projectId: Id<'projects'>,
  personId: Id<'users'>,
): Promise<{ task: Row<'tasks'>; links: Row<'task_people'>[] }[]> {
  const { all } = accessScopeOf(reader)
  const ids = all
    .selectFrom('task_people')
    .select('task_people.task_id')
    .where('task_people.person_id', '=', personId)
  const tasks = await all
    .selectFrom('tasks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  const projectTaskIds = all
    .selectFrom('tasks')
    .select('tasks.id')
    .where('tasks.project_id', '=', projectId)
  const links = await all
    .selectFrom('task_people')
    .selectAll()
    .where('person_id', '=', personId)
    .where('task_id', 'in', projectTaskIds)
    .execute()
  return tasks.map((task) => ({ task, links: links.filter((link) => link.task_id === task.id) }))
}

/** Open task counts of visible projects by assignee, maintained by the database. */
export function personCounts(
  viewer: Viewer,
  ids: readonly Id<'projects'>[],
): Promise<PersonCount[]> {
  const counts = accessScopeOf(viewer)
    .all.selectFrom('open_counts')
    .select(['project_id', 'person_id', 'tasks as count'])
  return counts.where('project_id', 'in', ids).where('tasks', '>', 0).execute()
}
