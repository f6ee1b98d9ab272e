import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { day, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { Ref } from '../../../records/shapes.ts'
import { task } from '../../tasks/access.ts'
import { ListedTask, presentTasks } from '../../tasks/shapes.ts'
import { searchFirstIn, sprint } from '../../portfolio/access.ts'
import { Sprint, presentSprints, sprintRefs } from './shapes.ts'
import { findingsOf, type SprintFindings } from './findings.ts'
import { requirePending, moveToSprint } from './scope.ts'

/** Maximum tasks per list of a report; `counts` has the totals. */
const maxTasks = 100

const SprintReport = shape('SprintReport', {
  sprint: Sprint,
  /** Remaining work at the end of each day, in `velocity_unit`, from the start to today or the day it was closed. */
  burndown: z.array(z.strictObject({ date: day(), remaining: z.number(), ideal: z.number() })),
  /** Completed points; completed tasks if no task of the sprint has points. */
  velocity: z.number(),
  velocity_unit: z.enum(['points', 'tasks']),
  added_after_start: z.array(ListedTask),
  removed_after_start: z.array(ListedTask),
  completed: z.array(ListedTask),
  carried_over: z.array(ListedTask),
  carried_to: Ref.optional(),
  /** Totals of the lists; a list shows at most 100 tasks, without those no longer visible to you. */
  counts: z.strictObject({
    added_after_start: z.int(),
    removed_after_start: z.int(),
    completed: z.int(),
    carried_over: z.int(),
  }),
  dry_run: z.boolean().optional(),
})
export type SprintReportShape = z.infer<typeof SprintReport>

export const completeSprint = operation({
  name: 'complete_sprint',
  searchHint:
    'close the sprint, finish the iteration, leftovers, ' +
    'move unfinished work to the next sprint, carry over, rollover',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/sprints/{sprint_id}/complete',
  about: 'Close a sprint and carry unfinished tasks to the backlog or another sprint',
  on: { sprint: sprint.edit },
  input: {
    carry_over_to: shortText(60)
      .optional()
      .describe('id of a planned sprint of the project, or backlog (default)'),
  },
  output: SprintReport,
  dryRun: true,
  reportsProgress: true,
  async handle({ sprint: row, carry_over_to }, ctx) {
    const target = await carryOverTarget(ctx, row, carry_over_to)
    if (row.status === 'completed') {
      if (carry_over_to !== undefined && (target?.id ?? null) !== row.carried_to_id)
        throw new Refusal(
          'conflict',
          `"${row.name}" is already completed, and its unfinished tasks were moved elsewhere.`,
          'Move tasks with add_tasks_to_sprint.',
        )
      return presentSprintReport(ctx, row)
    }
    if (row.status !== 'active') throw notActive(row)
    if (target) requirePending(target, 'tasks can no longer be added to it')
    const findings = await findingsOf(ctx, row)
    const changes = {
      status: 'completed',
      completed_at: ctx.now,
      carried_to_id: target?.id ?? null,
      report_json: JSON.stringify(findings),
    } as const
    const closed = await ctx.change('sprints', row, changes)
    const carried = [...(await task.among(ctx, findings.carried)).values()]
    for (const [i, taskRow] of carried.entries()) {
      ctx.progress(i, carried.length, 'tasks carried over')
      await moveToSprint(ctx, taskRow, target ?? null)
    }
    ctx.event('sprint.completed', 'sprints', closed)
    return omitNullish({
      ...(await presentSprintReport(ctx, closed)),
      dry_run: ctx.dryRun ? true : undefined,
    })
  },
})

export const getSprintReport = operation({
  name: 'get_sprint_report',
  searchHint: 'burndown chart, burnup, velocity, sprint review, how did the sprint go',
  kind: 'read',
  rest: 'GET /api/sprints/{sprint_id}/report',
  about: 'Burndown, velocity, scope changes, carried-over and unplanned work of a sprint',
  on: { sprint: sprint.see },
  output: SprintReport,
  async handle({ sprint: row }, ctx) {
    return presentSprintReport(ctx, row)
  },
})

/** Resolves the destination of unfinished tasks; undefined for the backlog. */
async function carryOverTarget(
  ctx: WriteContext,
  row: Row<'sprints'>,
  text: string | undefined,
): Promise<Row<'sprints'> | undefined> {
  if (text === undefined || text.trim().toLowerCase() === 'backlog') return undefined
  const target = await sprint.demand(
    ctx,
    text,
    'edit',
    'carry_over_to',
    searchFirstIn(row.project_id),
  )
  if (target.project_id !== row.project_id)
    throw notFound('sprint in this project', 'carry_over_to')
  if (target.id === row.id)
    throw invalid(
      'carry_over_to',
      'a sprint cannot carry tasks over to itself.',
      'Send a planned sprint, or backlog.',
    )
  return target
}

function notActive(row: Row<'sprints'>): Refusal {
  const context = { status: row.status }
  if (row.status === 'cancelled')
    return new Refusal('conflict', `"${row.name}" is cancelled.`, { context })
  return new Refusal(
    'conflict',
    `"${row.name}" is planned; only an active sprint can be completed.`,
    {
      hint: 'Start it with start_sprint, or cancel it with update_sprint(status=cancelled).',
      context,
    },
  )
}

const emptyFindings: SprintFindings = {
  committed: { tasks: 0, points: 0 },
  done: { tasks: 0, points: 0 },
  burndown: [],
  velocity: 0,
  velocity_unit: 'tasks',
  added: [],
  removed: [],
  completed: [],
  carried: [],
}

/**
 * Returns the stored findings of a completed sprint, or the current ones of an active sprint, from which nothing has
 * been carried over yet.
 */
async function storedOrCurrentFindings(
  ctx: ReadContext,
  row: Row<'sprints'>,
): Promise<SprintFindings> {
  if (row.report_json !== null) return JSON.parse(row.report_json) as SprintFindings
  return row.status === 'active' ? { ...(await findingsOf(ctx, row)), carried: [] } : emptyFindings
}

async function presentSprintReport(
  ctx: ReadContext,
  row: Row<'sprints'>,
): Promise<SprintReportShape> {
  const findings = await storedOrCurrentFindings(ctx, row)
  const carriedTo =
    row.carried_to_id === null
      ? undefined
      : (await sprintRefs(ctx, [row.carried_to_id])).get(row.carried_to_id)
  return omitNullish({
    sprint: (await presentSprints(ctx, [row]))[0]!,
    burndown: findings.burndown,
    velocity: findings.velocity,
    velocity_unit: findings.velocity_unit,
    added_after_start: await presentListedTasks(ctx, findings.added),
    removed_after_start: await presentListedTasks(ctx, findings.removed),
    completed: await presentListedTasks(ctx, findings.completed),
    carried_over: await presentListedTasks(ctx, findings.carried),
    carried_to: carriedTo,
    counts: {
      added_after_start: findings.added.length,
      removed_after_start: findings.removed.length,
      completed: findings.completed.length,
      carried_over: findings.carried.length,
    },
  })
}

async function presentListedTasks(ctx: ReadContext, ids: readonly string[]) {
  const rows = await task.among(ctx, ids.slice(0, maxTasks))
  return presentTasks(
    ctx,
    ids.flatMap((id) => rows.get(id) ?? []),
  )
}
