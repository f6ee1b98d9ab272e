import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../kernel/ids.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import { resource, type Row, type Scoped } from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { project } from '../portfolio/access.ts'

/** Projects led by the caller. */
const ledProjects = (scope: AccessScope) => project.ownedBy(scope).select('projects.id')
const tasksOf = (scope: AccessScope, projects: ReturnType<typeof ledProjects>) =>
  scope.all.selectFrom('tasks').select('tasks.id').where('tasks.project_id', 'in', projects)

/** Written so that no index is used for it: many entries have no task. */
const withoutTask = sql<SqlBool>`time_entries.task_id || '' is null`

/**
 * Time spent: people see and change their own entries, and the lead of a project reads those of the project and its
 * tasks.
 */
export const timeEntry = resource(
  'time_entries',
  {
    type: 'time_entry',
    prefix: 'tme',
    see: (s) =>
      s.all
        .selectFrom('time_entries')
        .where((eb) =>
          eb.or([
            eb('time_entries.person_id', '=', s.actor.id),
            eb('time_entries.task_id', 'in', tasksOf(s, ledProjects(s))),
            eb.and([eb('time_entries.project_id', 'in', ledProjects(s)), withoutTask]),
          ]),
        ),
    edit: (s) => s.all.selectFrom('time_entries').where('time_entries.person_id', '=', s.actor.id),
    own: (s) => s.all.selectFrom('time_entries').where('time_entries.person_id', '=', s.actor.id),
    rule: {
      edit: 'You may change only your own time entries.',
      own: 'You may delete only your own time entries.',
    },
    title: (row) =>
      row.running_since_at === null
        ? `${row.duration_minutes} min on ${row.spent_on}`
        : `Timer of ${row.spent_on}`,
    path: (row) => `time/${row.id}`,
    unaudited: ['long_told_at', 'started_at', 'stopped_at'],
  },
  { trash: true },
)

/** Narrows entries to one project: its own and those of its current tasks. */
export function ofProject(
  viewer: Viewer,
  entries: Scoped<'time_entries'>,
  id: Id<'projects'>,
): Scoped<'time_entries'> {
  const tasks = accessScopeOf(viewer)
    .all.selectFrom('tasks')
    .select('tasks.id')
    .where('tasks.project_id', '=', id)
  return entries.where((eb) =>
    eb.or([
      eb('time_entries.task_id', 'in', tasks),
      eb.and([eb('time_entries.project_id', '=', id), withoutTask]),
    ]),
  )
}

/** Ids of the organization's running timers, which are few; callers filter them by visibility. */
export async function runningIds(reader: Viewer): Promise<Id<'time_entries'>[]> {
  const { all, actor } = accessScopeOf(reader)
  const rows = await all
    .selectFrom('time_entries')
    .select('id')
    .where('running_since_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('org_id', '=', actor.org_id)
    .execute()
  return rows.map((row) => row.id)
}

/** The caller's running timer. */
export function runningOf(viewer: Viewer): Promise<Row<'time_entries'> | undefined> {
  return timeEntry
    .editableBy(viewer)
    .selectAll('time_entries')
    .where('time_entries.running_since_at', 'is not', null)
    .executeTakeFirst()
}

const groupings = {
  person: sql<string | null>`time_entries.person_id`,
  task: sql<string | null>`time_entries.task_id`,
  /** The task's current project. */
  project: sql<string | null>`coalesce(tasks.project_id, time_entries.project_id)`,
  day: sql<string | null>`time_entries.spent_on`,
}

export interface Tally {
  key: string | null
  /** Set only if also grouped by task. */
  task: string | null
  minutes: number
  billable: number
}

/** Sums of entries that are already narrowed to visible ones; running timers have no minutes yet. */
export function tally(
  entries: Scoped<'time_entries'>,
  by: keyof typeof groupings,
  withTasks: boolean,
): Promise<Tally[]> {
  const [key, task] = [groupings[by], withTasks ? groupings.task : sql<string | null>`null`]
  return entries
    .leftJoin('tasks', 'tasks.id', 'time_entries.task_id')
    .where('time_entries.running_since_at', 'is', null)
    .select((eb) => [
      key.as('key'),
      task.as('task'),
      eb.fn.sum<number>('time_entries.duration_minutes').as('minutes'),
      sql<number>`sum(case time_entries.billable when 1 then time_entries.duration_minutes else 0 end)`.as(
        'billable',
      ),
    ])
    .groupBy(withTasks && by !== 'task' ? [key, task] : [key])
    .execute()
}

/** Timers of active people that have been running since before a moment, without a notification; at most `limit`. */
export function longTimers(
  { all }: TickContext,
  before: number,
  limit: number,
): Promise<Row<'time_entries'>[]> {
  return all
    .selectFrom('time_entries')
    .innerJoin('users', 'users.id', 'time_entries.person_id')
    .selectAll('time_entries')
    .where('running_since_at', '<=', before)
    .where('time_entries.deleted_at', 'is', null)
    .where('long_told_at', 'is', null)
    .where('users.status', '=', 'active')
    .orderBy('running_since_at')
    .limit(limit)
    .execute()
}

/** Records that people were notified of their timers, without an author. */
export async function markNotified(
  { all, now }: TickContext,
  ids: readonly Id<'time_entries'>[],
): Promise<void> {
  if (ids.length > 0)
    await all
      .updateTable('time_entries')
      .set({ long_told_at: now })
      .where('id', 'in', ids)
      .execute()
}
