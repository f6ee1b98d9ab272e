import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, freeObject, markdown, shortText, title } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { recordSprintMove, allocateTaskNumber } from '../../portfolio/access.ts'
import { dueColumns, startColumns } from '../lists/dates.ts'
import { type Delegate, applyDelegation, requireDelegable, requireDelegate } from './delegates.ts'
import { requireAssignable, memberNamed } from './people.ts'
import { positionAtEnd } from './positions.ts'
import { priorities, priorityEnum } from '../shapes.ts'
import { notifyAssigned } from './notifications.ts'
import { requireParent } from './trees.ts'
import { requireRequiredFields, mergeValues } from './values.ts'
import { customFields, firstStatus, statusesOf, statusNamed } from './workflow.ts'

export const minutes = () => z.int().min(0).max(5_000_000)
/** A key to delegate a task to. */
export const delegateText = () =>
  z
    .string()
    .min(1)
    .max(200)
    .describe(
      'key (assistant) that works on it: id, name or me (this key); assignees stay responsible',
    )
export const storyPoints = () => z.number().min(0).max(100_000)

/** Input of a new task, except for the rows that it refers to. */
export const draftInput = {
  title: title(),
  description_markdown: markdown().optional(),
  status: shortText(200)
    .optional()
    .describe('status name of the project; default: first to-do status'),
  priority: priorityEnum.optional(),
  due_at: datetime().optional().describe('a date means the end of that day'),
  start_at: datetime().optional(),
  estimate_minutes: minutes().optional(),
  points: storyPoints().optional(),
  custom_fields: freeObject()
    .optional()
    .describe('{name or id of a field: value}; options by name'),
  delegate_key_id: delegateText().optional(),
}

export interface TaskInput {
  title: string
  description_markdown?: string | undefined
  status?: string | undefined
  priority?: Row<'tasks'>['priority'] | undefined
  due_at?: string | undefined
  start_at?: string | undefined
  estimate_minutes?: number | undefined
  points?: number | undefined
  custom_fields?: Record<string, unknown> | undefined
  delegate_key_id?: string | undefined
  assignees?: Row<'users'>[] | undefined
  parent?: Row<'tasks'> | undefined
  sprint?: Row<'sprints'> | undefined
  milestone?: Row<'milestones'> | undefined
  labels?: Row<'labels'>[] | undefined
  /** The item of another type that it is created from. */
  source?: { type: string; id: string; isExternal: boolean } | undefined
  /** Created from a template or a source, so the caller cannot supply the project's required fields. */
  incomplete?: boolean | undefined
  /** Sends no notifications, because many tasks are created at once. */
  silent?: boolean | undefined
}

/**
 * Creates a task at the end of its project; its creator watches it.
 * @throws Refusal invalid_argument for whatever does not fit the project
 */
export async function insertTask(
  ctx: WriteContext,
  projectRow: Row<'projects'>,
  draft: TaskInput,
): Promise<Row<'tasks'>> {
  const statuses = await statusesOf(ctx, projectRow.id)
  const status =
    draft.status === undefined ? firstStatus(statuses) : statusNamed(statuses, draft.status)
  const isOpen = status.category !== 'done' && status.category !== 'cancelled'
  const times = taskTimeColumns(ctx, draft)
  const values = await newCustomValues(ctx, projectRow, draft)
  const { parent, sprint, milestone, assignees = [], labels = [], priority = 'none' } = draft
  if (parent) await requireParent(ctx, projectRow.id, parent)
  if (sprint) requireSprint(projectRow.id, sprint)
  if (milestone) requireMilestone(projectRow.id, milestone)
  await requireAssignable(ctx, projectRow.id, assignees)
  const delegate = await delegateOf(ctx, projectRow, draft)
  const row = await ctx.add('tasks', {
    project_id: projectRow.id,
    key: `${projectRow.key}-${await allocateTaskNumber(ctx, projectRow.id)}`,
    title: draft.title.trim(),
    description_markdown: draft.description_markdown ?? null,
    status_id: status.id,
    status_category: status.category,
    priority,
    priority_rank: priorities.indexOf(priority),
    ...times,
    completed_at: isOpen ? null : ctx.now,
    estimate_minutes: draft.estimate_minutes ?? null,
    points: draft.points ?? null,
    parent_id: parent?.id ?? null,
    sprint_id: sprint?.id ?? null,
    milestone_id: milestone?.id ?? null,
    custom_fields_json: JSON.stringify(values),
    delegate_key_id: delegate?.id ?? null,
    source_type: draft.source?.type ?? null,
    source_id: draft.source?.id ?? null,
    trust: draft.source?.isExternal ? 'external' : null,
    position: await positionAtEnd(ctx, projectRow.id),
  })
  await ctx.add('task_people', { task_id: row.id, person_id: ctx.actor.id, role: 'watcher' })
  for (const assignee of assignees)
    await ctx.add('task_people', { task_id: row.id, person_id: assignee.id, role: 'assignee' })
  for (const label of labels) await ctx.add('task_labels', { task_id: row.id, label_id: label.id })
  if (assignees.some((assignee) => assignee.id !== ctx.actor.id))
    ctx.event('task.assigned', 'tasks', row)
  if (!draft.silent) notifyAssigned(ctx, row, assignees)
  if (delegate) await applyDelegation(ctx, row, delegate)
  await recordSprintMove(ctx, row.sprint_id, row, 'added')
  return row
}

async function delegateOf(
  ctx: ReadContext,
  projectRow: Row<'projects'>,
  { delegate_key_id }: TaskInput,
): Promise<Delegate | undefined> {
  if (delegate_key_id === undefined) return undefined
  const key = await requireDelegate(ctx, delegate_key_id)
  await requireDelegable(ctx, projectRow.id, key)
  return key
}

function taskTimeColumns(
  ctx: ReadContext,
  { due_at, start_at }: TaskInput,
): Pick<Row<'tasks'>, 'due_at' | 'due_on' | 'start_at' | 'start_on'> {
  const times = {
    ...dueColumns(due_at ?? null, ctx.actor.timezone),
    ...startColumns(start_at ?? null, ctx.actor.timezone),
  }
  requireSpan(times)
  return times
}

/** @throws Refusal invalid_argument where a task would be due before it starts */
export function requireSpan(
  {
    due_at,
    due_on,
    start_at,
    start_on,
  }: Pick<Row<'tasks'>, 'due_at' | 'due_on' | 'start_at' | 'start_on'>,
  field = 'start_at',
): void {
  if (start_at === null || due_at === null) return
  const startsAfterDue =
    due_on !== null && start_on !== null ? start_on > due_on : start_at > due_at
  if (startsAfterDue) throw invalid(field, 'the start must not be after the due date.')
}

async function newCustomValues(
  ctx: ReadContext,
  projectRow: Row<'projects'>,
  { custom_fields: customValues = {}, incomplete }: TaskInput,
): Promise<Record<string, unknown>> {
  const fields = await customFields(ctx, projectRow.id)
  if (fields.length === 0 && Object.keys(customValues).length === 0) return {}
  const values = await mergeValues(fields, customValues, {}, (text) =>
    memberNamed(ctx, projectRow.id, text),
  )
  if (!incomplete) requireRequiredFields(fields, values)
  return values
}

/** @throws Refusal invalid_argument where tasks of a project cannot be put into the sprint */
export function requireSprint(
  projectId: string,
  sprint: Row<'sprints'>,
  field = 'sprint_id',
): void {
  if (sprint.project_id !== projectId)
    throw invalid(field, `the sprint "${sprint.name}" belongs to another project.`)
  if (sprint.status !== 'planned' && sprint.status !== 'active')
    throw invalid(
      field,
      `the sprint "${sprint.name}" is ${sprint.status}.`,
      'Choose a planned or active sprint.',
    )
}

/** @throws Refusal invalid_argument where tasks of a project cannot be put under the milestone */
export function requireMilestone(
  projectId: string,
  milestone: Row<'milestones'>,
  field = 'milestone_id',
): void {
  if (milestone.project_id !== projectId)
    throw invalid(field, `the milestone "${milestone.name}" belongs to another project.`)
  if (milestone.status !== 'open' && milestone.status !== 'missed')
    throw invalid(
      field,
      `the milestone "${milestone.name}" is ${milestone.status}.`,
      'Choose an open milestone.',
    )
}
