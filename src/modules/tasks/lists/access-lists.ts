// Performance-critical queries on whole tables, for lists, counts and search of tasks.
import { sql, type Expression, type SqlBool } from 'kysely'
import { prepared } from '../../../records/prepared.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { columns } from '../../../db/tables.ts'
import { project } from '../../portfolio/access.ts'
import { task } from '../access.ts'

const columnsNotListed = [
  'description_markdown',
  'org_id',
  'overdue_told_at',
  'recurrence_of_id',
  'recurrence_create_at',
  'deleted_at',
  'deleted_by',
  'deleted_with',
] as const

/** A task as loaded for lists: without its description unless requested. */
export type ListedRow = Omit<Row<'tasks'>, (typeof columnsNotListed)[number]> &
  Partial<Pick<Row<'tasks'>, 'description_markdown' | 'deleted_at'>>

const listedColumns = columns.tasks.filter(
  (column) => !(columnsNotListed as readonly string[]).includes(column),
) as Exclude<keyof Row<'tasks'>, (typeof columnsNotListed)[number]>[]

/**
 * Access path with which a list query starts. `ids`: a small set of tasks named by a filter. `project`: the tasks of
 * one project in order.
 * `org`: those of the organization in order, for people who see a good part of them. `projects`: the first ones of
 * each
 * visible project, for people who see few of very many tasks, and for orders that have an index only within a
 * project.
 */
type Drive = 'ids' | 'project' | 'org' | 'projects'

export interface TaskQueryPlan {
  drive: Drive
  /** True if the tasks of the assignee and of the first label are few enough to be fetched and sorted. */
  fewOfPerson: boolean
  fewOfLabel: boolean
}

type Narrow = (tasks: Scoped<'tasks'>) => Scoped<'tasks'>

export interface Listing {
  drive: Drive
  /** The project, if it drives the query; narrow() must check the tasks against it. */
  project_id: string | undefined
  /** Applies the filters. */
  narrow: Narrow
  /** Orders and pages the tasks by their columns `tasks.…`. */
  order: Narrow
  /** The same order by name. */
  by: readonly { as: string; dir: 'asc' | 'desc' }[]
  limit: number
  body: boolean
}

/** Parameters of a list query, which is compiled once and reused. */
export type ListValues = Record<string, string | number | readonly string[]>

/** The query of a task list. Each form can be driven by one index only, so that SQLite has no choice to get wrong. */
export function listing(
  buildListing: (viewer: Viewer, now: number, values: ListValues) => Listing,
): (viewer: Viewer, values: ListValues) => Promise<ListedRow[]> {
  return prepared<ListValues, ListedRow>((s, values) =>
    listedTasksQuery(s, buildListing(s, s.now, values)),
  )
}

function listedTasksQuery(
  scope: AccessScope,
  { drive, project_id, narrow, order, by, limit, body }: Listing,
) {
  const selectedColumns = body ? [...listedColumns, 'description_markdown' as const] : listedColumns
  if (drive !== 'projects') {
    const visible =
      drive === 'project'
        ? task.live(scope.all.selectFrom('tasks'), scope).where(isProjectVisible(scope, project_id))
        : task.visibleTo(scope)
    const query = narrow(
      drive === 'org' ? visible.where('tasks.org_id', '=', scope.actor.org_id) : visible,
    )
    return order(query)
      .select(selectedColumns.map((column) => `tasks.${column}` as const))
      .limit(limit)
      .$castTo<ListedRow>()
  }
  const ofProject = task
    .live(scope.all.selectFrom('tasks'), scope)
    .where(sql<SqlBool>`tasks.project_id = p.id`)
  const firstTasks = order(narrow(ofProject)).select('tasks.id').limit(limit)
  let tasksQuery = scope.all
    .selectFrom('projects as p')
    .crossJoin('tasks as t')
    .where('p.id', 'in', project.visibleTo(scope).select('projects.id'))
    .where('t.id', 'in', firstTasks)
  for (const item of by) tasksQuery = tasksQuery.orderBy(sql.ref(`t.${item.as}`), item.dir)
  return tasksQuery
    .select(selectedColumns.map((column) => `t.${column}` as const))
    .limit(limit)
    .$castTo<ListedRow>()
}

/** True if the caller can see a project: checked once for all its tasks. */
function isProjectVisible(
  accessScope: AccessScope,
  projectId: string | undefined,
): Expression<SqlBool> {
  const visible = project
    .visibleTo(accessScope)
    .select(sql<number>`1`.as('one'))
    .where('projects.id', '=', (projectId ?? '') as Id<'projects'>)
  return sql<SqlBool>`exists ${visible}`
}

/** A column comparison that no index of it can drive. */
export function equalsWithoutIndex(column: string, value: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} || '' = ${value}`
}

/** True if a task has an assignee, or this one; checked per task. */
export function isAssigned(personId?: string): Expression<SqlBool> {
  const assignments = sql`select 1 from task_people where task_people.task_id = tasks.id and task_people.role = 'assignee'`
  return personId === undefined
    ? sql<SqlBool>`exists (${assignments})`
    : sql<SqlBool>`exists (${assignments} and task_people.person_id = ${personId})`
}

/** True if a task has a label; checked per task. */
export function isLabelled(labelId: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from task_labels where task_labels.task_id = tasks.id and task_labels.label_id = ${labelId})`
}

/** True if a task waits for an open task that the caller can see. */
export function isBlocked(viewer: Viewer): Expression<SqlBool> {
  return dependsOnOpen(viewer, 'task_id', 'other_id')
}

/** True if an open task is a blocker of an open task that the caller can see. */
export function isBlocking(reader: Viewer): Expression<SqlBool> {
  const isWaitedFor = dependsOnOpen(reader, 'other_id', 'task_id')
  return sql<SqlBool>`(tasks.status_category not in ('done', 'cancelled') and ${isWaitedFor})`
}

/**
 * True if a task is at one end of a blocking dependency and an open task that the caller can see at the other. A
 * cross join fixes this order: otherwise SQLite starts with all tasks of the visible projects, once per task.
 */
function dependsOnOpen(
  viewer: Viewer,
  end: 'task_id' | 'other_id',
  otherEnd: 'task_id' | 'other_id',
): Expression<SqlBool> {
  const s = accessScopeOf(viewer)
  const others = s.all
    .selectFrom('task_dependencies as d')
    .crossJoin('tasks as b')
    .select(sql<number>`1`.as('one'))
    .where(sql<SqlBool>`${sql.ref(`d.${end}`)} = tasks.id`)
    .whereRef('b.id', '=', `d.${otherEnd}`)
    .where('d.type', '=', 'blocked_by')
    .where('b.status_category', 'not in', ['done', 'cancelled'])
    .where('b.deleted_at', 'is', null)
    .where(project.holds(s, 'b.project_id'))
  return sql<SqlBool>`exists ${others}`
}

/**
 * Up to this many tasks of a person or label are fetched and sorted; beyond that, the order's index is read until the
 * page is full.
 */
const fewLimit = 1000

const countOfPerson = prepared<{ id: string }, { count: number }>((s, { id }) => {
  const assigned = s.all
    .selectFrom('task_people')
    .select('task_id')
    .where('person_id', '=', id as Id<'users'>)
    .where('role', '=', 'assignee')
    .limit(fewLimit + 1)
  return s.all.selectFrom(assigned.as('some')).select((eb) => eb.fn.countAll<number>().as('count'))
})

const countOfLabel = prepared<{ id: string }, { count: number }>((s, { id }) => {
  const labeled = s.all
    .selectFrom('task_labels')
    .select('task_id')
    .where('label_id', '=', id as Id<'labels'>)
    .limit(fewLimit + 1)
  return s.all.selectFrom(labeled.as('some')).select((eb) => eb.fn.countAll<number>().as('count'))
})

/** True if few tasks are assigned to a person or have a label. A hint for the query planner, not for disclosure. */
export async function isFew(
  viewer: Viewer,
  what: 'person' | 'label',
  id: string,
): Promise<boolean> {
  const [row] = await (what === 'person' ? countOfPerson : countOfLabel)(viewer, { id })
  return row!.count <= fewLimit
}

const hints = new Map<string, { at: number; isMost: boolean }>()
const hintLifetime = 60_000

/**
 * True if the caller sees a large part of the organization's tasks. A hint for the query planner, up to a minute old,
 * not for disclosure.
 */
export async function seesMost(viewer: Viewer): Promise<boolean> {
  const { all, actor, now } = accessScopeOf(viewer)
  const hint = hints.get(actor.id)
  if (hint && Math.abs(now - hint.at) < hintLifetime) return hint.isMost
  const numbers = all
    .selectFrom('projects')
    .where('org_id', '=', actor.org_id)
    .select((eb) => eb.fn.sum<number | null>('next_task_number').as('sum'))
  const whole = await numbers.executeTakeFirst()
  const seen = await numbers
    .where('id', 'in', project.visibleTo(viewer).select('projects.id'))
    .executeTakeFirst()
  const isMost = (seen?.sum ?? 0) >= (whole?.sum ?? 0) * 0.3
  if (hints.size > 10_000) hints.clear()
  hints.set(actor.id, { at: now, isMost })
  return isMost
}

export interface TaskExtras {
  id: Id<'tasks'>
  /** Ids, separated by spaces. */
  assignees: string | null
  labels: string | null
  /** Whether the caller watches it. */
  watching: 0 | 1
  comments: number
  /** Total and completed, such as `5 2`. */
  subtasks: string | null
  /** True if it blocks or is blocked. */
  links: 0 | 1
  /** Minutes spent by all people; running timers have none yet. */
  spent: number
}

/** Extra columns that lists show for visible tasks. Subtasks are in the project of their parent. */
export const taskExtras = prepared<{ ids: readonly Id<'tasks'>[] }, TaskExtras>((s, { ids }) =>
  s.all
    .selectFrom('tasks as t')
    .where('t.id', 'in', ids)
    .select([
      't.id',
      sql<
        string | null
      >`(select string_agg(person_id, ' ') from task_people where task_id = t.id and role = 'assignee')`.as(
        'assignees',
      ),
      sql<
        string | null
      >`(select string_agg(label_id, ' ') from task_labels where task_id = t.id)`.as('labels'),
      sql<
        0 | 1
      >`exists (select 1 from task_people where task_id = t.id and role = 'watcher' and person_id = ${s.actor.id})`.as(
        'watching',
      ),
      sql<number>`(select count(*) from task_comments where task_id = t.id)`.as('comments'),
      sql<
        string | null
      >`(select count(*) || ' ' || sum(case status_category when 'done' then 1 else 0 end) from tasks as u where u.parent_id = t.id and u.deleted_at is null)`.as(
        'subtasks',
      ),
      sql<
        0 | 1
      >`(exists (select 1 from task_dependencies where task_id = t.id and type = 'blocked_by') or exists (select 1 from task_dependencies where other_id = t.id and type = 'blocked_by'))`.as(
        'links',
      ),
      sql<number>`(select coalesce(sum(duration_minutes), 0) from time_entries where task_id = t.id and deleted_at is null)`.as(
        'spent',
      ),
    ]),
)

/** Watchers of a visible task. */
export const watchersOf = prepared<{ id: Id<'tasks'> }, { id: string; title: string }>(
  (s, { id }) =>
    s.all
      .selectFrom('task_people')
      .innerJoin('users', 'users.id', 'task_people.person_id')
      .select(['users.id', 'users.display_name as title'])
      .where('task_people.task_id', '=', id)
      .where('task_people.role', '=', 'watcher')
      .orderBy('task_people.added_at')
      .orderBy('users.id'),
)

type Ids = readonly string[]

/**
 * Names of references of visible tasks, by id, all in the same project or the organization. Parents are checked
 * again, since one may be in the trash.
 */
export const taskNames = prepared<
  {
    projects: Ids
    statuses: Ids
    people: Ids
    labels: Ids | null
    sprints: Ids | null
    milestones: Ids | null
    parents: Ids | null
  },
  { id: string; title: string; key: string | null; trust: string | null }
>((s, idSets) => {
  const { all } = s
  const titlesIn = (table: 'statuses' | 'sprints', ids: Ids) =>
    all
      .selectFrom(table)
      .select(['id', 'name as title', noKey, noTrust])
      .where('id', 'in', ids as Id<'statuses' & 'sprints'>[])
      .$castTo<NameRow>()
  let names = all
    .selectFrom('projects')
    .select(['id', 'name as title', 'key', noTrust])
    .where('id', 'in', idSets.projects as Id<'projects'>[])
    .$castTo<NameRow>()
  names = names.unionAll(titlesIn('statuses', idSets.statuses))
  names = names.unionAll(
    all
      .selectFrom('users')
      .select(['id', 'display_name as title', noKey, noTrust])
      .where('id', 'in', idSets.people as Id<'users'>[])
      .$castTo<NameRow>(),
  )
  if (idSets.labels)
    names = names.unionAll(
      all
        .selectFrom('labels')
        .select(['id', 'name as title', noKey, noTrust])
        .where('id', 'in', idSets.labels as Id<'labels'>[])
        .where('deleted_at', 'is', null)
        .$castTo<NameRow>(),
    )
  if (idSets.sprints) names = names.unionAll(titlesIn('sprints', idSets.sprints))
  if (idSets.milestones)
    names = names.unionAll(
      all
        .selectFrom('milestones')
        .select(['id', 'name as title', noKey, noTrust])
        .where('id', 'in', idSets.milestones as Id<'milestones'>[])
        .where('deleted_at', 'is', null)
        .$castTo<NameRow>(),
    )
  if (idSets.parents)
    names = names.unionAll(
      task
        .visibleTo(s)
        .select(['tasks.id', 'tasks.title', 'tasks.key', 'tasks.trust'])
        .where('tasks.id', 'in', idSets.parents as Id<'tasks'>[])
        .$castTo<NameRow>(),
    )
  return names
})

const noKey = sql<string | null>`null`.as('key')
const noTrust = sql<string | null>`null`.as('trust')

interface NameRow {
  id: string
  title: string
  key: string | null
  trust: string | null
}

/** The last position among the tasks of a visible project, including the trash. */
export const lastPosition = prepared<{ project: string }, { position: string }>(
  (s, { project: id }) =>
    s.all
      .selectFrom('tasks')
      .select('position')
      .where('project_id', '=', id as Id<'projects'>)
      .orderBy('position', 'desc')
      .limit(1),
)
