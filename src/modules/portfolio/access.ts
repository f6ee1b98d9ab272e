import { sql, type SqlBool } from 'kysely'
import type { WriteContext } from '../../operations/context.ts'
import { projectKeys } from '../../records/lookup/lookup-refusals.ts'
import { part } from '../../records/part.ts'
import { prepared } from '../../records/prepared.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type Row, type Scoped, resource } from '../../records/resource.ts'
import type { Id } from '../../kernel/ids.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { perScope } from '../../records/per-scope.ts'

const ownProjectIds = (scope: AccessScope) =>
  scope.all
    .selectFrom('project_members')
    .select('project_members.project_id')
    .where('project_members.person_id', '=', scope.actor.id)
const ledProjectIds = (scope: AccessScope) =>
  ownProjectIds(scope).where('project_members.role', '=', 'lead')

/** Projects: visible to members and the lead; members work in them, the lead changes their settings. */
export const project = resource(
  'projects',
  {
    type: 'project',
    approval: { ignore: true },
    prefix: 'prj',
    see: (s) => s.all.selectFrom('projects').where('projects.id', 'in', ownProjectIds(s)),
    edit: (s) =>
      s.all
        .selectFrom('projects')
        .where('projects.id', 'in', ownProjectIds(s))
        .where('projects.status', '<>', 'archived'),
    own: (s) => s.all.selectFrom('projects').where('projects.id', 'in', ledProjectIds(s)),
    rule: {
      edit: 'This project is archived and read-only; its lead can restore it with archive_project(archived=false).',
      own: 'Only the project lead may do this.',
    },
    alias: (query, key) => query.where('projects.key', '=', key),
    aliasValue: (text) =>
      /^[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) ? text.toUpperCase() : undefined,
    names: { columns: ['name'], details: (row) => ({ status: row.status }) },
    takes: 'id, key or name',
    list: { tool: 'list_projects' },
    title: (row) => row.name,
    key: (row) => row.key,
    path: (row) => `projects/${row.key}`,
    project: (row) => row.id,
    unaudited: ['next_task_number', 'status_before_archive'],
    search: async (row) => ({
      title: row.name,
      body: [row.key, row.description_markdown ?? ''].join('\n'),
      container: row.id,
      part: 'item',
      item_id: row.id,
      item_type: 'project',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

projectKeys.register(async (from, ids) => {
  const projects = await project.among(from, ids)
  return new Map([...projects].map(([id, { key }]) => [id, key]))
})

extend(project, 'trash', {
  restoredWith: countTasksOfProject,
})

/** Ids of visible projects, read once per call: searches need them for many kinds of items. */
export const visibleProjectIds = perScope(async (from) =>
  (await idsOfVisibleProjects(from, {})).map((row) => row.id),
)
const idsOfVisibleProjects = prepared((from) => project.visibleTo(from).select('projects.id'))

export const projectMember = part('project_members', {
  table: 'projects',
  by: 'project_id',
  unique: ['project_id', 'person_id'],
  field: 'members',
  value: (row) => ({ person: row.person_id, role: row.role }),
  touch: 'revision',
  level: 'own',
})

export const status = resource('statuses', {
  type: 'status',
  prefix: 'sta',
  see: (s) => s.all.selectFrom('statuses').where(project.holds(s, 'statuses.project_id')),
  inheritsVisibilityFrom: 'project_id',
  title: (row) => row.name,
  path: (row) => `projects/${row.project_id}`,
  partOf: {
    table: 'projects',
    by: 'project_id',
    field: 'statuses',
    value: (row) => row.name,
    touch: 'revision',
    level: 'own',
  },
})

export const customField = resource('custom_fields', {
  type: 'custom_field',
  prefix: 'fld',
  see: (s) => s.all.selectFrom('custom_fields').where(project.holds(s, 'custom_fields.project_id')),
  inheritsVisibilityFrom: 'project_id',
  edit: (s) =>
    s.all.selectFrom('custom_fields').where(project.holds(s, 'custom_fields.project_id', 'own')),
  rule: { edit: 'Only the project lead may change custom fields.' },
  names: {
    columns: ['name'],
    within: { column: 'project_id', table: 'projects' },
    details: (row) => ({ type: row.type }),
  },
  title: (row) => row.name,
  project: (row) => row.project_id,
  path: (row) => `projects/${row.project_id}#${row.id}`,
})

/** Resolves `current` (the active sprint) and `next` (the first planned one), of one project or of each visible one. */
function currentOrNext(query: Scoped<'sprints'>, text: string): Scoped<'sprints'> | undefined {
  if (text === 'current') return query.where('sprints.status', '=', 'active')
  if (text !== 'next') return undefined
  return query.where(
    sql<SqlBool>`sprints.id = (select soon.id from sprints as soon where soon.project_id = sprints.project_id and soon.status = 'planned' order by soon.starts_on, soon.id limit 1)`,
  )
}

/** Option for resolving names of sprints and milestones: search this project first. */
export function searchFirstIn(id: Id<'projects'> | undefined): {
  within?: { column: 'project_id'; id: Id<'projects'> }
} {
  return id === undefined ? {} : { within: { column: 'project_id', id } }
}

export const sprint = resource('sprints', {
  type: 'sprint',
  prefix: 'spr',
  see: (s) => s.all.selectFrom('sprints').where(project.holds(s, 'sprints.project_id')),
  inheritsVisibilityFrom: 'project_id',
  edit: (s) => s.all.selectFrom('sprints').where(project.holds(s, 'sprints.project_id', 'edit')),
  rule: { edit: 'The project of this sprint is archived.' },
  alias: currentOrNext,
  names: {
    columns: ['name'],
    within: { column: 'project_id', table: 'projects' },
    details: (row) => ({ status: row.status, starts_on: row.starts_on }),
  },
  takes: 'id, name, current or next',
  list: { tool: 'list_sprints', by: 'container' },
  title: (row) => row.name,
  project: (row) => row.project_id,
  path: (row) => `sprints/${row.id}`,
  unaudited: ['report_json'],
})

export const sprintMove = resource('sprint_moves', {
  type: 'sprint_move',
  prefix: 'spm',
  see: (s) => s.all.selectFrom('sprint_moves').where(sprint.holds(s, 'sprint_moves.sprint_id')),
  title: (row) => row.op,
  path: (row) => `sprints/${row.sprint_id}`,
  partOf: {
    table: 'sprints',
    by: 'sprint_id',
    field: 'tasks',
    value: (row) => ({ op: row.op, task: row.task_id }),
    touch: 'time',
  },
})

export const milestone = resource(
  'milestones',
  {
    type: 'milestone',
    prefix: 'mil',
    see: (s) => s.all.selectFrom('milestones').where(project.holds(s, 'milestones.project_id')),
    inheritsVisibilityFrom: 'project_id',
    edit: (s) =>
      s.all.selectFrom('milestones').where(project.holds(s, 'milestones.project_id', 'edit')),
    rule: { edit: 'The project of this milestone is archived.' },
    names: {
      columns: ['name'],
      within: { column: 'project_id', table: 'projects' },
      details: (row) => ({ status: row.status, due_on: row.due_on }),
    },
    list: { tool: 'list_milestones' },
    title: (row) => row.name,
    project: (row) => row.project_id,
    path: (row) => `milestones/${row.id}`,
  },
  { trash: true },
)

extend(milestone, 'undo', {
  isInUse: hasTasks,
})

export const projectUpdate = resource('project_updates', {
  type: 'project_update',
  prefix: 'pup',
  see: (s) =>
    s.all.selectFrom('project_updates').where(project.holds(s, 'project_updates.project_id')),
  title: (row) => `Update: ${row.health.replace('_', ' ')}`,
  path: (row) => `projects/${row.project_id}#${row.id}`,
  partOf: {
    table: 'projects',
    by: 'project_id',
    field: 'updates',
    value: (row) => row.health,
    touch: 'time',
  },
})

/** Allocates the next task number of a project. Call it inside the transaction that uses the number. */
export async function allocateTaskNumber(
  viewer: Viewer,
  projectId: Id<'projects'>,
): Promise<number> {
  const [row] = await nextTaskNumber(viewer, { id: projectId })
  if (!row) throw new Error(`There is no project ${projectId}.`)
  return row.next_task_number - 1
}

const nextTaskNumber = prepared<{ id: Id<'projects'> }, Pick<Row<'projects'>, 'next_task_number'>>(
  (s, { id }) =>
    s.all
      .updateTable('projects')
      .set((eb) => ({ next_task_number: eb('next_task_number', '+', 1) }))
      .where('id', '=', id)
      .returning('next_task_number'),
)

/** Whether a person is a member of a project: the rule for assignees, mentions and hand-overs. */
export async function isMember(
  viewer: Viewer,
  projectId: Id<'projects'>,
  personId: Id<'users'>,
): Promise<boolean> {
  const row = await accessScopeOf(viewer)
    .all.selectFrom('project_members')
    .select('person_id')
    .where('project_id', '=', projectId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row !== undefined
}

/** Reserved for incidents: INC-7. */
const incidentKey = 'INC'

/** Whether a key is taken in the organization, including invisible and trashed projects. */
export async function isKeyTaken(viewer: Viewer, key: string): Promise<boolean> {
  if (key === incidentKey) return true
  const s = accessScopeOf(viewer)
  const row = await s.all
    .selectFrom('projects')
    .select('id')
    .where('org_id', '=', s.actor.org_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns which of these keys are in use in the organization, including by projects in the trash or not visible to
 * the caller.
 */
export async function keysTaken(reader: Viewer, keys: readonly string[]): Promise<Set<string>> {
  const s = accessScopeOf(reader)
  const rows = await s.all
    .selectFrom('projects')
    .select('key')
    .where('org_id', '=', s.actor.org_id)
    .where('key', 'in', keys)
    .execute()
  return new Set([incidentKey, ...rows.map((row) => row.key)])
}

/** A project's tasks in one category. */
export interface CategoryCount {
  project_id: Id<'projects'>
  count: number
  status_category: Row<'tasks'>['status_category']
}

/** Task counts of visible projects by category, maintained by the database. Access to a project includes its tasks. */
export function categoryCounts(
  viewer: Viewer,
  ids: readonly Id<'projects'>[],
): Promise<CategoryCount[]> {
  const counts = accessScopeOf(viewer)
    .all.selectFrom('task_counts')
    .select(['project_id', 'status_category', 'tasks as count'])
  return counts
    .where('project_id', 'in', ids)
    .where('tasks', '>', 0)
    .$castTo<CategoryCount>()
    .execute()
}

/**
 * Records a task's movement in an active sprint, for burndown and scope changes. Ignores sprints that are not active.
 */
export async function recordSprintMove(
  ctx: WriteContext,
  sprintId: Id<'sprints'> | null,
  task: Pick<Row<'tasks'>, 'id' | 'points'>,
  op: Row<'sprint_moves'>['op'],
): Promise<void> {
  if (sprintId === null) return
  const activeSprint = await sprint
    .visibleTo(ctx)
    .select('sprints.id')
    .where('sprints.id', '=', sprintId)
    .where('sprints.status', '=', 'active')
    .executeTakeFirst()
  if (activeSprint)
    await ctx.add('sprint_moves', {
      sprint_id: sprintId,
      task_id: task.id,
      op,
      points: task.points,
      at: ctx.now,
    })
}

/** Number of a project's tasks, which are restored with it. */
async function countTasksOfProject(
  id: string,
  { all }: AccessScope,
): Promise<{ type: string; count: number }[]> {
  const { count } = await all
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', id as Id<'projects'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return [{ type: 'task', count }]
}

/** Whether a milestone has tasks. */
async function hasTasks(id: string, { all }: AccessScope): Promise<boolean> {
  const task = await all
    .selectFrom('tasks')
    .select('id')
    .where('milestone_id', '=', id as Id<'milestones'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return task !== undefined
}
