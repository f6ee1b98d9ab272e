import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { addDays, dayAt, parseInstant, iso, weekday } from '../../../kernel/time/times.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { categoryCounts, project, sprint, status } from '../../portfolio/access.ts'
import { categories } from '../../portfolio/shapes.ts'
import { task, taskLabel } from '../access.ts'
import { countFilters, filterTasks, type TaskFilter } from './filters.ts'
import { planFor } from './plans.ts'
import { priorities } from '../shapes.ts'
import { compareText } from '../../../kernel/text/order.ts'

const CountBreakdown = shape('CountBreakdown', {
  total: z.int(),
  group_by: z.string(),
  groups: z.array(z.strictObject({ key: z.string(), label: z.string(), count: z.int() })),
  as_of: datetimeString(),
})

const groupings = [
  'status',
  'status_category',
  'assignee',
  'priority',
  'project',
  'label',
  'sprint',
  'due_week',
] as const
type GroupBy = (typeof groupings)[number]

export const countTasks = operation({
  name: 'count_tasks',
  searchHint: 'how many, number of bugs, totals, breakdown by status',
  kind: 'read',
  rest: 'GET /api/tasks/counts',
  about: 'How many tasks match, grouped by one field, without fetching them',
  on: countFilters.on,
  input: {
    group_by: z
      .enum(groupings)
      .describe(
        'a task with several assignees or labels counts in each group; due_week: weeks start on Monday in your time zone',
      ),
    ...countFilters.input,
  },
  output: CountBreakdown,
  async handle({ group_by, ...filters }, ctx) {
    const filter = await countFilters.read(ctx, filters)
    if (hasCounter(group_by, filter))
      return presentGroups(ctx, group_by, await groupsFromCounters(ctx, group_by, filter))
    const plan = await planFor(ctx, filter, 'updated_at')
    const visible = task.visibleTo(ctx)
    // for callers who see a small part of many tasks: the same condition in a form that the index of projects can drive
    const candidates =
      plan.drive === 'projects'
        ? visible.where('tasks.project_id', 'in', project.visibleTo(ctx).select('projects.id'))
        : visible
    const query = filterTasks(candidates, filter, { from: ctx, now: ctx.now, plan })
    const groups =
      group_by === 'due_week'
        ? await byWeek(query, ctx.actor.timezone)
        : await groupsBy(ctx, query, group_by)
    return presentGroups(
      ctx,
      group_by,
      groups,
      group_by === 'assignee' || group_by === 'label' ? await countRows(query) : undefined,
    )
  },
})

function presentGroups(
  ctx: ReadContext,
  group_by: GroupBy,
  groups: Group[],
  total = groups.reduce((sum, group) => sum + group.count, 0),
): z.infer<typeof CountBreakdown> {
  return { total, group_by, groups: sorted(group_by, groups), as_of: iso(ctx.now) }
}

/** True if the database keeps a counter for this query. */
function hasCounter(by: GroupBy, filter: TaskFilter): by is 'status_category' | 'project' {
  return (
    (by === 'status_category' || by === 'project') &&
    Object.keys(filter).every((name) => name === 'project' || name === 'status_category')
  )
}

async function groupsFromCounters(
  ctx: ReadContext,
  by: 'status_category' | 'project',
  { project: projectId, status_category: category }: TaskFilter,
): Promise<Group[]> {
  const visible =
    projectId === undefined
      ? project.visibleTo(ctx)
      : project.visibleTo(ctx).where('projects.id', '=', projectId)
  const projects = new Map(
    (await visible.select(['projects.id', 'projects.name']).execute()).map((row) => [
      row.id as string,
      row.name,
    ]),
  )
  const groups = new Map<string, Group>()
  for (const categoryCount of await categoryCounts(ctx, [
    ...projects.keys(),
  ] as Row<'projects'>['id'][])) {
    if (category && !category.includes(categoryCount.status_category)) continue
    const key = by === 'project' ? categoryCount.project_id : categoryCount.status_category
    groups.set(key, {
      key,
      label: projects.get(key) ?? key,
      count: categoryCount.count + (groups.get(key)?.count ?? 0),
    })
  }
  return [...groups.values()]
}

async function countRows(query: Scoped<'tasks'>): Promise<number> {
  const { count } = await query
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface Group {
  key: string
  label: string
  count: number
}

/**
 * In the natural order if there is one, else by size, largest first; the group without a value (no assignee, no
 * sprint) comes last.
 */
function sorted(by: GroupBy, groups: Group[]): Group[] {
  const rank = (group: Group) => (group.key === 'none' && by !== 'priority' ? 1 : 0)
  const inOrder = groupOrderOf(by)
  return groups.sort((a, b) => rank(a) - rank(b) || inOrder(a, b))
}

function groupOrderOf(by: GroupBy): (a: Group, b: Group) => number {
  const ranks = ranksOf[by]
  if (ranks) return (a, b) => ranks.indexOf(a.key) - ranks.indexOf(b.key)
  if (by === 'due_week') return (a, b) => compareText(a.key, b.key)
  return (a, b) => b.count - a.count || compareText(a.label, b.label)
}

const ranksOf: Partial<Record<GroupBy, readonly string[]>> = {
  status_category: categories,
  priority: priorities,
}

/** Groups by one field; tasks without a value go under `none`. */
async function groupsBy(
  ctx: ReadContext,
  query: Scoped<'tasks'>,
  by: Exclude<GroupBy, 'due_week'>,
): Promise<Group[]> {
  switch (by) {
    case 'status_category':
    case 'priority':
      return (await perValue(query, `tasks.${by}`)).map(({ key, count }) => ({
        key: key!,
        label: key!,
        count,
      }))
    case 'status':
      return byStatus(ctx, query)
    case 'project':
      return labelGroups(
        await perValue(query, 'tasks.project_id'),
        (ids) => project.among(ctx, ids),
        (row) => row.name,
      )
    case 'sprint':
      return labelGroups(
        await perValue(query, 'tasks.sprint_id'),
        (ids) => sprint.among(ctx, ids),
        (row) => row.name,
        'No sprint',
      )
    case 'assignee': {
      const withAssignees = query.leftJoin('task_people', (join) =>
        join.onRef('task_people.task_id', '=', 'tasks.id').on('task_people.role', '=', 'assignee'),
      )
      const rows = await withAssignees
        .select((eb) => ['task_people.person_id as key', eb.fn.countAll<number>().as('count')])
        .groupBy('task_people.person_id')
        .execute()
      return labelGroups(
        rows,
        (ids) => person.among(ctx, ids),
        (row) => row.display_name,
        'No assignee',
      )
    }
    case 'label':
      return byLabel(ctx, query)
  }
}

interface ValueCount {
  key: string | null
  count: number
}

async function perValue(
  query: Scoped<'tasks'>,
  column:
    | 'tasks.status_category'
    | 'tasks.priority'
    | 'tasks.project_id'
    | 'tasks.status_id'
    | 'tasks.sprint_id',
): Promise<ValueCount[]> {
  return query
    .select((eb) => [`${column} as key`, eb.fn.countAll<number>().as('count')])
    .groupBy(column)
    .$castTo<ValueCount>()
    .execute()
}

async function labelGroups<R>(
  counted: readonly ValueCount[],
  find: (ids: string[]) => Promise<Map<string, R>>,
  nameOf: (row: R) => string,
  noneLabel = '',
): Promise<Group[]> {
  const rows = await find(counted.flatMap((item) => item.key ?? []))
  return counted.flatMap(({ key, count }) => {
    if (key === null) return [{ key: 'none', label: noneLabel, count }]
    const row = rows.get(key)
    return row ? [{ key, label: nameOf(row), count }] : []
  })
}

/** Statuses of the same name in several projects count as one. */
async function byStatus(ctx: ReadContext, query: Scoped<'tasks'>): Promise<Group[]> {
  const groups = new Map<string, Group>()
  for (const { label, count } of await labelGroups(
    await perValue(query, 'tasks.status_id'),
    (ids) => status.among(ctx, ids),
    (row) => row.name,
  )) {
    const key = label.toLowerCase()
    groups.set(key, {
      key: groups.get(key)?.key ?? label,
      label: groups.get(key)?.label ?? label,
      count: count + (groups.get(key)?.count ?? 0),
    })
  }
  return [...groups.values()]
}

/** Labels in the trash do not count. */
async function byLabel(ctx: ReadContext, taskQuery: Scoped<'tasks'>): Promise<Group[]> {
  const rows = await taskQuery
    .innerJoin('task_labels', 'task_labels.task_id', 'tasks.id')
    .select((eb) => ['task_labels.label_id as key', eb.fn.countAll<number>().as('count')])
    .groupBy('task_labels.label_id')
    .execute()
  const groups = await labelGroups(
    rows,
    (ids) => label.among(ctx, ids),
    (row) => row.name,
  )
  const labelled =
    groups.length === 0 ? [] : [...groups.map((group) => group.key as Row<'labels'>['id'])]
  const unlabelled =
    labelled.length === 0
      ? taskQuery
      : taskQuery.where(
          'tasks.id',
          'not in',
          taskLabel.of(ctx, labelled, 'label_id').select('task_labels.task_id'),
        )
  const count = await countRows(unlabelled)
  return count === 0 ? groups : [...groups, { key: 'none', label: 'No label', count }]
}

/** By the Monday of the week of the due date. */
async function byWeek(query: Scoped<'tasks'>, zone: string): Promise<Group[]> {
  const rows = await query
    .select((eb) => ['tasks.due_at', 'tasks.due_on', eb.fn.countAll<number>().as('count')])
    .groupBy(['tasks.due_at', 'tasks.due_on'])
    .orderBy('tasks.due_at')
    .execute()
  const mondays = mondaysIn(zone)
  const counts = new Map<string, number>()
  for (const { due_at, due_on, count } of rows) {
    const key = dueWeekOf(mondays, due_at, due_on)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  const rank = (key: string) => (key === 'none' ? 0 : 1)
  const weeks = [...counts].toSorted(([a], [b]) => rank(a) - rank(b) || compareText(a, b))
  return weeks.map(([key, count]) => ({
    key,
    label: key === 'none' ? 'No due date' : `Week of ${key}`,
    count,
  }))
}

/** Mondays of weeks in a zone. Moments must be in ascending order, so that each week is computed once. */
function mondaysIn(zone: string) {
  const mondays = new Map<string, string>()
  const ofDay = (day: string) => {
    const monday = mondays.get(day) ?? addDays(day, 1 - weekday(day))
    mondays.set(day, monday)
    return monday
  }
  let week = { monday: '', end: -Infinity }
  return {
    ofDay,
    ofMoment(at: number): string {
      if (at >= week.end) {
        const monday = ofDay(dayAt(at, zone))
        week = { monday, end: parseInstant(addDays(monday, 7), zone, 'start') }
      }
      return week.monday
    },
  }
}

/** The Monday of the week in which a task is due, if any. */
function dueWeekOf(
  mondays: ReturnType<typeof mondaysIn>,
  dueAt: number | null,
  dueOn: string | null,
): string {
  if (dueAt === null) return 'none'
  return dueOn === null ? mondays.ofMoment(dueAt) : mondays.ofDay(dueOn)
}
