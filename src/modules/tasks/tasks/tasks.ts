import { z } from 'zod'
import {
  datetime,
  fields,
  freeObject,
  markdown,
  pageOf,
  paging,
  shortText,
  title,
} from '../../../kernel/fields.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { milestone, recordSprintMove, project, sprint } from '../../portfolio/access.ts'
import { comment, descendants, task, taskDependency } from '../access.ts'
import { changeTask, presentChanged } from './updates.ts'
import { delegateText, draftInput, insertTask, minutes, storyPoints } from './creation.ts'
import { delegateChange } from './delegates.ts'
import { readTaskFilters, taskFilters } from '../lists/filters.ts'
import { listPage, defaultDirection } from '../lists/pages.ts'
import { sorts } from '../lists/plans.ts'
import { ListedTask, Task, priorityEnum, presentTasks, taskRef } from '../shapes.ts'
import { presentTask, presentTaskRow, presentComments } from '../presentation/presenter.ts'

export const listTasks = operation({
  name: 'list_tasks',
  searchHint:
    'todos, tickets, issues, backlog, overdue, my work, what is open, due this week, unassigned',
  kind: 'read',
  rest: 'GET /api/tasks',
  about: 'Tasks in your projects; search_tasks searches descriptions and comments',
  on: taskFilters.on,
  input: {
    ...taskFilters.input,
    sort: z.enum(sorts).default('updated_at'),
    order: z.enum(['asc', 'desc']).optional().describe('priority desc: urgent first'),
    fields: fields(),
    ...paging,
  },
  output: pageOf(ListedTask),
  async handle({ sort, order, fields: requestedFields, limit, cursor, ...filters }, ctx) {
    const body = requestedFields?.includes('description_markdown') ?? false
    const filter = await readTaskFilters(ctx, filters)
    const page = await listPage(
      ctx,
      { filter, sort, dir: order ?? defaultDirection(sort), body },
      { limit, cursor },
    )
    return pageWithItems(page, await presentTasks(ctx, page.items, { body }))
  },
})

const parts = ['subtasks', 'dependencies', 'comments', 'attachments', 'activity', 'time'] as const

export const getTask = operation({
  name: 'get_task',
  searchHint: 'ticket details, show the issue, open the ticket',
  kind: 'read',
  rest: 'GET /api/tasks/{task_id}',
  about: 'One task by id or key (ENG-42) with fields, subtasks, links and attachments',
  on: { task: task.see },
  input: {
    include: z
      .array(z.enum(parts))
      .max(6)
      .optional()
      .describe('comments: the last 50; time: the total, and the last 50 entries visible to you'),
  },
  output: Task,
  async handle({ task: row, include = [] }, ctx) {
    const presented: z.infer<typeof Task> = await presentTaskRow(ctx, row)
    if (include.includes('subtasks')) presented.subtasks = await subtasksOf(ctx, row)
    if (include.includes('dependencies')) presented.dependencies = await dependenciesOf(ctx, row)
    if (include.includes('comments')) presented.comments = await lastComments(ctx, row)
    if (include.includes('activity'))
      presented.activity = (
        await ctx.call<{ items: Record<string, unknown>[] }>('list_activity', {
          item_id: row.id,
          limit: 50,
        })
      ).items
    if (include.includes('time'))
      presented.time = {
        total_minutes: presented.time_spent_minutes,
        entries: (
          await ctx.call<{ items: Record<string, unknown>[] }>('list_time_entries', {
            task_id: row.id,
            limit: 50,
          })
        ).items,
      }
    return presented
  },
})

async function subtasksOf(ctx: ReadContext, row: Row<'tasks'>) {
  const rows = await task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where('tasks.parent_id', '=', row.id)
    .orderBy('tasks.position')
    .orderBy('tasks.id')
    .limit(500)
    .execute()
  return presentTasks(ctx, rows)
}

async function lastComments(ctx: ReadContext, row: Row<'tasks'>) {
  const rows = await comment
    .visibleTo(ctx)
    .selectAll('task_comments')
    .where('task_comments.task_id', '=', row.id)
    .orderBy('task_comments.id', 'desc')
    .limit(50)
    .execute()
  return presentComments(ctx, row, rows.reverse())
}

async function dependenciesOf(
  ctx: ReadContext,
  row: Row<'tasks'>,
): Promise<NonNullable<z.infer<typeof Task>['dependencies']>> {
  const ownLinks = await taskDependency.of(ctx, [row.id]).selectAll('task_dependencies').execute()
  const reverseLinks = await taskDependency
    .of(ctx, [row.id], 'other_id')
    .selectAll('task_dependencies')
    .execute()
  const links = [
    ...ownLinks.map((item) => ({ id: item.other_id, type: item.type })),
    // the opposite direction: blocked_by becomes blocks; the other two are symmetric
    ...reverseLinks.map((item) => ({
      id: item.task_id,
      type: item.type === 'blocked_by' ? ('blocks' as const) : item.type,
    })),
  ]
  const others = await task.among(
    ctx,
    links.map((link) => link.id),
  )
  return links.flatMap(({ id, type }) => {
    const other = others.get(id)
    return other ? [{ type, task: taskRef(other), status_category: other.status_category }] : []
  })
}

export const createTask = operation({
  name: 'create_task',
  searchHint: 'todo, ticket, issue, bug, to-do, story, file a bug, new task, defect',
  kind: 'write',
  rest: 'POST /api/tasks',
  about: 'Create a task in a project; use bulk_create_tasks for several',
  on: {
    project: project.edit,
    assignees: person.see.many.maybe.describe('ids, email addresses or me; members of the project'),
    parent: task.see.maybe,
    sprint: sprint.see.maybe,
    milestone: milestone.see.maybe,
    labels: label.see.many.maybe,
  },
  input: draftInput,
  output: Task,
  async handle({ project: projectRow, ...draft }, ctx) {
    const row = await insertTask(ctx, projectRow, draft)
    return presentTask(ctx, row.id)
  },
})

export const updateTask = operation({
  name: 'update_task',
  searchHint:
    'edit a ticket, change the due date, set the priority, rename, reschedule, postpone, ' +
    'estimate, push the deadline, hand to an assistant',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/tasks/{task_id}',
  about:
    'Change fields of a task; null clears a field; optional expected_revision rejects stale writes; use bulk_update_tasks for many',
  on: {
    task: task.edit,
    parent: task.see.clearable,
    sprint: sprint.see.clearable,
    milestone: milestone.see.clearable,
    addLabels: label.see.many.maybe.named('add_label_ids'),
    removeLabels: label.see.many.maybe.named('remove_label_ids'),
  },
  input: {
    title: title().optional(),
    description_markdown: markdown().nullable().optional(),
    status: shortText(200).optional().describe('status name of the project'),
    priority: priorityEnum.optional(),
    due_at: datetime().nullable().optional().describe('a date means the end of that day'),
    start_at: datetime().nullable().optional(),
    estimate_minutes: minutes().nullable().optional(),
    points: storyPoints().nullable().optional().describe('story points'),
    custom_fields: freeObject()
      .optional()
      .describe('{name or id of a field: value}; null clears a value, omitted fields stay'),
    delegate_key_id: delegateText().nullable().optional(),
    watching: z.boolean().optional().describe('whether you receive notifications about it'),
  },
  argumentHints: {
    assignee_ids: 'assign_task',
    assignees: 'assign_task',
    assignee: 'assign_task',
    project_id: 'move_task',
    before_task_id: 'move_task',
    after_task_id: 'move_task',
    rrule: 'set_task_recurrence',
    comment: 'add_task_comment',
    label_ids: 'add_label_ids and remove_label_ids',
  },
  revision: 'task',
  output: Task,
  async handle({ task: row, delegate_key_id, ...changes }, ctx) {
    const delegate = await delegateChange(ctx, delegate_key_id)
    return presentChanged(ctx, await changeTask(ctx, row, { ...changes, delegate }))
  },
})

export const deleteTask = operation({
  name: 'delete_task',
  searchHint: 'throw a ticket away, remove an issue',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/tasks/{task_id}',
  about: 'Move a task and its subtasks to the trash for 30 days; restore_item brings them back',
  on: { task: task.own },
  dryRun: true,
  reportsProgress: true,
  output: DeletedRef,
  async handle({ task: row }, ctx) {
    const subtasks = await descendants(ctx, row.id, 10_000)
    await ctx.trash('tasks', row, subtasks)
    for (const [i, trashed] of [row, ...subtasks].entries()) {
      ctx.progress(i, subtasks.length + 1, 'tasks taken out of their sprints')
      await recordSprintMove(ctx, trashed.sprint_id, trashed, 'removed')
    }
    return deletedRef(
      ctx,
      task.ref(row, ctx.baseUrl),
      subtasks.length > 0 ? [{ type: 'task', count: subtasks.length }] : [],
    )
  },
})
