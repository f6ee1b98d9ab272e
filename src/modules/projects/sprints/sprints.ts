import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt, daysBetween } from '../../../kernel/time/times.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { task } from '../../tasks/access.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { project, sprint } from '../../portfolio/access.ts'
import { Sprint, type SprintShape, presentSprints } from './shapes.ts'
import { requirePending, requireSprintSpan, moveToSprint } from './scope.ts'

export const listSprints = operation({
  name: 'list_sprints',
  searchHint: 'iterations, cycles, current sprint, past sprints',
  kind: 'read',
  rest: 'GET /api/projects/{project_id}/sprints',
  about: 'Sprints (cycles) of a project with dates and progress',
  on: { project: project.see },
  input: {
    status: z
      .array(z.enum(['planned', 'active', 'completed', 'cancelled']))
      .max(4)
      .optional(),
    ...paging,
  },
  output: pageOf(Sprint),
  async handle({ project, status, limit, cursor }, ctx) {
    let query = sprint
      .visibleTo(ctx)
      .selectAll('sprints')
      .where('sprints.project_id', '=', project.id)
    if (status?.length) query = query.where('sprints.status', 'in', status)
    const page = await paged(
      query,
      [
        { by: 'sprints.starts_on', as: 'starts_on', dir: 'desc' },
        { by: 'sprints.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentSprints(ctx, page.items))
  },
})

export const createSprint = operation({
  name: 'create_sprint',
  searchHint: 'plan an iteration, next cycle, new sprint',
  kind: 'write',
  rest: 'POST /api/projects/{project_id}/sprints',
  about: 'Plan a sprint',
  on: {
    project: project.edit,
    tasks: task.edit.many.maybe.describe('tasks of the project; removed from their current sprint'),
  },
  input: {
    name: title(),
    starts_on: date(),
    ends_on: date().describe('the last day'),
    goal: shortText(2000).optional(),
  },
  output: Sprint,
  async handle({ project, tasks, name, starts_on, ends_on, goal }, ctx) {
    requireSprintSpan(starts_on, ends_on)
    const foreign = tasks?.find((row) => row.project_id !== project.id)
    if (foreign)
      throw invalid(
        'task_ids',
        `${foreign.key} does not belong to ${project.key}.`,
        'A sprint can only contain tasks of its own project.',
      )
    const created = await ctx.add('sprints', {
      project_id: project.id,
      name: name.trim(),
      goal: goal || null,
      starts_on,
      ends_on,
      status: 'planned',
    })
    for (const row of tasks ?? []) await moveToSprint(ctx, row, created)
    return presentSprint(ctx, created)
  },
})

export const updateSprint = operation({
  name: 'update_sprint',
  searchHint: 'rename a sprint, sprint goal, extend the sprint, cancel the sprint',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/sprints/{sprint_id}',
  about: 'Change name, goal, dates, or cancel a planned sprint',
  on: { sprint: sprint.edit },
  revision: 'sprint',
  input: {
    name: title().optional(),
    goal: shortText(2000).nullable().optional(),
    starts_on: date().optional(),
    ends_on: date().optional(),
    status: z
      .enum(['planned', 'cancelled'])
      .optional()
      .describe('cancelled: for planned sprints; their tasks go back to the backlog'),
  },
  output: Sprint,
  async handle({ sprint: row, name, goal, starts_on, ends_on, status }, ctx) {
    if (status && status !== row.status && row.status !== 'planned')
      throw statusChangeRefusal(row, status)
    const moved = (starts_on && starts_on !== row.starts_on) || (ends_on && ends_on !== row.ends_on)
    if (moved) requirePending(row, 'its dates cannot be changed')
    requireSprintSpan(starts_on ?? row.starts_on, ends_on ?? row.ends_on)
    if (status === 'cancelled' && row.status === 'planned') {
      for (const item of await tasksOf(ctx, row)) await moveToSprint(ctx, item, null)
    }
    const changed = await ctx.change('sprints', row, {
      ...(name ? { name: name.trim() } : {}),
      ...(goal === undefined ? {} : { goal: goal || null }),
      ...(starts_on ? { starts_on } : {}),
      ...(ends_on ? { ends_on } : {}),
      ...(status ? { status } : {}),
    })
    return presentSprint(ctx, changed)
  },
})

export const startSprint = operation({
  name: 'start_sprint',
  searchHint: 'kick off the sprint, begin the iteration',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/sprints/{sprint_id}/start',
  about: 'Start a sprint; one may be active per project',
  on: { sprint: sprint.edit },
  output: Sprint.extend({ warnings: z.array(z.string()).optional() }),
  async handle({ sprint: row }, ctx) {
    if (row.status === 'active') return presentSprint(ctx, row)
    if (row.status !== 'planned') throw statusChangeRefusal(row, 'active')
    const running = await sprint
      .visibleTo(ctx)
      .selectAll('sprints')
      .where('sprints.project_id', '=', row.project_id)
      .where('sprints.status', '=', 'active')
      .executeTakeFirst()
    if (running) {
      throw new Refusal(
        'conflict',
        `"${running.name}" is already active; a project can have only one active sprint.`,
        {
          next: {
            tool: 'complete_sprint',
            arguments: { sprint_id: running.id, carry_over_to: row.id },
          },
          context: { active_sprint_id: running.id },
        },
      )
    }
    const started = await ctx.change('sprints', row, { status: 'active', started_at: ctx.now })
    for (const item of await tasksOf(ctx, row)) {
      const move = { sprint_id: row.id, task_id: item.id, points: item.points, at: ctx.now }
      await ctx.add('sprint_moves', { ...move, op: 'added' })
      if (!isOpenTask(item)) await ctx.add('sprint_moves', { ...move, op: 'completed' })
    }
    ctx.event('sprint.started', 'sprints', started)
    const warnings = startWarnings(row, dayAt(ctx.now, ctx.actor.timezone))
    return { ...(await presentSprint(ctx, started)), ...(warnings.length > 0 ? { warnings } : {}) }
  },
})

export const addTasksToSprint = operation({
  name: 'add_tasks_to_sprint',
  searchHint:
    'put into the sprint, take out of the sprint, sprint backlog, sprint scope, ' +
    'drop from the sprint',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/sprints/{sprint_id}/tasks',
  about: 'Add tasks to a sprint, or remove them with remove=true',
  on: { sprint: sprint.edit, tasks: task.edit.many },
  input: { remove: z.boolean().optional().describe('remove the tasks from the sprint instead') },
  reportsProgress: true,
  output: BulkResult,
  async handle({ sprint: sprintRow, tasks, remove = false }, ctx) {
    requirePending(sprintRow, 'its tasks cannot be changed')
    const reasonFor = (row: Row<'tasks'>) => {
      if (row.project_id !== sprintRow.project_id)
        return 'It does not belong to the project of the sprint.'
      if ((row.sprint_id === sprintRow.id) === remove) return undefined
      return remove ? 'It is not in this sprint.' : 'It is already in this sprint.'
    }
    const skipped = tasks
      .flatMap((row) => ({ id: row.id as string, reason: reasonFor(row) }))
      .flatMap((item) => (item.reason ? [{ id: item.id, reason: item.reason }] : []))
    const eligible = tasks.filter((row) => !reasonFor(row))
    for (const [i, taskRow] of eligible.entries()) {
      ctx.progress(i, eligible.length, 'tasks moved')
      await moveToSprint(ctx, taskRow, remove ? null : sprintRow)
    }
    return {
      requested: tasks.length,
      matched: tasks.length,
      changed: eligible.length,
      skipped,
      failed: [],
      items: eligible.map((row) => task.ref(row, ctx.baseUrl)),
      dry_run: ctx.dryRun,
      ...(eligible.length > 0 ? { undo_call_id: ctx.callId } : {}),
    }
  },
})

function startWarnings({ starts_on, ends_on }: Row<'sprints'>, today: string): string[] {
  const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)
  if (starts_on > today)
    return [
      `It was planned to start on ${starts_on}, in ${days(daysBetween(today, starts_on))}. update_sprint changes its dates.`,
    ]
  return ends_on < today
    ? [
        `It was planned to end on ${ends_on}, ${days(daysBetween(ends_on, today))} ago. update_sprint changes its dates.`,
      ]
    : []
}

async function presentSprint(ctx: ReadContext, row: Row<'sprints'>): Promise<SprintShape> {
  return (await presentSprints(ctx, [row]))[0]!
}

async function tasksOf(ctx: ReadContext, row: Row<'sprints'>): Promise<Row<'tasks'>[]> {
  return task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where('tasks.sprint_id', '=', row.id)
    .orderBy('tasks.id')
    .execute()
}

function statusChangeRefusal(row: Row<'sprints'>, to: string): Refusal {
  const next = {
    planned: 'started (start_sprint) or cancelled',
    active: 'completed (complete_sprint)',
    completed: '',
    cancelled: '',
  }[row.status]
  const hint = next ? `It can be ${next}.` : 'Create a new one with create_sprint.'
  return new Refusal('conflict', `"${row.name}" is ${row.status} and cannot become ${to}.`, {
    field: 'status',
    hint,
    context: { status: row.status },
  })
}
