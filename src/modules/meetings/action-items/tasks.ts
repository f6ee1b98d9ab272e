import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { isMember, project } from '../../portfolio/access.ts'
import { task } from '../../tasks/access.ts'
import { actionItem } from '../access.ts'
import { actionStatesOf } from './access.ts'

type Result = z.infer<typeof BulkResult>

export const createTasksFromActionItems = operation({
  name: 'create_tasks_from_action_items',
  searchHint: 'turn follow-ups into tickets, meeting to dos into tasks',
  kind: 'write',
  rest: 'POST /api/action-items/tasks',
  creates: 'items',
  about: 'Turn action items into tasks linked to the meeting; skips those that already have one',
  on: {
    actionItems: actionItem.edit.many.named('action_item_ids'),
    project: project.edit.describe('assigned to the owner if a member of it'),
  },
  dryRun: true,
  reportsProgress: true,
  output: BulkResult,
  async handle({ actionItems: rows, project: projectRow }, ctx) {
    const result: Result = {
      requested: rows.length,
      matched: rows.length,
      changed: 0,
      skipped: [],
      failed: [],
      items: [],
      dry_run: ctx.dryRun,
    }
    const states = await actionStatesOf(
      ctx,
      rows.map((row) => row.id),
    )
    const tasks = await task.among(
      ctx,
      [...states.values()].map((state) => state.task_id),
    )
    for (const [i, row] of rows.entries()) {
      ctx.progress(i, rows.length, 'action items checked')
      const state = states.get(row.id)
      if (state)
        result.skipped.push({
          id: row.id,
          title: row.text,
          reason: `it already has a task${tasks.has(state.task_id) ? `: ${tasks.get(state.task_id)!.key}` : ', which is not visible to you'}`,
        })
      else await addItemTask(ctx, row, projectRow, result)
    }
    return omitNullish({
      ...result,
      undo_call_id: ctx.dryRun || result.changed === 0 ? undefined : ctx.callId,
    })
  },
})

/** Creates an item's task and adds it to the result, or adds the reason for failing. */
async function addItemTask(
  ctx: WriteContext,
  row: Row<'action_items'>,
  projectRow: Row<'projects'>,
  result: Result,
): Promise<void> {
  try {
    const assignee = await assigneeOf(ctx, row, projectRow)
    const createdTask = await ctx.attempt(() =>
      ctx.call<{ id: string }>(
        'create_task_from_source',
        omitNullish({
          source_type: 'action_item',
          source_id: row.id,
          project_id: projectRow.id,
          assignee_ids: assignee ? [assignee.id] : undefined,
          due_at: row.due_on,
        }),
      ),
    )
    const taskRow = await task.demand(ctx, createdTask.id, 'see', 'action_item_ids')
    result.changed++
    result.items.push(task.ref(taskRow, ctx.baseUrl))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    result.failed.push({
      id: row.id,
      title: row.text,
      code: error.code,
      message: error.body().message,
    })
  }
}

/** Assignee of the task; other owners are named in its description. */
async function assigneeOf(
  ctx: WriteContext,
  row: Row<'action_items'>,
  projectRow: Row<'projects'>,
): Promise<Row<'users'> | undefined> {
  const owner = row.owner_id === null ? undefined : await person.find(ctx, row.owner_id)
  return owner && owner.status !== 'deactivated' && (await isMember(ctx, projectRow.id, owner.id))
    ? owner
    : undefined
}
