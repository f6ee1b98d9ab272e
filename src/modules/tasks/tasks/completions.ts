import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { secret, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { descendants, task } from '../access.ts'
import { changeTaskStatus, presentChanged, type TaskChangeResult } from './updates.ts'
import { Task, isOpenTask } from '../shapes.ts'
import { presentTask } from '../presentation/presenter.ts'
import { firstOfCategory, firstStatus, statusesOf, statusNamed } from './workflow.ts'

const commentText = () => secret(z.string().max(50_000)).optional()

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
    comment: commentText().describe('markdown; added as a comment'),
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
    const doneStatus = firstOfCategory(await statusesOf(ctx, row.project_id), 'done')
    if (!doneStatus)
      throw new Refusal(
        'conflict',
        'This project has no status of category done.',
        'Its lead can add one with set_project_workflow.',
      )
    const unblocked = complete_subtasks
      ? await completeAll(ctx, (await descendants(ctx, row.id)).reverse(), doneStatus)
      : []
    if (isDone)
      return presentChanged(ctx, {
        row,
        changed: false,
        unblocked: othersUnblocked(unblocked, row),
        next: undefined,
      })
    if (comment?.trim())
      await ctx.call('add_task_comment', { task_id: row.id, body_markdown: comment })
    const changed = await changeTaskStatus(ctx, row, doneStatus)
    return presentChanged(ctx, {
      ...changed,
      unblocked: othersUnblocked([...unblocked, ...changed.unblocked], row),
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

function othersUnblocked(
  rows: TaskChangeResult['unblocked'],
  completed: Row<'tasks'>,
): TaskChangeResult['unblocked'] {
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
    reason: commentText().describe('markdown; added as a comment'),
  },
  output: Task,
  async handle({ task: row, status, reason }, ctx) {
    const statuses = await statusesOf(ctx, row.project_id)
    const targetStatus =
      status === undefined ? firstStatus(statuses) : statusNamed(statuses, status)
    if (targetStatus.category === 'done' || targetStatus.category === 'cancelled') {
      throw new Refusal(
        'invalid_argument',
        `status: "${targetStatus.name}" is closed (${targetStatus.category}).`,
        {
          field: 'status',
          hint: `Open statuses: ${
            statuses
              .filter((item) => isOpenTask({ status_category: item.category }))
              .map((item) => item.name)
              .join(', ') || 'none'
          }.`,
        },
      )
    }
    if (isOpenTask(row)) return presentTask(ctx, row.id)
    const changed = await changeTaskStatus(ctx, row, targetStatus)
    if (reason?.trim())
      await ctx.call('add_task_comment', { task_id: row.id, body_markdown: reason })
    return presentChanged(ctx, changed)
  },
})
