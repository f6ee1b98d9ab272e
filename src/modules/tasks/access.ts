import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../kernel/ids.ts'
import { part } from '../../records/part.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type Row, resource } from '../../records/resource.ts'
import type { SearchText } from '../../records/search-text.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { fileHolders } from '../drive/access.ts'
import { project } from '../portfolio/access.ts'
import { labelledItems } from '../labels/access.ts'
import { tasksLike, tasksTitled } from './lists/access-titles.ts'

export { dueBound, dueFrom, dueUntil } from './lists/access-due.ts'
export { dueDay, presentDue } from './lists/dates.ts'

/** Tasks: visible to all who can see the project; members can edit them while it is not archived. */
export const task = resource(
  'tasks',
  {
    type: 'task',
    prefix: 'tsk',
    see: (s) => s.all.selectFrom('tasks').where(project.lists(s, 'tasks.project_id')),
    edit: (s) => s.all.selectFrom('tasks').where(project.lists(s, 'tasks.project_id', 'edit')),
    own: (s) => s.all.selectFrom('tasks').where(project.lists(s, 'tasks.project_id', 'edit')),
    rule: {
      edit: 'The project of this task is archived.',
      own: 'The project of this task is archived.',
    },
    alias: (query, key, s) =>
      query.where('tasks.key', '=', key).where('tasks.org_id', '=', s.actor.org_id),
    aliasValue: (text) =>
      /^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}$/.test(text) ? text.toUpperCase() : undefined,
    names: {
      columns: ['title'],
      by: tasksTitled,
      suggest: tasksLike,
      details: (row) => ({ status: row.status_category }),
    },
    takes: 'id, key or title',
    list: { tool: 'search_tasks', by: 'query' },
    title: (row) => row.title,
    isExternal: (row) => row.trust === 'external',
    externalText: ['title', 'description_markdown'],
    key: (row) => row.key,
    path: (row) => `tasks/${row.key}`,
    project: (row) => row.project_id,
    unaudited: [
      'position',
      'priority_rank',
      'status_category',
      'overdue_told_at',
      'recurrence_start',
      'recurrence_next_at',
      'recurrence_create_at',
    ],
    search: async (row) => ({
      title: row.title,
      body: row.description_markdown ?? '',
      container: row.project_id,
      part: 'item',
      item_id: row.id,
      item_type: 'task',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(task, 'undo', {
  isInUse: hasSubtasks,
})

async function hasSubtasks(id: string, { all }: AccessScope): Promise<boolean> {
  const subtask = await all
    .selectFrom('tasks')
    .select('id')
    .where('parent_id', '=', id as Id<'tasks'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return subtask !== undefined
}

export const taskPerson = part('task_people', {
  table: 'tasks',
  by: 'task_id',
  unique: ['task_id', 'role', 'person_id'],
  field: (row) => (row.role === 'assignee' ? 'assignees' : 'watchers'),
  value: (row) => row.person_id,
  touch: 'revision',
})

/**
 * Finds open tasks that the caller may change, assigned to one or more people, regardless of the number of finished
 * ones. Rows of `open_assignments`,
 * which the database maintains; the query must be driven by their index on person and due date, so it rules out every
 * other.
 */
export function openAssignments(viewer: Viewer, people: readonly Id<'users'>[]) {
  const s = accessScopeOf(viewer)
  return s.all
    .selectFrom('open_assignments')
    .where('open_assignments.person_id', 'in', people)
    .where(project.lists(s, 'open_assignments.project_id', 'edit'))
}

export const taskLabel = part('task_labels', {
  table: 'tasks',
  by: 'task_id',
  unique: ['task_id', 'label_id'],
  field: 'labels',
  value: (row) => row.label_id,
  touch: 'revision',
})

labelledItems.register({ type: 'task', items: task, links: taskLabel })

export const taskDependency = part('task_dependencies', {
  table: 'tasks',
  by: 'task_id',
  unique: ['task_id', 'other_id', 'type'],
  field: (row) => row.type,
  value: (row) => row.other_id,
  touch: 'revision',
})

/** Comments: visible with their task; only their author can edit or delete them. */
export const comment = resource('task_comments', {
  type: 'comment',
  prefix: 'cmt',
  see: (s) => s.all.selectFrom('task_comments').where(task.holds(s, 'task_comments.task_id')),
  inheritsVisibilityFrom: 'task_id',
  edit: (s) =>
    s.all
      .selectFrom('task_comments')
      .where(task.holds(s, 'task_comments.task_id', 'edit'))
      .where('task_comments.created_by', '=', s.actor.id),
  own: (s) =>
    s.all
      .selectFrom('task_comments')
      .where(task.holds(s, 'task_comments.task_id', 'edit'))
      .where('task_comments.created_by', '=', s.actor.id),
  rule: {
    edit: 'Only its author may edit a comment.',
    own: 'Only its author may delete a comment.',
  },
  title: (row) => row.body_markdown.slice(0, 80),
  path: (row) => `tasks/${row.task_id}#${row.id}`,
  partOf: {
    table: 'tasks',
    by: 'task_id',
    field: 'comments',
    value: (row) => row.body_markdown.slice(0, 200),
    touch: 'time',
  },
  search: searchComment,
})

async function searchComment(row: Row<'task_comments'>, scope: AccessScope) {
  return searchPart(row, row.body_markdown, 'comment', scope)
}

async function searchPart(
  row: Row<'task_comments'> | Row<'task_attachments'>,
  body: string,
  kind: SearchText['part'],
  accessScope: AccessScope,
): Promise<SearchText | undefined> {
  const taskRow = await accessScope.all
    .selectFrom('tasks')
    .select(['project_id', 'deleted_at'])
    .where('id', '=', row.task_id)
    .executeTakeFirst()
  if (!taskRow || taskRow.deleted_at !== null) return undefined
  return {
    title: '',
    body,
    container: taskRow.project_id,
    part: kind,
    item_id: row.task_id,
    item_type: 'task',
    at: row.created_at,
  }
}

export const attachment = resource('task_attachments', {
  type: 'attachment',
  prefix: 'att',
  see: (s) => s.all.selectFrom('task_attachments').where(task.holds(s, 'task_attachments.task_id')),
  inheritsVisibilityFrom: 'task_id',
  edit: (s) =>
    s.all.selectFrom('task_attachments').where(task.holds(s, 'task_attachments.task_id', 'edit')),
  rule: { edit: 'The project of this task is archived.' },
  title: (row) => row.name,
  path: (row) => `tasks/${row.task_id}#${row.id}`,
  partOf: {
    table: 'tasks',
    by: 'task_id',
    field: 'attachments',
    value: (row) => row.name,
    touch: 'revision',
  },
  search: async (row, s) => searchPart(row, row.name, 'attachment', s),
})

/** Files attached to tasks that the actor can see. */
fileHolders.register({
  attachedOnly: true,
  shows: (s, file) => {
    const attached = attachment
      .visibleTo(s)
      .where('task_attachments.file_id', '=', sql.ref<never>(file))
      .select('task_attachments.id')
    return sql<SqlBool>`exists ${attached}`
  },
})

/** Templates: of a project for its members, of the organization for all. */
const visibleTemplates = (scope: AccessScope) =>
  scope.all
    .selectFrom('task_templates')
    .where('task_templates.org_id', '=', scope.actor.org_id)
    .where((eb) =>
      eb.or([
        eb('task_templates.project_id', 'is', null),
        project.holds(scope, 'task_templates.project_id'),
      ]),
    )

export const taskTemplate = resource(
  'task_templates',
  {
    type: 'task_template',
    prefix: 'ttp',
    see: visibleTemplates,
    edit: (s) => visibleTemplates(s).where('task_templates.created_by', '=', s.actor.id),
    rule: { edit: 'Only its creator may change or delete a task template.' },
    names: { columns: ['name'] },
    list: { tool: 'list_task_templates' },
    title: (row) => row.name,
    project: (row) => row.project_id,
    path: (row) => `task-templates/${row.id}`,
    unaudited: ['outline_json', 'use_count'],
  },
  { trash: true },
)

/** Subtasks of a task at every depth, parents before children, excluding the trash. */
export async function descendants(
  viewer: Viewer,
  id: Id<'tasks'>,
  limit = 500,
): Promise<Row<'tasks'>[]> {
  return accessScopeOf(viewer)
    .all.withRecursive('below', (db) =>
      db
        .selectFrom('tasks')
        .select(['tasks.id', sql<number>`1`.as('depth')])
        .where('tasks.parent_id', '=', id)
        .where('tasks.deleted_at', 'is', null)
        .unionAll(
          db
            .selectFrom('tasks')
            .innerJoin('below', 'below.id', 'tasks.parent_id')
            .select(['tasks.id', sql<number>`below.depth + 1`.as('depth')])
            .where('tasks.deleted_at', 'is', null)
            .where('below.depth', '<', 50),
        ),
    )
    .selectFrom('tasks')
    .innerJoin('below', 'below.id', 'tasks.id')
    .selectAll('tasks')
    .orderBy('below.depth')
    .orderBy('tasks.position')
    .limit(limit)
    .execute()
}

export type DirectedType = 'blocked_by' | 'duplicates'

/**
 * Every link of a type on the paths from a task to its blockers (or duplicates), including tasks in the trash and
 * tasks that the caller cannot see: restoring a task must not create a cycle. Do not disclose these links.
 */
export async function linksReachableFrom(
  viewer: Viewer,
  id: Id<'tasks'>,
  type: DirectedType,
): Promise<Pick<Row<'task_dependencies'>, 'task_id' | 'other_id'>[]> {
  return accessScopeOf(viewer)
    .all.withRecursive('beyond', (db) =>
      db
        .selectFrom('task_dependencies')
        .select(['task_id', 'other_id'])
        .where('task_id', '=', id)
        .where('type', '=', type)
        .union(
          db
            .selectFrom('task_dependencies')
            .innerJoin('beyond', 'beyond.other_id', 'task_dependencies.task_id')
            .select(['task_dependencies.task_id', 'task_dependencies.other_id'])
            .where('task_dependencies.type', '=', type),
        ),
    )
    .selectFrom('beyond')
    .select(['task_id', 'other_id'])
    .execute()
}

/**
 * Counts how many of these tasks are open and not in the trash, visible to the caller or not. Only this number may be
 * disclosed.
 */
export async function countOpen(reader: Viewer, ids: readonly Id<'tasks'>[]): Promise<number> {
  if (ids.length === 0) return 0
  const row = await accessScopeOf(reader)
    .all.selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tasks.id', 'in', ids)
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
    .where('tasks.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Statuses in which system-created tasks are placed in their project. */
export interface ProjectWorkflow {
  /** The project's key. */
  key: string
  /** In project order. */
  statuses: Row<'statuses'>[]
  /** The last position in use. */
  position: string | null
  /** Active members, the possible assignees. */
  members: Set<string>
}

/** Reads where new occurrences go in a project, even if the caller, standing in for its lead, cannot see it. */
export async function projectWorkflow(
  viewer: Viewer,
  projectId: Id<'projects'>,
): Promise<ProjectWorkflow> {
  const { all } = accessScopeOf(viewer)
  const { key } = await all
    .selectFrom('projects')
    .select('key')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const statuses = await all
    .selectFrom('statuses')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('position')
    .execute()
  const last = await all
    .selectFrom('tasks')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const members = await all
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.person_id')
    .select('users.id')
    .where('project_members.project_id', '=', projectId)
    .where('users.status', '=', 'active')
    .execute()
  return {
    key,
    statuses,
    position: last?.position ?? null,
    members: new Set(members.map((member) => member.id)),
  }
}

/** Counts one use of a template. Not a change of the template, so there is nothing to undo. */
export async function recordUse(reader: Viewer, id: Id<'task_templates'>): Promise<void> {
  await accessScopeOf(reader)
    .all.updateTable('task_templates')
    .set((eb) => ({ use_count: eb('use_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
