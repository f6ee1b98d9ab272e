import { generateKeyBetween } from 'fractional-indexing'
import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { date, timezone } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { allocateTaskNumber } from '../../portfolio/access.ts'
import {
  descendants,
  projectWorkflow,
  task,
  taskLabel,
  taskPerson,
  type ProjectWorkflow,
} from '../access.ts'
import {
  dayStart,
  nextAfter,
  parseRule,
  shiftInstant,
  wallTime,
  withMonthEnds,
  type Repeat,
} from '../../../kernel/time/recurrence.ts'
import { momentsIn, movedDates } from '../lists/dates.ts'
import { Task, isOpenTask } from '../shapes.ts'
import { repeatsAfter, repeatOf, repeatsByDay } from './next-occurrence.ts'
import { presentTask } from '../presentation/presenter.ts'
import { delegateForMembers } from './delegates.ts'
import { notifyAssigned } from './notifications.ts'
import { firstStatus } from './workflow.ts'

const clearedRecurrence = {
  recurrence_rrule: null,
  recurrence_timezone: null,
  recurrence_create_next: null,
  recurrence_ends_on: null,
  recurrence_start: null,
  recurrence_next_at: null,
  recurrence_create_at: null,
} as const

export const setTaskRecurrence = operation({
  name: 'set_task_recurrence',
  searchHint: 'repeat every week, recurring, routine, weekly task, monthly, stop repeating',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/tasks/{task_id}/recurrence',
  about: 'Make a task repeat by an iCalendar rule, or stop it with a null rule',
  on: { task: task.edit },
  input: {
    rrule: z
      .string()
      .min(1)
      .max(500)
      .nullable()
      .optional()
      .describe(
        'RFC 5545, such as FREQ=WEEKLY;BYDAY=MO,TH; counted from the due date, else the start; null stops; omitted keeps the rule',
      ),
    timezone: timezone().optional().describe('time zone of the rule; default: yours'),
    create_next: z
      .enum(['on_schedule', 'on_completion'])
      .optional()
      .describe(
        'on_completion (default): once this one is done; on_schedule: on the next scheduled day, done or not',
      ),
    ends_on: date().nullable().optional().describe('last possible day'),
  },
  output: Task,
  async handle({ task: row, rrule, timezone: zone, create_next, ends_on }, ctx) {
    const note =
      rrule === null
        ? await stopRepeating(ctx, row)
        : await setRule(ctx, row, { rrule, zone, createNext: create_next, endsOn: ends_on })
    const shape = await presentTask(ctx, row.id)
    return note === undefined ? shape : { ...shape, notes: [...(shape.notes ?? []), note] }
  },
})

async function stopRepeating(ctx: WriteContext, row: Row<'tasks'>): Promise<undefined> {
  await ctx.change('tasks', row, clearedRecurrence)
}

interface RecurrenceInput {
  rrule: string | undefined
  zone: string | undefined
  createNext: 'on_schedule' | 'on_completion' | undefined
  endsOn: string | null | undefined
}

/** @returns warnings about the rule */
async function setRule(
  ctx: WriteContext,
  row: Row<'tasks'>,
  input: RecurrenceInput,
): Promise<string | undefined> {
  const text = input.rrule ?? row.recurrence_rrule
  if (text === null)
    throw invalid(
      'rrule',
      'this task does not repeat yet; a rule is required.',
      'Send one such as FREQ=WEEKLY;BYDAY=MO, or null to stop a repeating task.',
    )
  if (!isOpenTask(row))
    throw new Refusal(
      'conflict',
      `${row.key} is closed, and a closed task cannot start to repeat.`,
      'Reopen it with reopen_task, or set the rule on an open task.',
    )
  const zone = input.zone ?? row.recurrence_timezone ?? ctx.actor.timezone
  const start = recurrenceStartOf(ctx, row, input, zone)
  const { rrule, note } = withMonthEnds(parseRule(text), start)
  const recurrence: Repeat = {
    rrule,
    timezone: zone,
    start,
    endsOn: input.endsOn === undefined ? row.recurrence_ends_on : input.endsOn,
  }
  const next = nextAfter(recurrence, repeatsAfter(row, zone, ctx.now))
  if (next === undefined)
    throw invalid(
      input.endsOn ? 'ends_on' : 'rrule',
      'this rule produces no dates.',
      'Check UNTIL, COUNT, ends_on and days that do not exist in any month.',
    )
  await ctx.change('tasks', row, {
    recurrence_create_next: input.createNext ?? row.recurrence_create_next ?? 'on_completion',
    ...recurrenceColumns(recurrence),
    ...nextTaskTimes(recurrence, row, next, input.createNext ?? row.recurrence_create_next),
  })
  return note
}

/**
 * DTSTART: the due date, else the start date, of the task on which the rule is set; without either, the end of that
 * day, the usual time of due dates without a time. An unchanged rule keeps its DTSTART, so that biweekly tasks stay
 * in the same weeks.
 */
function recurrenceStartOf(
  ctx: WriteContext,
  row: Row<'tasks'>,
  input: RecurrenceInput,
  zone: string,
): string {
  const from = row.due_at ?? row.start_at
  if (row.recurrence_start !== null && (input.rrule === undefined || from === null))
    return row.recurrence_start
  if (row.due_on !== null) return endOfDay(row.due_on)
  return from === null ? endOfDay(dayAt(ctx.now, zone)) : wallTime(from, zone)
}

/** Wall-clock time of the end of a day, used for due dates without a time. */
function endOfDay(day: string): string {
  return `${day}T23:59:59`
}

function recurrenceColumns(repeat: Repeat) {
  return {
    recurrence_rrule: repeat.rrule,
    recurrence_timezone: repeat.timezone,
    recurrence_start: repeat.start,
    recurrence_ends_on: repeat.endsOn,
  }
}

function nextTaskTimes(
  recurrence: Repeat,
  row: Row<'tasks'>,
  next: number | undefined,
  createNext: Row<'tasks'>['recurrence_create_next'] | undefined,
) {
  const scheduled = createNext === 'on_schedule' && next !== undefined
  return {
    recurrence_next_at: next ?? null,
    recurrence_create_at: scheduled ? creationTime(row, recurrence.timezone, next) : null,
  }
}

/** The date that repetition moves. */
function dateOf(row: Row<'tasks'>, zone: string): number {
  const { due_at, start_at } = momentsIn(row, zone)
  return due_at ?? start_at ?? row.created_at
}

/** When a task that is due at `next` is created on schedule: at the start of its first day, before it is due. */
export function creationTime(row: Row<'tasks'>, zone: string, next: number): number {
  const { start_at } = momentsIn(row, zone)
  const start = start_at === null ? next : shiftInstant(start_at, dateOf(row, zone), next, zone)
  return dayStart(Math.min(start, next), zone)
}

/**
 * Creates the next occurrence of a task that repeats on completion: due at the first moment of its rule after its own
 * due date and after now. The rule moves to the new task, so each repeats once. Undefined if the task does not
 * repeat, repeats on schedule, or its rule has ended.
 */
export async function createNext(
  ctx: WriteContext,
  row: Row<'tasks'>,
): Promise<Row<'tasks'> | undefined> {
  if (row.recurrence_rrule === null || row.recurrence_create_next !== 'on_completion')
    return undefined
  const next = nextAfter(repeatOf(row), repeatsAfter(row, row.recurrence_timezone!, ctx.now))
  if (next !== undefined) return createOccurrence(ctx, row, next)
  await ctx.change('tasks', row, { recurrence_next_at: null })
  return undefined
}

/**
 * Creates the next occurrence of a repeating task, due at a moment of its rule, with its subtasks; the rule moves to
 * it.
 */
export async function createOccurrence(
  ctx: WriteContext,
  row: Row<'tasks'>,
  next: number,
): Promise<Row<'tasks'>> {
  const rule = repeatOf(row)
  const workflow = await projectWorkflow(ctx, row.project_id)
  const subtasks = await descendants(ctx, row.id)
  const zone = rule.timezone
  const from = dateOf(row, zone)
  const datesOf = (item: Row<'tasks'>) =>
    movedDates(item, zone, (at) => shiftInstant(at, from, next, zone))
  const dates = {
    ...datesOf(row),
    due_at: row.due_at === null && row.start_at !== null ? null : next,
    due_on: repeatsByDay(row) ? dayAt(next, zone) : null,
  }
  const occurrence = await copy(ctx, row, workflow, {
    ...dates,
    parent_id: row.parent_id,
    recurrence_of_id: row.id,
    recurrence_create_next: row.recurrence_create_next,
    ...recurrenceColumns(rule),
    ...nextTaskTimes(rule, { ...row, ...dates }, nextAfter(rule, next), row.recurrence_create_next),
  })
  const copies = new Map([[row.id, occurrence.id]])
  for (const item of subtasks) {
    const copied = await copy(ctx, item, workflow, {
      ...datesOf(item),
      parent_id: copies.get(item.parent_id!)!,
    })
    copies.set(item.id, copied.id)
  }
  await ctx.change('tasks', row, clearedRecurrence)
  return occurrence
}

/** Copies the content of a task, not its progress, to a new one. Comments, links and attachments stay. */
async function copy(
  ctx: WriteContext,
  row: Row<'tasks'>,
  workflow: ProjectWorkflow,
  overrides: Partial<Row<'tasks'>>,
): Promise<Row<'tasks'>> {
  const {
    title,
    description_markdown,
    priority,
    priority_rank,
    estimate_minutes,
    points,
    custom_fields_json,
    trust,
  } = row
  const status = firstStatus(workflow.statuses)
  workflow.position = generateKeyBetween(workflow.position, null)
  const copied = await ctx.add('tasks', {
    project_id: row.project_id,
    key: `${workflow.key}-${await allocateTaskNumber(ctx, row.project_id)}`,
    status_id: status.id,
    status_category: status.category,
    position: workflow.position,
    title,
    description_markdown,
    priority,
    priority_rank,
    estimate_minutes,
    points,
    custom_fields_json,
    trust,
    delegate_key_id: await delegateForMembers(ctx, row, workflow.members),
    ...overrides,
  })
  await copyParts(ctx, row.id, copied, workflow)
  return copied
}

/** Copies labels, and assignees and watchers who are still there. */
async function copyParts(
  ctx: WriteContext,
  from: Id<'tasks'>,
  target: Row<'tasks'>,
  workflow: ProjectWorkflow,
): Promise<void> {
  const people = await taskPerson.of(ctx, [from]).selectAll('task_people').execute()
  const labels = await taskLabel.of(ctx, [from]).selectAll('task_labels').execute()
  const remaining = people.filter((person) => workflow.members.has(person.person_id))
  for (const { person_id, role } of remaining)
    await ctx.add('task_people', { task_id: target.id, person_id, role })
  for (const { label_id } of labels) await ctx.add('task_labels', { task_id: target.id, label_id })
  const assignees = remaining.filter((item) => item.role === 'assignee')
  if (assignees.length > 0) ctx.event('task.assigned', 'tasks', target)
  notifyAssigned(
    ctx,
    target,
    assignees.map((assignee) => ({ id: assignee.person_id })),
  )
}
