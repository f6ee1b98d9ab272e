import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt, weekday } from '../../../kernel/time/times.ts'
import { organization } from '../../directory/access.ts'
import { task } from '../../tasks/access.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { sprintMove } from '../../portfolio/access.ts'
import { burndown, roundBurndown, sprintScope, type BurndownPoint, type Unit } from './burndown.ts'
import type { Amount } from './shapes.ts'

/** Findings of a sprint report, with tasks as ids: stored with a completed sprint, computed anew for an active one. */
export interface SprintFindings {
  committed: Amount
  done: Amount
  burndown: BurndownPoint[]
  velocity: number
  velocity_unit: Unit
  added: string[]
  removed: string[]
  completed: string[]
  carried: string[]
}

/** Computes the findings of a running sprint. Days are in the caller's time zone. */
export async function findingsOf(ctx: ReadContext, row: Row<'sprints'>): Promise<SprintFindings> {
  const tasks = await task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where('tasks.sprint_id', '=', row.id)
    .orderBy('tasks.id')
    .execute()
  const moves = await sprintMove
    .visibleTo(ctx)
    .selectAll('sprint_moves')
    .where('sprint_moves.sprint_id', '=', row.id)
    .orderBy('sprint_moves.at')
    .orderBy('sprint_moves.id')
    .execute()
  const startedAt = row.started_at ?? ctx.now
  const unit: Unit = [...tasks, ...moves].some((item) => item.points !== null) ? 'points' : 'tasks'
  const amountOf = (tasks: readonly Row<'tasks'>[]) => ({
    tasks: tasks.length,
    points: roundBurndown(tasks.reduce((sum, item) => sum + (item.points ?? 0), 0)),
  })
  const completed = tasks.filter((item) => item.status_category === 'done')
  const open = tasks.filter(isOpenTask)
  const done = amountOf(completed)
  const zone = ctx.actor.timezone
  return {
    ...sprintScope(moves, startedAt),
    done,
    burndown: burndown({
      moves,
      unit,
      startedAt,
      endsOn: row.ends_on,
      until: dayAt(ctx.now, zone),
      openNow: amountOf(open)[unit],
      dayOf: (at) => dayAt(at, zone),
      isWorkday: await workingDays(ctx),
    }),
    velocity: done[unit],
    velocity_unit: unit,
    completed: completed.map((item) => item.id),
    carried: open.map((item) => item.id),
  }
}

async function workingDays(ctx: ReadContext): Promise<(day: string) => boolean> {
  const { work_week_json, holidays_json } = await organization
    .visibleTo(ctx)
    .select(['orgs.work_week_json', 'orgs.holidays_json'])
    .executeTakeFirstOrThrow()
  const week = JSON.parse(work_week_json) as number[]
  const holidays = new Set(
    (JSON.parse(holidays_json) as { date: string }[]).map((item) => item.date),
  )
  return (day) => week.includes(weekday(day)) && !holidays.has(day)
}
