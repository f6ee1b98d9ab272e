import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { color } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { project } from '../../portfolio/access.ts'
import { tasksInStatus } from '../access-tasks.ts'
import { categoryColors, statusesOf } from '../projects/creation.ts'
import { categoryEnum } from '../../portfolio/shapes.ts'
import { Project, presentProjects } from '../shapes.ts'
import { requireUnarchived } from '../projects/states.ts'
import { moveToStatus } from './status-moves.ts'
import { completePlan, planWorkflow, quotedNameList, type WorkflowPlan } from './plans.ts'

const statusName = () => z.string().min(1).max(60).regex(/\S/, 'must not be blank')

export const setProjectWorkflow = operation({
  name: 'set_project_workflow',
  searchHint:
    'rename status, add a board column, kanban columns, edit statuses, stages, reorder columns',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/projects/{project_id}/workflow',
  about: 'Replace the ordered statuses of a project and map tasks of removed statuses',
  on: { project: project.own },
  input: {
    statuses: z
      .array(
        z.strictObject({
          name: statusName(),
          category: categoryEnum,
          color: color().optional(),
          wip_limit: z.int().min(1).max(10_000).optional(),
          was: statusName().optional().describe('current name of the status, if you rename it'),
        }),
      )
      .min(1)
      .max(40)
      .describe('all statuses in their new order; statuses with unchanged names keep their tasks'),
    migrate: z
      .record(statusName(), statusName())
      .optional()
      .describe('{"name of a removed status": "name of the new status of its tasks"}'),
  },
  output: Project,
  dryRun: true,
  reportsProgress: true,
  async handle({ project: projectRow, statuses, migrate }, ctx) {
    requireUnarchived(projectRow)
    const plan = planWorkflow(await statusesOf(ctx, projectRow), statuses, migrate ?? {})
    const tasksToMove = await tasksInStatus(
      ctx,
      plan.removed.map((row) => row.id),
    )
    requireTargets(plan, tasksToMove)
    completePlan(plan, tasksToMove)
    // Tasks first: undo runs in reverse, and restores statuses before the tasks that return to them.
    const moved = await migrateTasks(ctx, plan, tasksToMove)
    await freeNames(ctx, plan)
    const rows = await saveStatuses(ctx, projectRow, plan)
    const notes = [...moved, ...(await recategorize(ctx, plan, rows))]
    for (const row of plan.removed) await ctx.remove('statuses', row)
    const after = await project
      .visibleTo(ctx)
      .selectAll('projects')
      .where('projects.id', '=', projectRow.id)
      .executeTakeFirstOrThrow()
    const [shown] = await presentProjects(ctx, [after])
    return notes.length > 0 ? { ...shown!, notes } : shown!
  },
})

function requireTargets(plan: WorkflowPlan, tasksToMove: readonly Row<'tasks'>[]): void {
  const withoutTarget = plan.removed
    .filter((row) => !plan.targets.has(row.id))
    .map((row) => ({
      name: row.name,
      tasks: tasksToMove.filter((task) => task.status_id === row.id && task.deleted_at === null)
        .length,
    }))
    .filter((item) => item.tasks > 0)
  if (withoutTarget.length === 0) return
  const counts = withoutTarget
    .map((item) => `"${item.name}" has ${taskCountText(item.tasks)}`)
    .join(', ')
  throw new Refusal('conflict', `Statuses to be removed still contain tasks: ${counts}.`, {
    field: 'migrate',
    hint: `Use migrate to say where they move, such as {${JSON.stringify(withoutTarget[0]!.name)}: ${JSON.stringify(plan.matched[0]!.requested.name)}}; the new statuses are ${quotedNameList(plan.matched.map((item) => item.requested))}.`,
    context: { statuses: withoutTarget },
  })
}

/** Names are always unique: a status with a name that another one receives is renamed temporarily first. */
async function freeNames(ctx: WriteContext, plan: WorkflowPlan): Promise<void> {
  const hasName = (row: Row<'statuses'>, name: string) =>
    row.name.toLowerCase() === name.trim().toLowerCase()
  const renameTemporarily = async (row: Row<'statuses'>) =>
    ctx.change('statuses', row, { name: row.id })
  for (const item of plan.matched) {
    const { row } = item
    if (row && plan.matched.some((other) => other !== item && hasName(row, other.requested.name)))
      item.row = await renameTemporarily(row)
  }
  for (const [i, row] of plan.removed.entries()) {
    if (plan.matched.some((other) => hasName(row, other.requested.name)))
      plan.removed[i] = await renameTemporarily(row)
  }
}

/** Changes remaining statuses and adds new ones; the rows come in the new order. */
async function saveStatuses(
  ctx: WriteContext,
  project: Row<'projects'>,
  plan: WorkflowPlan,
): Promise<Row<'statuses'>[]> {
  const rows: Row<'statuses'>[] = []
  for (const [position, { requested, row }] of plan.matched.entries()) {
    const color = requested.color ?? row?.color ?? categoryColors[requested.category]
    const values = {
      name: requested.name.trim(),
      category: requested.category,
      color,
      wip_limit: requested.wip_limit ?? null,
      position,
    }
    rows.push(
      row
        ? await ctx.change('statuses', row, values)
        : await ctx.add('statuses', { project_id: project.id, ...values }),
    )
  }
  return rows
}

async function migrateTasks(
  ctx: WriteContext,
  plan: WorkflowPlan,
  tasksToMove: readonly Row<'tasks'>[],
): Promise<string[]> {
  const notes: string[] = []
  for (const row of plan.removed) {
    const target = plan.matched[plan.targets.get(row.id) ?? -1]
    if (!target?.row) continue
    const tasks = tasksToMove.filter((task) => task.status_id === row.id)
    await moveAll(ctx, plan, tasks, { ...target.row, category: target.requested.category })
    const live = tasks.filter((task) => task.deleted_at === null).length
    if (live > 0)
      notes.push(
        `${taskCountText(live)} moved from "${row.name}" to "${target.requested.name.trim()}".`,
      )
  }
  return notes
}

/** Tasks keep a remaining status, and follow it into another category. */
async function recategorize(
  ctx: WriteContext,
  plan: WorkflowPlan,
  rows: readonly Row<'statuses'>[],
): Promise<string[]> {
  const notes: string[] = []
  for (const [i, { row: before }] of plan.matched.entries()) {
    const after = rows[i]!
    if (!before || before.category === after.category) continue
    const tasks = (await tasksInStatus(ctx, [after.id])).filter(
      (task) => task.status_category !== after.category,
    )
    await moveAll(ctx, plan, tasks, after)
    const live = tasks.filter((task) => task.deleted_at === null).length
    if (live > 0)
      notes.push(
        `${taskCountText(live)} in "${after.name}" went from ${before.category} to ${after.category}.`,
      )
  }
  return notes
}

/** Moves all tasks. The total is known only after the last status. */
async function moveAll(
  ctx: WriteContext,
  plan: WorkflowPlan,
  tasks: readonly Row<'tasks'>[],
  target: Row<'statuses'>,
): Promise<void> {
  for (const task of tasks) {
    ctx.progress(plan.moved++, undefined, 'tasks moved to another status')
    await moveToStatus(ctx, task, target)
  }
}

function taskCountText(tasks: number): string {
  return tasks === 1 ? '1 task' : `${tasks} tasks`
}
