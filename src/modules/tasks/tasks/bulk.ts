import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { datetime, freeObject, shortText } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { searchFirstIn, milestone, project, sprint } from '../../portfolio/access.ts'
import { task } from '../access.ts'
import { changeTask, type TaskChanges } from './updates.ts'
import { draftInput, insertTask, minutes, storyPoints, type TaskInput } from './creation.ts'
import { delegateChange } from './delegates.ts'
import { filterTasks, readFilterObject } from '../lists/filters.ts'
import { planFor } from '../lists/plans.ts'
import { orderOfItems } from '../refs.ts'
import { priorityEnum } from '../shapes.ts'

const id = () => z.string().min(1).max(320)
const ref = () => z.string().min(1).max(100)

const draftShape = {
  ...draftInput,
  assignee_ids: z.array(id()).max(50).optional(),
  sprint_id: id().optional(),
  milestone_id: id().optional(),
  label_ids: z.array(id()).max(50).optional(),
}
const DraftItem = z.strictObject(draftShape)
const LinkedItem = z.strictObject({
  ref: ref().optional().describe('a name other items can refer to'),
  ...draftShape,
  parent_id: id().optional(),
  parent_ref: ref().optional(),
  blocked_by_refs: z.array(ref()).max(50).optional(),
})

export const bulkCreateTasks = operation({
  name: 'bulk_create_tasks',
  searchHint: 'many tickets at once, batch of tasks, create several, load a list of tasks',
  kind: 'write',
  rest: 'POST /api/tasks/bulk-create',
  creates: 'items',
  about:
    'Create up to 100 tasks in one all-or-nothing call; items may refer to each other by ref for parents and dependencies',
  on: { project: project.edit },
  input: {
    tasks: z
      .array(LinkedItem)
      .min(1)
      .max(100)
      .describe('as in create_task; parent_ref and blocked_by_refs use the ref of other items'),
  },
  dryRun: true,
  reportsProgress: true,
  output: BulkResult,
  async handle({ project: projectRow, tasks: items }, ctx) {
    const tasks: Row<'tasks'>[] = []
    const byRef = new Map<string, Row<'tasks'>>()
    for (const [createdCount, i] of orderOfItems(items).entries()) {
      ctx.progress(createdCount, items.length, 'tasks created')
      const { ref, parent_ref, parent_id, blocked_by_refs: _, ...item } = items[i]!
      tasks[i] = await withItemPath(`tasks[${i}]`, async () => {
        const parent =
          parent_ref === undefined ? await parentNamed(ctx, parent_id) : byRef.get(parent_ref)!
        return insertTask(ctx, projectRow, {
          ...(await taskInputOf(ctx, projectRow, item)),
          parent,
        })
      })
      if (ref !== undefined) byRef.set(ref, tasks[i])
    }
    for (const [i, item] of items.entries()) {
      for (const blocker of new Set(item.blocked_by_refs))
        await ctx.add('task_dependencies', {
          task_id: tasks[i]!.id,
          other_id: byRef.get(blocker)!.id,
          type: 'blocked_by',
        })
    }
    return createdResult(ctx, tasks)
  },
})

export const createSubtasks = operation({
  name: 'create_subtasks',
  searchHint: 'break down, split into steps, checklist, smaller pieces',
  kind: 'write',
  rest: 'POST /api/tasks/{task_id}/subtasks',
  creates: 'items',
  about: 'Break a task into an ordered list of subtasks in one call',
  on: { task: task.edit },
  input: { subtasks: z.array(DraftItem).min(1).max(50) },
  reportsProgress: true,
  output: BulkResult,
  async handle({ task: parent, subtasks }, ctx) {
    const projectRow = await project.demand(ctx, parent.project_id, 'edit', 'task_id')
    const createdTasks: Row<'tasks'>[] = []
    for (const [i, item] of subtasks.entries()) {
      ctx.progress(i, subtasks.length, 'subtasks created')
      createdTasks.push(
        await withItemPath(`subtasks[${i}]`, async () =>
          insertTask(ctx, projectRow, { ...(await taskInputOf(ctx, projectRow, item)), parent }),
        ),
      )
    }
    return createdResult(ctx, createdTasks)
  },
})

function createdResult(
  ctx: WriteContext,
  tasks: readonly Row<'tasks'>[],
): z.infer<typeof BulkResult> {
  const count = tasks.length
  return {
    requested: count,
    matched: count,
    changed: count,
    skipped: [],
    failed: [],
    items: tasks.map((row) => task.ref(row, ctx.baseUrl)),
    dry_run: ctx.dryRun,
    ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
  }
}

/** Adds the item to a refusal. */
async function withItemPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { field } = error.more
    const errors = error.more.errors?.map((item) => ({ ...item, path: `${path}.${item.path}` }))
    throw new Refusal(
      error.code,
      field && error.message.startsWith(`${field}:`)
        ? `${path}.${error.message}`
        : `${path}: ${error.message}`,
      { ...error.more, field: field ? `${path}.${field}` : path, ...(errors ? { errors } : {}) },
    )
  }
}

type Item = z.infer<typeof DraftItem>

async function taskInputOf(
  ctx: WriteContext,
  projectRow: Row<'projects'>,
  { assignee_ids, sprint_id, milestone_id, label_ids, ...draft }: Item,
): Promise<TaskInput> {
  return {
    ...draft,
    assignees: assignee_ids && (await person.requireAll(ctx, assignee_ids, 'see', 'assignee_ids')),
    labels: label_ids && (await label.requireAll(ctx, label_ids, 'see', 'label_ids')),
    sprint:
      sprint_id === undefined
        ? undefined
        : await sprint.demand(ctx, sprint_id, 'see', 'sprint_id', searchFirstIn(projectRow.id)),
    milestone:
      milestone_id === undefined
        ? undefined
        : await milestone.demand(
            ctx,
            milestone_id,
            'see',
            'milestone_id',
            searchFirstIn(projectRow.id),
          ),
  }
}

const ChangeObject = z.strictObject({
  status: shortText(200).optional(),
  priority: priorityEnum.optional(),
  due_at: datetime().nullable().optional(),
  start_at: datetime().nullable().optional(),
  estimate_minutes: minutes().nullable().optional(),
  points: storyPoints().nullable().optional(),
  parent_id: id().nullable().optional(),
  sprint_id: id().nullable().optional(),
  milestone_id: id().nullable().optional(),
  add_label_ids: z.array(id()).max(50).optional(),
  remove_label_ids: z.array(id()).max(50).optional(),
  assignee_ids: z.array(id()).max(50).optional(),
  custom_fields: freeObject().optional(),
  watching: z.boolean().optional(),
  delegate_key_id: z.string().max(320).nullable().optional(),
})

const maxTasks = 200

export const bulkUpdateTasks = operation({
  name: 'bulk_update_tasks',
  searchHint: 'many tickets at once, mass change, edit several, change all of them',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/tasks/bulk-update',
  about: 'Apply the same changes to listed or filtered tasks (up to 200), with a dry run',
  on: { tasks: task.see.many.maybe.describe('these tasks; or send filter') },
  input: {
    changes: ChangeObject.describe(
      'as in update_task; assignee_ids sets who does them; null clears',
    ),
    filter: freeObject()
      .optional()
      .describe('filters of list_tasks, such as {"sprint_id": "current"}; or send task_ids'),
    max_items: z.int().min(1).max(maxTasks).default(maxTasks).describe('fail if more tasks match'),
  },
  dryRun: true,
  reportsProgress: true,
  output: BulkResult,
  async handle({ tasks: listed, changes, filter, max_items }, ctx) {
    if ((listed === undefined) === (filter === undefined))
      throw invalid('task_ids', 'send either task_ids or filter.')
    if (Object.keys(changes).length === 0)
      throw invalid(
        'changes',
        'no changes were sent.',
        'Send fields such as status, priority, due_at or assignee_ids.',
      )
    const rows = listed ?? (await findTasksMatching(ctx, filter!, max_items))
    const taskChanges = await resolveBulkChanges(ctx, rows[0]?.project_id, changes)
    if (rows.length > max_items) throw tooManyTasks(rows.length, max_items)
    const result: z.infer<typeof BulkResult> = {
      requested: rows.length,
      matched: rows.length,
      changed: 0,
      skipped: [],
      failed: [],
      items: [],
      dry_run: ctx.dryRun,
      ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
    }
    for (const [i, row] of rows.entries()) {
      ctx.progress(i, rows.length, 'tasks looked at')
      await applyChanges(ctx, row, taskChanges, result)
    }
    return result
  },
})

/** Changes one task, or reports why it cannot. A failure leaves nothing half done and does not affect other tasks. */
async function applyChanges(
  ctx: WriteContext,
  row: Row<'tasks'>,
  changes: TaskChanges,
  result: z.infer<typeof BulkResult>,
): Promise<void> {
  try {
    const editable = await task.demand(ctx, row.id, 'edit', 'task_ids')
    const { row: after, changed } = await ctx.attempt(() => changeTask(ctx, editable, changes))
    if (!changed)
      return void result.skipped.push({
        id: row.id,
        key: row.key,
        title: row.title,
        reason: 'already up to date',
      })
    result.changed++
    result.items.push(task.ref(after, ctx.baseUrl))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    result.failed.push({
      id: row.id,
      key: row.key,
      title: row.title,
      code: error.code,
      message: error.body().message,
    })
  }
}

async function findTasksMatching(
  ctx: WriteContext,
  filterInput: Record<string, unknown>,
  limit: number,
): Promise<Row<'tasks'>[]> {
  if (Object.keys(filterInput).length === 0)
    throw invalid(
      'filter',
      'the filter is empty and would match every task.',
      'Send at least one filter, such as project_id.',
    )
  const filter = await readFilterObject(ctx, filterInput)
  const plan = await planFor(ctx, filter, 'created_at')
  const query = filterTasks(task.visibleTo(ctx), filter, { from: ctx, now: ctx.now, plan })
  const rows = await query
    .selectAll('tasks')
    .orderBy('tasks.id')
    .limit(limit + 1)
    .execute()
  if (rows.length <= limit) return rows
  const { count } = await query
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  throw tooManyTasks(count, limit)
}

function tooManyTasks(count: number, limit: number): Refusal {
  return new Refusal('too_large', `${count} tasks match, but max_items is ${limit}.`, {
    field: 'max_items',
    hint:
      limit < maxTasks
        ? 'Narrow the filter, or raise max_items.'
        : 'Narrow the filter and proceed in parts.',
    context: { matched: count },
  })
}

/** Names of sprints and milestones are looked up in the project of the first task first. */
async function resolveBulkChanges(
  ctx: WriteContext,
  projectId: Id<'projects'> | undefined,
  {
    parent_id,
    sprint_id,
    milestone_id,
    add_label_ids,
    remove_label_ids,
    assignee_ids,
    delegate_key_id,
    ...otherChanges
  }: z.infer<typeof ChangeObject>,
): Promise<TaskChanges> {
  return {
    ...otherChanges,
    delegate: await delegateChange(ctx, delegate_key_id, 'changes.delegate_key_id'),
    parent: parent_id
      ? await task.demand(ctx, parent_id, 'see', 'changes.parent_id')
      : (parent_id as null | undefined),
    sprint: sprint_id
      ? await sprint.demand(ctx, sprint_id, 'see', 'changes.sprint_id', searchFirstIn(projectId))
      : (sprint_id as null | undefined),
    milestone: milestone_id
      ? await milestone.demand(
          ctx,
          milestone_id,
          'see',
          'changes.milestone_id',
          searchFirstIn(projectId),
        )
      : (milestone_id as null | undefined),
    addLabels:
      add_label_ids && (await label.requireAll(ctx, add_label_ids, 'see', 'changes.add_label_ids')),
    removeLabels:
      remove_label_ids &&
      (await label.requireAll(ctx, remove_label_ids, 'see', 'changes.remove_label_ids')),
    assignees:
      assignee_ids && (await person.requireAll(ctx, assignee_ids, 'see', 'changes.assignee_ids')),
  }
}

async function parentNamed(
  ctx: WriteContext,
  id: string | undefined,
): Promise<Row<'tasks'> | undefined> {
  return id === undefined ? undefined : task.demand(ctx, id, 'see', 'parent_id')
}
