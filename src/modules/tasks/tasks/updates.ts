import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { recordSprintMove } from '../../portfolio/access.ts'
import { task, taskDependency, taskLabel } from '../access.ts'
import { isBlocked } from '../lists/access-lists.ts'
import { dueColumns, startColumns } from '../lists/dates.ts'
import { type Delegate, applyDelegation, requireDelegable } from './delegates.ts'
import { requireMilestone, requireSpan, requireSprint } from './creation.ts'
import { requireAssignable, memberNamed, setAssignees, setWatching } from './people.ts'
import { createNext } from './recurrences.ts'
import { type Task, isOpenTask, priorities, taskRef } from '../shapes.ts'
import { presentTask } from '../presentation/presenter.ts'
import { notifyUnblockedAssignees } from './notifications.ts'
import { requireParent } from './trees.ts'
import { requireRequiredFields, mergeValues, type CustomFieldValues } from './values.ts'
import { customFields, statusesOf, statusNamed } from './workflow.ts'

/** Changes to a task; null clears a field, undefined leaves it unchanged. */
export interface TaskChanges {
  title?: string | undefined
  description_markdown?: string | null | undefined
  status?: string | undefined
  priority?: Row<'tasks'>['priority'] | undefined
  due_at?: string | null | undefined
  start_at?: string | null | undefined
  estimate_minutes?: number | null | undefined
  points?: number | null | undefined
  custom_fields?: Record<string, unknown> | undefined
  watching?: boolean | undefined
  parent?: Row<'tasks'> | null | undefined
  sprint?: Row<'sprints'> | null | undefined
  milestone?: Row<'milestones'> | null | undefined
  addLabels?: Row<'labels'>[] | undefined
  removeLabels?: Row<'labels'>[] | undefined
  assignees?: Row<'users'>[] | undefined
  delegate?: Delegate | null | undefined
}

/** A task after a change, with the effects of its completion. */
export interface TaskChangeResult {
  row: Row<'tasks'>
  /** True if anything about it changed. */
  changed: boolean
  unblocked: Row<'tasks'>[]
  next: Row<'tasks'> | undefined
}

type Patch = Partial<Row<'tasks'>>

/**
 * Changes a task: everything is checked before anything is written.
 * @throws Refusal invalid_argument for whatever does not fit the task's project
 */
export async function changeTask(
  ctx: WriteContext,
  row: Row<'tasks'>,
  changes: TaskChanges,
): Promise<TaskChangeResult> {
  const targetStatus =
    changes.status === undefined
      ? undefined
      : statusNamed(await statusesOf(ctx, row.project_id), changes.status)
  const patch = {
    ...plainPatch(changes),
    ...timePatch(ctx, row, changes),
    ...(await relationsPatch(ctx, row, changes)),
    ...(await valuesPatch(ctx, row, changes)),
  }
  if (changes.assignees) await requireAssignable(ctx, row.project_id, changes.assignees)
  const delegate = changes.delegate?.id === row.delegate_key_id ? undefined : changes.delegate
  if (delegate) await requireDelegable(ctx, row.project_id, delegate)
  const changed = await changeTaskStatus(ctx, row, targetStatus, patch)
  const parts = [
    await updateLabels(ctx, row, changes),
    changes.watching !== undefined && (await setWatching(ctx, row, changes.watching)),
    changes.assignees !== undefined && (await setAssignees(ctx, row, changes.assignees)),
  ]
  if (delegate) await applyDelegation(ctx, row, delegate)
  return { ...changed, changed: changed.changed || parts.includes(true) }
}

function plainPatch({
  title,
  description_markdown,
  priority,
  estimate_minutes,
  points,
}: TaskChanges): Patch {
  const patch: Patch = {}
  if (title !== undefined) patch.title = title.trim()
  if (description_markdown !== undefined)
    patch.description_markdown = description_markdown === '' ? null : description_markdown
  if (priority !== undefined)
    Object.assign(patch, { priority, priority_rank: priorities.indexOf(priority) })
  if (estimate_minutes !== undefined) patch.estimate_minutes = estimate_minutes
  if (points !== undefined) patch.points = points
  return patch
}

/** Resets the overdue notice if the due date moves. */
function timePatch(ctx: ReadContext, row: Row<'tasks'>, { due_at, start_at }: TaskChanges): Patch {
  if (due_at === undefined && start_at === undefined) return {}
  const due =
    due_at === undefined
      ? { due_at: row.due_at, due_on: row.due_on }
      : dueColumns(due_at, ctx.actor.timezone)
  const start =
    start_at === undefined
      ? { start_at: row.start_at, start_on: row.start_on }
      : startColumns(start_at, ctx.actor.timezone)
  requireSpan({ ...due, ...start }, start_at == null ? 'due_at' : 'start_at')
  return omitUndefined({
    ...due,
    ...start,
    overdue_told_at: due.due_at === row.due_at ? undefined : null,
  })
}

async function relationsPatch(
  ctx: ReadContext,
  row: Row<'tasks'>,
  { parent, sprint, milestone, delegate }: TaskChanges,
): Promise<Patch> {
  if (parent && parent.id !== row.parent_id) await requireParent(ctx, row.project_id, parent, row)
  if (sprint && sprint.id !== row.sprint_id) requireSprint(row.project_id, sprint)
  if (milestone && milestone.id !== row.milestone_id) requireMilestone(row.project_id, milestone)
  return omitUndefined({
    parent_id: parent === undefined ? undefined : (parent?.id ?? null),
    sprint_id: sprint === undefined ? undefined : (sprint?.id ?? null),
    milestone_id: milestone === undefined ? undefined : (milestone?.id ?? null),
    delegate_key_id: delegate === undefined ? undefined : (delegate?.id ?? null),
  })
}

async function valuesPatch(
  ctx: ReadContext,
  row: Row<'tasks'>,
  { custom_fields }: TaskChanges,
): Promise<Patch> {
  if (!custom_fields || Object.keys(custom_fields).length === 0) return {}
  const fields = await customFields(ctx, row.project_id)
  const before = JSON.parse(row.custom_fields_json) as CustomFieldValues
  const after = await mergeValues(fields, custom_fields, before, (text) =>
    memberNamed(ctx, row.project_id, text),
  )
  requireRequiredFields(
    fields.filter((field) => field.id in before),
    after,
  ) // fields that were never set may stay empty
  return { custom_fields_json: JSON.stringify(after) }
}

async function updateLabels(
  ctx: WriteContext,
  row: Row<'tasks'>,
  { addLabels = [], removeLabels = [] }: TaskChanges,
): Promise<boolean> {
  if (addLabels.length + removeLabels.length === 0) return false
  const links = await taskLabel.of(ctx, [row.id]).selectAll('task_labels').execute()
  const removedLinks = links.filter(
    (link) =>
      removeLabels.some((removeLabel) => removeLabel.id === link.label_id) &&
      !addLabels.some((addLabel) => addLabel.id === link.label_id),
  )
  const added = addLabels.filter((addLabel) => !links.some((link) => link.label_id === addLabel.id))
  for (const link of removedLinks) await ctx.remove('task_labels', link)
  for (const item of added) await ctx.add('task_labels', { task_id: row.id, label_id: item.id })
  return removedLinks.length + added.length > 0
}

/** Writes a patch, and changes the status of the task if one is given, with all consequences. */
export async function changeTaskStatus(
  ctx: WriteContext,
  before: Row<'tasks'>,
  to: Row<'statuses'> | undefined,
  patch: Patch = {},
): Promise<TaskChangeResult> {
  const target = to
    ? { status_id: to.id, status_category: to.category }
    : { status_id: before.status_id, status_category: before.status_category }
  const closes = isOpenTask(before) && !isOpenTask(target)
  const opens = !isOpenTask(before) && isOpenTask(target)
  let completed_at = before.completed_at
  if (closes) completed_at = ctx.now
  if (opens) completed_at = null
  const row = await ctx.change('tasks', before, { ...patch, ...target, completed_at })
  if (row.sprint_id !== before.sprint_id) {
    await recordSprintMove(ctx, before.sprint_id, row, 'removed')
    await recordSprintMove(ctx, row.sprint_id, row, 'added')
  }
  if (row.status_id !== before.status_id) ctx.event('task.status_changed', 'tasks', row)
  if (opens) await recordReopening(ctx, row)
  const done = row.status_category === 'done' && before.status_category !== 'done'
  const unblocked = closes ? await notifyUnblocked(ctx, row) : []
  if (closes) await recordSprintMove(ctx, row.sprint_id, row, 'completed')
  if (done) ctx.event('task.completed', 'tasks', row)
  return {
    row,
    changed: row !== before,
    unblocked,
    next: done ? await createNext(ctx, row) : undefined,
  }
}

async function recordReopening(ctx: WriteContext, row: Row<'tasks'>): Promise<void> {
  ctx.event('task.reopened', 'tasks', row)
  await recordSprintMove(ctx, row.sprint_id, row, 'reopened')
}

/** Notifies of open tasks that waited for this one and for no other task that the caller can see; returns them. */
async function notifyUnblocked(ctx: WriteContext, row: Row<'tasks'>): Promise<Row<'tasks'>[]> {
  const waiting = await taskDependency
    .of(ctx, [row.id], 'other_id')
    .where('task_dependencies.type', '=', 'blocked_by')
    .select('task_dependencies.task_id')
    .execute()
  if (waiting.length === 0) return []
  const unblocked = await task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where(
      'tasks.id',
      'in',
      waiting.map((item) => item.task_id),
    )
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
    .where((eb) => eb.not(isBlocked(ctx)))
    .orderBy('tasks.id')
    .execute()
  for (const item of unblocked) {
    ctx.event('task.unblocked', 'tasks', item)
    await notifyUnblockedAssignees(ctx, item)
  }
  return unblocked
}

/** Presents a task with the effects of its completion. */
export async function presentChanged(
  ctx: ReadContext,
  { row, unblocked, next }: TaskChangeResult,
): Promise<z.infer<typeof Task>> {
  return omitNullish({
    ...(await presentTask(ctx, row.id)),
    unblocked: unblocked.length > 0 ? unblocked.map(taskRef) : undefined,
    next_occurrence: next ? taskRef(next) : undefined,
  })
}
