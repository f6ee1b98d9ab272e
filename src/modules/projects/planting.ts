import { z } from 'zod'
import { operation, type Module } from '../../core/operation.ts'
import { freeObject } from '../../core/fields.ts'
import { person } from '../people/access.ts'
import { task, taskPerson } from '../tasks/access.ts'
import { isOpen, taskRef } from '../tasks/shapes.ts'
import { Ref } from '../people/shapes.ts'
import { milestone, noteSprintMove, project, sprint, status, takeTaskNumber } from './access.ts'
import { moveToStatus } from './status-moves.ts'

/** Tasks for the tests of this module, straight into the tables, so that they need nothing of the module of tasks. */

const plantTask = operation({
  name: 'plant_task',
  kind: 'write',
  rest: 'POST /api/planted-tasks',
  about: 'For tests: a task in a status.',
  on: { project: project.edit, assignees: person.see.many.maybe, watcher: person.see.maybe, sprint: sprint.edit.maybe, milestone: milestone.edit.maybe, blocker: task.see.maybe },
  input: { title: z.string(), status: z.string().default('To do'), points: z.number().optional(), due_at: z.number().optional(), values: freeObject().optional() },
  output: Ref,
  async handle({ project: of, assignees, watcher, sprint: into, milestone: goal, blocker, title, status: name, points, due_at, values }, ctx) {
    const state = await status.seen(ctx).selectAll('statuses').where('statuses.project_id', '=', of.id).where('statuses.name', '=', name).executeTakeFirstOrThrow()
    const open = isOpen({ status_category: state.category })
    const made = await ctx.add('tasks', {
      project_id: of.id,
      key: `${of.key}-${await takeTaskNumber(ctx, of.id)}`,
      title,
      status_id: state.id,
      status_category: state.category,
      priority: 'none',
      priority_rank: 4,
      points: points ?? null,
      due_at: due_at ?? null,
      completed_at: open ? null : ctx.now,
      sprint_id: into?.id ?? null,
      milestone_id: goal?.id ?? null,
      custom_fields_json: JSON.stringify(values ?? {}),
      position: 'a0',
    })
    await noteSprintMove(ctx, into?.id ?? null, made, 'added')
    for (const one of assignees ?? []) await ctx.add('task_people', { task_id: made.id, person_id: one.id, role: 'assignee' })
    if (watcher) await ctx.add('task_people', { task_id: made.id, person_id: watcher.id, role: 'watcher' })
    if (blocker) await ctx.add('task_dependencies', { task_id: made.id, other_id: blocker.id, type: 'blocked_by' })
    return taskRef(made)
  },
})

const moveTask = operation({
  name: 'move_planted_task',
  kind: 'write',
  rest: 'POST /api/planted-tasks/{task_id}',
  about: 'For tests: a task in another status, or in the trash.',
  on: { task: task.edit },
  input: { status: z.string().optional() },
  output: Ref,
  async handle({ task: row, status: name }, ctx) {
    if (name === undefined) await ctx.trash('tasks', row)
    else await moveToStatus(ctx, row, await status.seen(ctx).selectAll('statuses').where('statuses.project_id', '=', row.project_id).where('statuses.name', '=', name).executeTakeFirstOrThrow())
    return taskRef(row)
  },
})

const showTask = operation({
  name: 'show_planted_task',
  kind: 'read',
  rest: 'GET /api/planted-tasks/{task_id}',
  about: 'For tests: the row of a task, and who it is for.',
  on: { task: task.see },
  output: z.record(z.string(), z.unknown()),
  async handle({ task: row }, ctx) {
    const people = await taskPerson.of(ctx, [row.id]).select(['task_people.person_id', 'task_people.role']).execute()
    const of = (role: string) => people.filter(one => one.role === role).map(one => one.person_id)
    return { ...row, assignees: of('assignee'), watchers: of('watcher') }
  },
})

export const planting: Module = { name: 'planting', about: 'For tests.', operations: [plantTask, moveTask, showTask] }
