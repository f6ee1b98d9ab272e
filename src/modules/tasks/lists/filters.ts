import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { instant } from '../../../kernel/time/times.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { inProject, milestone, project, sprint, status } from '../../portfolio/access.ts'
import { categoryEnum } from '../../portfolio/shapes.ts'
import { task, taskLabel, taskPerson } from '../access.ts'
import { dueBound, dueFrom, dueUntil } from './access-due.ts'
import {
  isAssigned,
  isBlocked,
  isFew,
  isLabelled,
  loosely,
  seesMost,
  type Drive,
} from './access-lists.ts'
import { priorityEnum } from '../shapes.ts'

/** The rows that filters of tasks name, for `on`. */
export const filterNeeds = {
  project: project.see.maybe,
  assignee: person.see.maybe.named('assignee').describe('id, email address or me'),
  label: label.see.many.maybe.named('label_id').describe('tasks that have all of these'),
  sprint: sprint.see.maybe,
  milestone: milestone.see.maybe,
  parent: task.see.maybe,
  creator: person.see.maybe.named('created_by').describe('id, email address or me'),
}

/** The other filters of tasks, for `input`. */
export const filterInput = {
  status: z.array(z.string().min(1).max(200)).max(20).optional().describe('status names'),
  status_category: z.array(categoryEnum).max(6).optional(),
  priority: z.array(priorityEnum).max(5).optional(),
  due_before: datetime().optional().describe('or at that moment; a date includes that day'),
  due_after: datetime().optional().describe('or at that moment; a date includes that day'),
  updated_after: datetime().optional(),
  overdue: z.boolean().optional().describe('open and past the due date'),
  blocked: z.boolean().optional().describe('blocked by an open task'),
  has_no_assignee: z.boolean().optional(),
}

/** The same filters as one object, ids as they are on the wire: `filter` of bulk_update_tasks. */
const id = () => z.string().min(1).max(320).optional()
export const filterObject = z.strictObject({
  project_id: id(),
  assignee: id(),
  label_id: z.array(z.string().min(1).max(320)).max(20).optional(),
  sprint_id: id(),
  milestone_id: id(),
  parent_id: id(),
  created_by: id(),
  ...filterInput,
})

interface Named {
  project?: Row<'projects'> | undefined
  assignee?: Row<'users'> | undefined
  label?: Row<'labels'>[] | undefined
  sprint?: Row<'sprints'> | undefined
  milestone?: Row<'milestones'> | undefined
  parent?: Row<'tasks'> | undefined
  creator?: Row<'users'> | undefined
}

type Said = { [K in keyof typeof filterInput]?: z.infer<(typeof filterInput)[K]> | undefined } & {
  created_after?: string | undefined
  completed_after?: string | undefined
}

/** Filters of tasks, resolved: ids of rows that the caller sees, moments in milliseconds. */
export interface TaskFilter {
  project?: string
  assignee?: string
  labels?: readonly string[]
  sprint?: string
  milestone?: string
  parent?: string
  creator?: string
  status?: readonly string[]
  category?: readonly string[]
  priority?: readonly string[]
  due_before?: number
  /** The same where a day was named, and the end of the range of moments in which tasks of that day lie (dates.ts). */
  due_before_day?: string
  due_before_reach?: number
  due_after?: number
  due_after_day?: string
  due_after_reach?: number
  updated_after?: number
  created_after?: number
  completed_after?: number
  overdue?: boolean
  blocked?: boolean
  unassigned?: boolean
}

/**
 * The filters of a call.
 * @throws Refusal invalid_argument for a moment that is none, and for a status that the named project does not have
 */
export async function filterOf(ctx: ReadContext, args: Named & Said): Promise<TaskFilter> {
  const zone = ctx.actor.timezone
  const after = (name: 'updated_after' | 'created_after' | 'completed_after') =>
    args[name] === undefined ? undefined : instant(args[name], zone, 'start', name)
  const before =
    args.due_before === undefined ? undefined : dueBound(args.due_before, zone, 'end', 'due_before')
  const from =
    args.due_after === undefined ? undefined : dueBound(args.due_after, zone, 'start', 'due_after')
  const list = <T>(values: readonly T[] | undefined) => (values?.length ? values : undefined)
  if (args.project && args.status?.length) await demandStatuses(ctx, args.project, args.status)
  return given({
    project: args.project?.id,
    assignee: args.assignee?.id,
    labels: list(args.label?.map((row) => row.id)),
    sprint: args.sprint?.id,
    milestone: args.milestone?.id,
    parent: args.parent?.id,
    creator: args.creator?.id,
    status: list(args.status),
    category: list(args.status_category),
    priority: list(args.priority),
    due_before: before?.at,
    due_before_day: before?.day,
    due_before_reach: before?.reach,
    due_after: from?.at,
    due_after_day: from?.day,
    due_after_reach: from?.reach,
    updated_after: after('updated_after'),
    created_after: after('created_after'),
    completed_after: after('completed_after'),
    overdue: args.overdue,
    blocked: args.blocked,
    unassigned: args.has_no_assignee,
  })
}

/** The filters of an object whose ids were not resolved by the pipeline. */
export async function filterFrom(
  ctx: ReadContext,
  {
    project_id,
    assignee,
    label_id,
    sprint_id,
    milestone_id,
    parent_id,
    created_by,
    ...said
  }: z.infer<typeof filterObject>,
): Promise<TaskFilter> {
  const of =
    project_id === undefined
      ? undefined
      : await project.demand(ctx, project_id, 'see', 'filter.project_id')
  return filterOf(ctx, {
    ...said,
    label: await label.demandAll(ctx, label_id ?? [], 'see', 'filter.label_id'),
    project: of,
    assignee:
      assignee === undefined
        ? undefined
        : await person.demand(ctx, assignee, 'see', 'filter.assignee'),
    sprint:
      sprint_id === undefined
        ? undefined
        : await sprint.demand(ctx, sprint_id, 'see', 'filter.sprint_id', inProject(of?.id)),
    milestone:
      milestone_id === undefined
        ? undefined
        : await milestone.demand(
            ctx,
            milestone_id,
            'see',
            'filter.milestone_id',
            inProject(of?.id),
          ),
    parent:
      parent_id === undefined
        ? undefined
        : await task.demand(ctx, parent_id, 'see', 'filter.parent_id'),
    creator:
      created_by === undefined
        ? undefined
        : await person.demand(ctx, created_by, 'see', 'filter.created_by'),
  })
}

function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as never
}

async function demandStatuses(
  ctx: ReadContext,
  of: Row<'projects'>,
  names: readonly string[],
): Promise<void> {
  const rows = await status
    .visibleTo(ctx)
    .select('statuses.name')
    .where('statuses.project_id', '=', of.id)
    .orderBy('statuses.position')
    .execute()
  const known = new Set(rows.map((row) => row.name.toLowerCase()))
  const unknown = names.find((name) => !known.has(name.toLowerCase()))
  if (unknown !== undefined)
    throw invalid(
      'status',
      `${of.key} has no status "${unknown}".`,
      `Its statuses are ${rows.map((row) => row.name).join(', ')}.`,
    )
}

export type Sort = 'due_at' | 'priority' | 'created_at' | 'updated_at' | 'position'

/** How a query of tasks finds its rows quickly. */
export interface TaskQueryPlan {
  drive: Drive
  /** Whether the assignee's tasks, and those of the first label, are few enough to be fetched and sorted. */
  fewOfPerson: boolean
  fewOfLabel: boolean
}

export async function planFor(ctx: Viewer, filter: TaskFilter, sort: Sort): Promise<TaskQueryPlan> {
  const fewOfPerson = filter.assignee !== undefined && (await isFew(ctx, 'person', filter.assignee))
  const fewOfLabel = filter.labels !== undefined && (await isFew(ctx, 'label', filter.labels[0]!))
  const few = { fewOfPerson, fewOfLabel }
  if (
    fewOfPerson ||
    fewOfLabel ||
    filter.sprint !== undefined ||
    filter.milestone !== undefined ||
    filter.parent !== undefined
  )
    return { drive: 'ids', ...few }
  if (filter.project !== undefined) return { drive: 'project', ...few }
  const overAll = sort === 'updated_at' || sort === 'created_at' || sort === 'due_at'
  return { drive: overAll && (await seesMost(ctx)) ? 'org' : 'projects', ...few }
}

/** Tasks narrowed by filters. */
export function filterTasks(
  from: Viewer,
  tasks: Scoped<'tasks'>,
  filter: TaskFilter,
  now: number,
  plan: TaskQueryPlan,
): Scoped<'tasks'> {
  return byPlace(
    byState(byTime(byPeople(from, tasks, filter, plan), filter), from, filter, now),
    filter,
    plan,
  )
}

function byPlace(
  tasks: Scoped<'tasks'>,
  filter: TaskFilter,
  { drive }: TaskQueryPlan,
): Scoped<'tasks'> {
  let found = tasks
  if (filter.project !== undefined)
    found =
      drive === 'ids'
        ? found.where(loosely('tasks.project_id', filter.project))
        : found.where('tasks.project_id', '=', filter.project as Row<'projects'>['id'])
  if (filter.sprint !== undefined)
    found = found.where('tasks.sprint_id', '=', filter.sprint as Row<'sprints'>['id'])
  if (filter.milestone !== undefined)
    found = found.where('tasks.milestone_id', '=', filter.milestone as Row<'milestones'>['id'])
  if (filter.parent !== undefined)
    found = found.where('tasks.parent_id', '=', filter.parent as Row<'tasks'>['id'])
  return found
}

function byPeople(
  from: Viewer,
  tasks: Scoped<'tasks'>,
  filter: TaskFilter,
  plan: TaskQueryPlan,
): Scoped<'tasks'> {
  let found = tasks
  if (filter.assignee !== undefined) {
    const mine = taskPerson
      .of(from, [filter.assignee as Row<'users'>['id']], 'person_id')
      .where('task_people.role', '=', 'assignee')
      .select('task_people.task_id')
    found = plan.fewOfPerson
      ? found.where('tasks.id', 'in', mine)
      : found.where(isAssigned(filter.assignee))
  }
  for (const [i, one] of (filter.labels ?? []).entries()) {
    const labelled = taskLabel
      .of(from, [one as Row<'labels'>['id']], 'label_id')
      .select('task_labels.task_id')
    found =
      i === 0 && plan.fewOfLabel
        ? found.where('tasks.id', 'in', labelled)
        : found.where(isLabelled(one))
  }
  if (filter.creator !== undefined)
    found = found.where('tasks.created_by', '=', filter.creator as Row<'users'>['id'])
  if (filter.unassigned !== undefined)
    found = found.where((eb) => (filter.unassigned ? eb.not(isAssigned()) : isAssigned()))
  return found
}

function byTime(tasks: Scoped<'tasks'>, filter: TaskFilter): Scoped<'tasks'> {
  let found = tasks
  if (filter.due_before !== undefined)
    found = found.where(
      dueUntil({
        at: filter.due_before,
        day: filter.due_before_day,
        reach: filter.due_before_reach!,
      }),
    )
  if (filter.due_after !== undefined)
    found = found.where(
      dueFrom({ at: filter.due_after, day: filter.due_after_day, reach: filter.due_after_reach! }),
    )
  if (filter.updated_after !== undefined)
    found = found.where('tasks.updated_at', '>=', filter.updated_after)
  if (filter.created_after !== undefined)
    found = found.where('tasks.created_at', '>=', filter.created_after)
  if (filter.completed_after !== undefined)
    found = found.where('tasks.completed_at', '>=', filter.completed_after)
  return found
}

const closed = ['done', 'cancelled'] as const

function byState(
  tasks: Scoped<'tasks'>,
  from: Viewer,
  filter: TaskFilter,
  now: number,
): Scoped<'tasks'> {
  let found = tasks
  if (filter.category)
    found = found.where(
      'tasks.status_category',
      'in',
      filter.category as Row<'tasks'>['status_category'][],
    )
  if (filter.priority)
    found = found.where('tasks.priority', 'in', filter.priority as Row<'tasks'>['priority'][])
  if (filter.status) {
    const names = filter.status
    const named = status
      .visibleTo(from)
      .where((eb) =>
        eb(
          eb.fn<string>('lower', ['statuses.name']),
          'in',
          names.map((name) => eb.fn<string>('lower', [eb.val(name)])),
        ),
      )
      .select('statuses.id')
    found = found.where('tasks.status_id', 'in', named)
  }
  if (filter.overdue !== undefined) {
    found = found.where((eb) => {
      const late = eb.and([
        eb('tasks.due_at', '<', now),
        eb('tasks.status_category', 'not in', closed),
      ])
      return filter.overdue ? late : eb.or([eb('tasks.due_at', 'is', null), eb.not(late)])
    })
  }
  if (filter.blocked !== undefined)
    found = found.where((eb) => (filter.blocked ? isBlocked(from) : eb.not(isBlocked(from))))
  return found
}
