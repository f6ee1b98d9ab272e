// The state of an action item is that of the newest live task that was made from it (tasks.source_id), whether or not the reader sees
// that task: nothing is copied that could become stale.
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'

export type ActionStatus = 'open' | 'task_created' | 'done' | 'dropped'

export interface ActionState {
  /** Only to be told to those who see the task. */
  task_id: Id<'tasks'>
  status: ActionStatus
}

/** A task that was trashed, or whose project was, counts as none: the item is open again, until it comes back. */
const liveTasks = (scope: AccessScope) =>
  scope.all
    .selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .where('tasks.source_type', '=', 'action_item')
    .where('tasks.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)

function actionStatusOf(category: Row<'tasks'>['status_category']): ActionStatus {
  if (category === 'done') return 'done'
  return category === 'cancelled' ? 'dropped' : 'task_created'
}

/** States of items that were seen; those without a task are open and not among them. */
export async function statesOf(
  viewer: Viewer,
  ids: readonly Id<'action_items'>[],
): Promise<Map<string, ActionState>> {
  if (ids.length === 0) return new Map()
  const rows = await liveTasks(accessScopeOf(viewer))
    .select(['tasks.id', 'tasks.source_id', 'tasks.status_category'])
    .where('tasks.source_id', 'in', ids)
    .orderBy('tasks.id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.source_id!,
      { task_id: row.id, status: actionStatusOf(row.status_category) },
    ]),
  )
}

/** The status category of an item's task in a query over action_items; null without one. */
function categoryOf(reader: Viewer): Expression<string | null> {
  const newest = liveTasks(accessScopeOf(reader))
    .where('tasks.source_id', '=', sql.ref<never>('action_items.id'))
    .select('tasks.status_category')
    .orderBy('tasks.id', 'desc')
    .limit(1)
  return sql<string | null>`${newest}`
}

/** Whether an item of a query over action_items is in one of these states. */
export function isIn(viewer: Viewer, states: readonly ActionStatus[]): Expression<SqlBool> {
  const status = sql<string>`case ${categoryOf(viewer)} when 'done' then 'done' when 'cancelled' then 'dropped' else 'task_created' end`
  const taskStates = states.filter((state) => state !== 'open')
  const none = sql<SqlBool>`not exists ${liveTasks(accessScopeOf(viewer)).where('tasks.source_id', '=', sql.ref<never>('action_items.id')).select('tasks.id')}`
  const withTask = sql<SqlBool>`(not ${none} and ${status} in (${sql.join(taskStates.length > 0 ? taskStates : [''])}))`
  return states.includes('open') ? sql<SqlBool>`(${none} or ${withTask})` : withTask
}

/** Whether an item of a query over action_items belongs to a project: by its meeting, or by the task that was made from it. */
export function belongsTo(reader: Viewer, projectId: Id<'projects'>): Expression<SqlBool> {
  const s = accessScopeOf(reader)
  const met = s.all
    .selectFrom('meetings')
    .where('meetings.id', '=', sql.ref<never>('action_items.meeting_id'))
    .where('meetings.project_id', '=', projectId)
    .select('meetings.id')
  const done = liveTasks(s)
    .where('tasks.source_id', '=', sql.ref<never>('action_items.id'))
    .where('tasks.project_id', '=', projectId)
    .select('tasks.id')
  return sql<SqlBool>`(exists ${met} or exists ${done})`
}
