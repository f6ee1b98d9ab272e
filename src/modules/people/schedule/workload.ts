import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date, day } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { addDays, dayAt, instantOfMinute } from '../../../kernel/time/times.ts'
import { timeOnCall } from '../../incidents/access.ts'
import { project } from '../../portfolio/access.ts'
import { dueBound, dueUntil } from '../../tasks/access.ts'
import { person } from '../../directory/access.ts'
import { checkPeriod, daysBetweenInclusive } from './days.ts'
import { daysOff } from './days-off.ts'
import { openTasksOf } from './duties.ts'
import { minutesOn, type WorkingHours } from '../people/hours.ts'
import { personRef } from '../../directory/shapes.ts'
import { Ref } from '../../../records/shapes.ts'

const Workload = shape('Workload', {
  person: Ref,
  from: day(),
  to: day(),
  open_tasks: z
    .int()
    .describe(
      'open tasks due by the end of the period, including overdue ones, and tasks in progress without a date',
    ),
  estimate_minutes: z.int().describe('the sum of their estimates'),
  unestimated_tasks: z.int().describe('tasks without an estimate, not counted in the load'),
  capacity_minutes: z
    .int()
    .describe('working hours in the period, minus time off and organization holidays'),
  meeting_minutes: z.int().optional().describe('omitted without the calendar module'),
  time_off_days: z.number().describe('working days away in the period'),
  on_call_minutes: z
    .int()
    .describe('minutes on call in the period, at any level; not counted in the load'),
  by_project: z.array(z.strictObject({ project: Ref, open: z.int(), overdue: z.int() })),
  load: z
    .enum(['unknown', 'light', 'normal', 'heavy', 'over'])
    .describe(
      '(estimates + meetings) / capacity: light below 50 %, normal below 85 %, heavy up to 100 %, over above; unknown: there are tasks, and none has an estimate',
    ),
})

/** Two weeks, including the first day. */
const defaultSpanDays = 13

export const getPersonWorkload = operation({
  name: 'get_person_workload',
  searchHint: 'how busy, capacity, overloaded, bandwidth, can they take more work',
  kind: 'read',
  rest: 'GET /api/people/{person_id}/workload',
  about:
    'Open tasks, estimates, meeting hours and time off of a person in a period, counting only projects you share',
  on: { person: person.see },
  input: {
    from: date().optional().describe('default: today'),
    to: date().optional().describe('last day; default: two weeks in total'),
  },
  output: Workload,
  async handle({ person: who, ...period }, ctx) {
    const from = period.from ?? dayAt(ctx.now, ctx.actor.timezone)
    const to = period.to ?? addDays(from, defaultSpanDays)
    checkPeriod(from, to, { from: 'from', to: 'to', maxDays: 366 })
    const hours = JSON.parse(who.working_hours_json) as WorkingHours
    const off = await daysOff(ctx, who.id, from, to)
    const days = daysBetweenInclusive(from, to)
    const workdays = days.filter((isoDay) => !off.away.has(isoDay) && !off.holidays.has(isoDay))
    const capacity_minutes = workdays.reduce((sum, isoDay) => sum + minutesOn(isoDay, hours), 0)
    const tasks = await tasksIn(ctx, who, to)
    const estimate_minutes = tasks.reduce((sum, task) => sum + (task.estimate_minutes ?? 0), 0)
    return {
      person: personRef(who),
      from,
      to,
      open_tasks: tasks.length,
      estimate_minutes,
      unestimated_tasks: tasks.filter((task) => task.estimate_minutes === null).length,
      capacity_minutes,
      time_off_days: days.filter(
        (isoDay) =>
          off.away.has(isoDay) && !off.holidays.has(isoDay) && minutesOn(isoDay, hours) > 0,
      ).length,
      on_call_minutes: Math.round(
        (await timeOnCall(ctx, {
          person: who.id,
          from: instantOfMinute(from, 0, who.timezone),
          until: instantOfMinute(to, 1440, who.timezone),
        })) / 60_000,
      ),
      by_project: await byProject(ctx, tasks),
      load:
        tasks.length > 0 && tasks.every((item) => item.estimate_minutes === null)
          ? ('unknown' as const)
          : loadOf(estimate_minutes, capacity_minutes),
    }
  },
})

type CountedTask = Pick<Row<'tasks'>, 'project_id' | 'estimate_minutes' | 'due_at'>

/**
 * Finds tasks that count towards a period: due by its end, or without a due date but started; tasks that start only
 * later are excluded.
 */
async function tasksIn(ctx: ReadContext, who: Row<'users'>, to: string): Promise<CountedTask[]> {
  const end = instantOfMinute(to, 1440, who.timezone)
  return openTasksOf(ctx, who.id)
    .select(['tasks.project_id', 'tasks.estimate_minutes', 'tasks.due_at'])
    .where((eb) => eb.or([eb('tasks.start_at', 'is', null), eb('tasks.start_at', '<', end)]))
    .where((eb) =>
      eb.or([
        dueUntil(dueBound(to, who.timezone, 'end', 'to')),
        eb.and([
          eb('tasks.due_at', 'is', null),
          eb('tasks.status_category', 'in', ['todo', 'in_progress']),
        ]),
      ]),
    )
    .execute()
}

async function byProject(ctx: ReadContext, tasks: readonly CountedTask[]) {
  const ids = [...new Set(tasks.map((task) => task.project_id))] as Id<'projects'>[]
  const projects = [...(await project.among(ctx, ids)).values()].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  return projects.map((row) => {
    const projectTasks = tasks.filter((task) => task.project_id === row.id)
    return {
      project: { id: row.id, title: row.name, key: row.key },
      open: projectTasks.length,
      overdue: projectTasks.filter((counted) => counted.due_at !== null && counted.due_at < ctx.now)
        .length,
    }
  })
}

function loadOf(demand: number, capacity: number): z.infer<typeof Workload>['load'] {
  if (demand > capacity) return 'over'
  if (demand < capacity * 0.5 || demand === 0) return 'light'
  return demand < capacity * 0.85 ? 'normal' : 'heavy'
}
