import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { secret, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { descendants, task } from '../access.ts'
import { changeTaskStatus, presentChanged, type Changed } from './updates.ts'
import { Task, isOpenTask } from '../shapes.ts'
import { presentTask } from '../presentation/presenter.ts'
import { firstOf, firstStatus, statusesOf, statusNamed } from './workflow.ts'

const remark = () => secret(z.string().max(50_000)).optional()

export const completeTask = operation({
  name: 'complete_task',
  searchHint: 'done, finish, close, tick off, check off, resolve a ticket',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/tasks/{task_id}/complete',
  about:
    "Move a task to the project's done status, record completion, create the next one if it repeats, and report unblocked tasks",
  on: { task: task.edit },
  input: {
    comment: remark().describe('markdown; added as a comment'),
    complete_subtasks: z
      .boolean()
      .optional()
      .describe('also complete open subtasks at every depth'),
  },
  reportsProgress: true,
  output: Task,
  async handle({ task: row, comment, complete_subtasks }, ctx) {
    const isDone = row.status_category === 'done'
    if (isDone && !complete_subtasks) return presentTask(ctx, row.id)
    const done = firstOf(await statusesOf(ctx, row.project_id), 'done')
    if (!done)
      throw new Refusal(
        'conflict',
        'This project has no status of category done.',
        'Its lead can add one with set_project_workflow.',
      )
    const unblocked = complete_subtasks
      ? await completeAll(ctx, (await descendants(ctx, row.id)).reverse(), done)
      : []
    if (isDone)
      return presentChanged(ctx, {
        row,
        changed: false,
        unblocked: stillOpen(unblocked, row),
        next: undefined,
      })
    if (comment?.trim())
      await ctx.call('add_task_comment', { task_id: row.id, body_markdown: comment })
    const changed = await changeTaskStatus(ctx, row, done)
    return presentChanged(ctx, {
      ...changed,
      unblocked: stillOpen([...unblocked, ...changed.unblocked], row),
    })
  },
})

/** Completes the open tasks, deepest first. */
async function completeAll(
  ctx: WriteContext,
  rows: readonly Row<'tasks'>[],
  done: Row<'statuses'>,
): Promise<Row<'tasks'>[]> {
  const unblocked: Row<'tasks'>[] = []
  const completed = new Set<string>()
  const open = rows.filter(isOpenTask)
  for (const [i, row] of open.entries()) {
    ctx.progress(i, open.length + 1, 'tasks completed')
    unblocked.push(...(await changeTaskStatus(ctx, row, done)).unblocked)
    completed.add(row.id)
  }
  return unblocked.filter((row) => !completed.has(row.id))
}

function stillOpen(rows: Changed['unblocked'], completed: Row<'tasks'>): Changed['unblocked'] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].filter(
    (row) => row.id !== completed.id,
  )
}

export const reopenTask = operation({
  name: 'reopen_task',
  searchHint: 'not fixed, bring back a closed ticket, open again',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/tasks/{task_id}/reopen',
  about: 'Reopen a done or cancelled task',
  on: { task: task.edit },
  input: {
    status: shortText(200).optional().describe('an open status; default: first to-do status'),
    reason: remark().describe('markdown; added as a comment'),
  },
  output: Task,
  async handle({ task: row, status, reason }, ctx) {
    const statuses = await statusesOf(ctx, row.project_id)
    const to = status === undefined ? firstStatus(statuses) : statusNamed(statuses, status)
    if (to.category === 'done' || to.category === 'cancelled') {
      throw new Refusal('invalid_argument', `status: "${to.name}" is closed (${to.category}).`, {
        field: 'status',
        hint: `Open statuses: ${
          statuses
            .filter((item) => isOpenTask({ status_category: item.category }))
            .map((item) => item.name)
            .join(', ') || 'none'
        }.`,
      })
    }
    if (isOpenTask(row)) return presentTask(ctx, row.id)
    const changed = await changeTaskStatus(ctx, row, to)
    if (reason?.trim())
      await ctx.call('add_task_comment', { task_id: row.id, body_markdown: reason })
    return presentChanged(ctx, changed)
  },
})
