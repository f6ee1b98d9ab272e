// An action item's state is that of the newest live task created from it (tasks.source_id), visible to the reader or
// not: nothing is copied that could become stale.
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'

export type ActionStatus = 'open' | 'task_created' | 'done' | 'dropped'

export interface ActionState {
  /** Disclosed only to those who see the task. */
  task_id: Id<'tasks'>
  status: ActionStatus
}

/** Tasks of action items, except trashed ones and those of trashed projects: their items count as open. */
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

/** States of visible items; those without a task are open and not included. */
export async function actionStatesOf(
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

/** The status category of an action item's newest task, as an expression; null without a task. */
function taskCategory(reader: Viewer): Expression<string | null> {
  const newest = liveTasks(accessScopeOf(reader))
    .where('tasks.source_id', '=', sql.ref<never>('action_items.id'))
    .select('tasks.status_category')
    .orderBy('tasks.id', 'desc')
    .limit(1)
  return sql<string | null>`${newest}`
}

/** Whether an action item in a query has one of these statuses. */
export function hasStatus(viewer: Viewer, states: readonly ActionStatus[]): Expression<SqlBool> {
  const status = sql<string>`case ${taskCategory(viewer)} when 'done' then 'done' when 'cancelled' then 'dropped' else 'task_created' end`
  const taskStates = states.filter((state) => state !== 'open')
  const hasNoTask = sql<SqlBool>`not exists ${liveTasks(accessScopeOf(viewer)).where('tasks.source_id', '=', sql.ref<never>('action_items.id')).select('tasks.id')}`
  const hasTaskInState = sql<SqlBool>`(not ${hasNoTask} and ${status} in (${sql.join(taskStates.length > 0 ? taskStates : [''])}))`
  return states.includes('open')
    ? sql<SqlBool>`(${hasNoTask} or ${hasTaskInState})`
    : hasTaskInState
}

/** Whether a query's action item belongs to a project: by its meeting, or by the task created from it. */
export function belongsToProject(reader: Viewer, projectId: Id<'projects'>): Expression<SqlBool> {
  const s = accessScopeOf(reader)
  const projectMeeting = s.all
    .selectFrom('meetings')
    .where('meetings.id', '=', sql.ref<never>('action_items.meeting_id'))
    .where('meetings.project_id', '=', projectId)
    .select('meetings.id')
  const projectTask = liveTasks(s)
    .where('tasks.source_id', '=', sql.ref<never>('action_items.id'))
    .where('tasks.project_id', '=', projectId)
    .select('tasks.id')
  return sql<SqlBool>`(exists ${projectMeeting} or exists ${projectTask})`
}
