import { z } from 'zod'
import { datetime, moment } from '../../core/fields.ts'
import { operation } from '../../core/operation.ts'
import type { Scoped } from '../../core/resource.ts'
import { addDays, dayAt, instant, iso, weekday } from '../../core/times.ts'
import { project as allProjects } from '../projects/access.ts'
import { categories } from '../projects/shapes.ts'
import { task } from './access.ts'
import { filterInput, filterNeeds, filterOf, narrowed, planFor } from './filters.ts'
import { priorities } from './shapes.ts'

const CountBreakdown = z.strictObject({
  total: z.int(),
  group_by: z.string(),
  groups: z.array(z.strictObject({ key: z.string(), label: z.string(), count: z.int() })),
  as_of: moment(),
})

const groupings = ['status', 'status_category', 'assignee', 'priority', 'project', 'label', 'sprint', 'due_week'] as const
type GroupBy = (typeof groupings)[number]

const { project, assignee } = filterNeeds

export const countTasks = operation({
  name: 'count_tasks',
  kind: 'read',
  rest: 'GET /api/tasks/counts',
  about: 'How many tasks match, grouped by one field, without fetching them',
  on: { project, assignee },
  input: {
    group_by: z.enum(groupings).describe('a task with several assignees or labels counts in each of their groups; due_week: weeks begin on Monday in your zone'),
    status_category: filterInput.status_category,
    due_before: filterInput.due_before,
    due_after: filterInput.due_after,
    created_after: datetime().optional(),
    completed_after: datetime().optional(),
  },
  output: CountBreakdown,
  async handle({ group_by, ...filters }, ctx) {
    const filter = await filterOf(ctx, filters)
    const plan = await planFor(ctx, filter, 'updated_at')
    // in other words once more, so that the index of projects can drive it
    const seen = task.seen(ctx).where('tasks.project_id', 'in', allProjects.seen(ctx).select('projects.id'))
    const found = narrowed(ctx, seen, filter, ctx.now, plan)
    const groups = group_by === 'due_week' ? await byWeek(found, ctx.actor.timezone) : await grouped(found, group_by)
    const total = group_by === 'assignee' || group_by === 'label' ? await countOf(found) : groups.reduce((sum, one) => sum + one.count, 0)
    return { total, group_by, groups: sorted(group_by, groups), as_of: iso(ctx.now) }
  },
})

async function countOf(found: Scoped<'tasks'>): Promise<number> {
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

interface Group {
  key: string
  label: string
  count: number
}

/** By their own order where there is one, else the largest first; what has none (no assignee, no sprint) comes last. */
function sorted(by: GroupBy, groups: Group[]): Group[] {
  const ranks: readonly string[] | undefined = by === 'status_category' ? categories : by === 'priority' ? priorities : undefined
  const rank = (one: Group) => (one.key === 'none' && by !== 'priority' ? 1 : 0)
  return groups.sort((a, b) => rank(a) - rank(b) || (ranks ? ranks.indexOf(a.key) - ranks.indexOf(b.key) : by === 'due_week' ? (a.key < b.key ? -1 : 1) : b.count - a.count || (a.label < b.label ? -1 : 1)))
}

/** Whoever has nothing to be grouped by comes under `none`. */
const nobody: Partial<Record<GroupBy, string>> = { assignee: 'No assignee', label: 'No label', sprint: 'No sprint' }

async function grouped(found: Scoped<'tasks'>, by: Exclude<GroupBy, 'due_week'>): Promise<Group[]> {
  const rows = await pairs(found, by).execute()
  return rows.map(({ key, label, count }) => ({ key: key ?? 'none', label: label ?? nobody[by] ?? '', count }))
}

interface Pair {
  key: string | null
  label: string | null
  count: number
}

function pairs(found: Scoped<'tasks'>, by: Exclude<GroupBy, 'due_week'>) {
  switch (by) {
    case 'status_category':
    case 'priority': {
      const column = `tasks.${by}` as const
      return found.select(eb => [`${column} as key`, `${column} as label`, eb.fn.countAll<number>().as('count')]).groupBy(column).$castTo<Pair>()
    }
    case 'status':
      return found.innerJoin('statuses', 'statuses.id', 'tasks.status_id').select(eb => ['statuses.name as key', 'statuses.name as label', eb.fn.countAll<number>().as('count')]).groupBy('statuses.name').$castTo<Pair>()
    case 'project':
      return found.innerJoin('projects', 'projects.id', 'tasks.project_id').select(eb => ['projects.id as key', 'projects.name as label', eb.fn.countAll<number>().as('count')]).groupBy(['projects.id', 'projects.name']).$castTo<Pair>()
    case 'sprint':
      return found.leftJoin('sprints', 'sprints.id', 'tasks.sprint_id').select(eb => ['sprints.id as key', 'sprints.name as label', eb.fn.countAll<number>().as('count')]).groupBy(['sprints.id', 'sprints.name']).$castTo<Pair>()
    case 'assignee':
      return found
        .leftJoin('task_people', join => join.onRef('task_people.task_id', '=', 'tasks.id').on('task_people.role', '=', 'assignee'))
        .leftJoin('users', 'users.id', 'task_people.person_id')
        .select(eb => ['users.id as key', 'users.display_name as label', eb.fn.countAll<number>().as('count')])
        .groupBy(['users.id', 'users.display_name'])
        .$castTo<Pair>()
    case 'label':
      return found
        .leftJoin('task_labels', 'task_labels.task_id', 'tasks.id')
        .leftJoin('labels', join => join.onRef('labels.id', '=', 'task_labels.label_id').on('labels.deleted_at', 'is', null))
        .select(eb => ['labels.id as key', 'labels.name as label', eb.fn.countAll<number>().as('count')])
        .groupBy(['labels.id', 'labels.name'])
        .$castTo<Pair>()
  }
}

/** By the Monday that begins the week of the due date. */
async function byWeek(found: Scoped<'tasks'>, zone: string): Promise<Group[]> {
  const rows = await found.select(eb => ['tasks.due_at', eb.fn.countAll<number>().as('count')]).groupBy('tasks.due_at').orderBy('tasks.due_at').execute()
  const groups: Group[] = []
  let end = -Infinity
  for (const { due_at, count } of rows) {
    if (due_at === null) {
      groups.push({ key: 'none', label: 'No due date', count })
      continue
    }
    if (due_at >= end) {
      const day = dayAt(due_at, zone)
      const monday = addDays(day, 1 - weekday(day))
      end = instant(addDays(monday, 7), zone, 'start')
      groups.push({ key: monday, label: `Week of ${monday}`, count: 0 })
    }
    groups.at(-1)!.count += count
  }
  return groups
}
