import { z } from 'zod'
import { datetimeString, day } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { Ref, common, commonOf } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { project, sprint, sprintMove } from '../../portfolio/access.ts'
import { projectRef } from '../../portfolio/shapes.ts'
import { task } from '../../tasks/access.ts'

/** References to visible sprints, by id. */
export async function sprintRefs(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Ref>> {
  return new Map(
    [...(await sprint.among(ctx, ids))].map(([id, row]) => [id, { id, title: row.name }]),
  )
}

/** Number of tasks and the sum of their points. */
const Amount = shape('TaskAmount', { tasks: z.int(), points: z.number() })
export type Amount = z.infer<typeof Amount>

export const Sprint = shape('Sprint', {
  ...common,
  project: Ref,
  name: z.string(),
  goal: z.string().optional(),
  starts_on: day(),
  ends_on: day(),
  status: z.enum(['planned', 'active', 'completed', 'cancelled']),
  started_at: datetimeString().optional(),
  completed_at: datetimeString().optional(),
  /** Planned work; once the sprint has started, its contents at that time. */
  committed: Amount,
  done: Amount,
})
export type SprintShape = z.infer<typeof Sprint>

/** Sprints for answers. Amounts of completed ones are those of the closing day. */
export async function presentSprints(
  ctx: ReadContext,
  rows: readonly Row<'sprints'>[],
): Promise<SprintShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const projects = await project.among(
    ctx,
    rows.map((row) => row.project_id),
  )
  const currentAmountsById = await currentAmounts(ctx, ids)
  const atStart = await committedAmounts(ctx, ids)
  const none: Amount = { tasks: 0, points: 0 }
  return rows.map((row) => {
    const report =
      row.report_json === null
        ? undefined
        : (JSON.parse(row.report_json) as { committed: Amount; done: Amount })
    const current = currentAmountsById.get(row.id)
    return {
      ...commonOf(row, sprint.url(row, ctx.baseUrl), people),
      project: projectRef(projects.get(row.project_id)!),
      name: row.name,
      ...(row.goal === null ? {} : { goal: row.goal }),
      starts_on: row.starts_on,
      ends_on: row.ends_on,
      status: row.status,
      ...(row.started_at === null ? {} : { started_at: iso(row.started_at) }),
      ...(row.completed_at === null ? {} : { completed_at: iso(row.completed_at) }),
      committed:
        report?.committed ?? (row.status === 'active' ? atStart.get(row.id) : current?.all) ?? none,
      done: report?.done ?? current?.done ?? none,
    }
  })
}

/** Amounts currently in these sprints. */
async function currentAmounts(
  ctx: ReadContext,
  ids: readonly Row<'sprints'>['id'][],
): Promise<Map<string, { all: Amount; done: Amount }>> {
  const rows = await task
    .visibleTo(ctx)
    .where('tasks.sprint_id', 'in', ids)
    .select((eb) => {
      const done = eb('tasks.status_category', '=', 'done')
      return [
        'tasks.sprint_id',
        eb.fn.countAll<number>().as('tasks'),
        eb.fn.sum<number | null>('tasks.points').as('points'),
        eb.fn.sum<number>(eb.case().when(done).then(1).else(0).end()).as('done_tasks'),
        eb.fn
          .sum<number | null>(eb.case().when(done).then(eb.ref('tasks.points')).end())
          .as('done_points'),
      ]
    })
    .groupBy('tasks.sprint_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.sprint_id!,
      {
        all: { tasks: row.tasks, points: row.points ?? 0 },
        done: { tasks: row.done_tasks, points: row.done_points ?? 0 },
      },
    ]),
  )
}

/** Amounts in these sprints when they started. */
async function committedAmounts(
  ctx: ReadContext,
  ids: readonly Row<'sprints'>['id'][],
): Promise<Map<string, Amount>> {
  const rows = await sprintMove
    .visibleTo(ctx)
    .innerJoin('sprints', 'sprints.id', 'sprint_moves.sprint_id')
    .whereRef('sprint_moves.at', '=', 'sprints.started_at')
    .where('sprint_moves.op', '=', 'added')
    .where('sprint_moves.sprint_id', 'in', ids)
    .select((eb) => [
      'sprint_moves.sprint_id',
      eb.fn.countAll<number>().as('tasks'),
      eb.fn.sum<number | null>('sprint_moves.points').as('points'),
    ])
    .groupBy('sprint_moves.sprint_id')
    .execute()
  return new Map(rows.map((row) => [row.sprint_id, { tasks: row.tasks, points: row.points ?? 0 }]))
}
