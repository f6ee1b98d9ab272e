import { z } from 'zod'
import { datetimeString, day } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'
import { dayAt, daysBetween, iso } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { Ref, common, commonOf } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { milestone, project } from '../../portfolio/access.ts'
import { projectRef } from '../../portfolio/shapes.ts'
import { task } from '../../tasks/access.ts'

export const Milestone = shape('Milestone', {
  ...common,
  project: Ref,
  name: z.string(),
  description_markdown: z.string().optional(),
  due_on: day().optional(),
  status: z.enum(['open', 'reached', 'missed', 'cancelled']),
  reached_at: datetimeString().optional(),
  /** Its tasks, without cancelled ones. */
  progress: z.strictObject({ done: z.int(), total: z.int() }),
  /** Days after the originally planned date; negative if before. */
  slip_days: z.int(),
})
export type MilestoneShape = z.infer<typeof Milestone>

export async function presentMilestones(
  ctx: ReadContext,
  rows: readonly Row<'milestones'>[],
): Promise<MilestoneShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const projects = await project.among(
    ctx,
    rows.map((row) => row.project_id),
  )
  const progress = await milestoneProgressOf(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    ...commonOf(row, milestone.url(row, ctx.baseUrl), people),
    project: projectRef(projects.get(row.project_id)!),
    name: row.name,
    ...(row.description_markdown === null
      ? {}
      : { description_markdown: row.description_markdown }),
    ...(row.due_on === null ? {} : { due_on: row.due_on }),
    status: row.status,
    ...(row.reached_at === null ? {} : { reached_at: iso(row.reached_at) }),
    progress: progress.get(row.id) ?? { done: 0, total: 0 },
    slip_days: slipOf(row, ctx),
  }))
}

async function milestoneProgressOf(
  ctx: ReadContext,
  ids: readonly Row<'milestones'>['id'][],
): Promise<Map<string, { done: number; total: number }>> {
  const rows = await task
    .visibleTo(ctx)
    .where('tasks.milestone_id', 'in', ids)
    .where('tasks.status_category', '<>', 'cancelled')
    .select((eb) => [
      'tasks.milestone_id',
      eb.fn.countAll<number>().as('total'),
      eb.fn
        .sum<number>(eb.case().when('tasks.status_category', '=', 'done').then(1).else(0).end())
        .as('done'),
    ])
    .groupBy('tasks.milestone_id')
    .execute()
  return new Map(rows.map((row) => [row.milestone_id!, { done: row.done, total: row.total }]))
}

/** Days from the first planned date to the day it was reached, to today if missed, else to its due date. */
function slipOf(
  row: Row<'milestones'>,
  { now, actor }: Pick<ReadContext, 'now' | 'actor'>,
): number {
  if (row.first_due_on === null) return 0
  if (row.reached_at !== null)
    return daysBetween(row.first_due_on, dayAt(row.reached_at, actor.timezone))
  if (row.status === 'missed')
    return Math.max(0, daysBetween(row.first_due_on, dayAt(now, actor.timezone)))
  return row.due_on === null ? 0 : daysBetween(row.first_due_on, row.due_on)
}
