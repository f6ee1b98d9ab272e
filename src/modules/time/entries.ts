import { omitUndefined, omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { date, pageOf, paging, shortText } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { Row, Scoped } from '../../records/resource.ts'
import { addDays, dayAt } from '../../kernel/time/times.ts'
import { deletedRef } from '../directory/shapes.ts'
import { DeletedRef } from '../../records/shapes.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { task } from '../tasks/access.ts'
import { ofProject, runningIds, timeEntry } from './access.ts'
import { maxMinutes, durationText } from './durations.ts'
import { ListedEntry, presentEntries, TimeEntry } from './shapes.ts'
import { requireTarget, targetParams, timeTargetOf } from './targets.ts'
import { stopColumns } from './timer-stops.ts'
import { quantity } from '../../kernel/text/quantity.ts'

const duration = () => z.int().min(1).max(maxMinutes).describe('1 to 1440')
export const entryNote = () => shortText(2000)
/** Maximum days in the future for which time can be logged. */
const maxDaysAhead = 31
const firstDay = '2000-01-01'

/** The rows and other filters that filters of time entries refer to. */
export const entryFilterParams = {
  person: person.see.maybe,
  project: project.see.maybe,
  task: task.see.maybe,
}
export const entryFilterInput = {
  from: date().optional().describe('the first day'),
  to: date().optional().describe('the last day'),
  billable: z.boolean().optional(),
  running: z.boolean().optional().describe('true: only running timers; false: without them'),
}

/** Filters of time entries: ids of visible rows, and days. */
export interface EntryFilter {
  person?: string | undefined
  project?: string | undefined
  task?: string | undefined
  from?: string | undefined
  to?: string | undefined
  billable?: boolean | undefined
  running?: boolean | undefined
}

/** The visible entries, filtered. @throws Refusal invalid_argument for days in the wrong order */
export async function filterEntries(
  ctx: ReadContext,
  { person: personId, project, task: taskId, from, to, billable, running }: EntryFilter,
): Promise<Scoped<'time_entries'>> {
  if (from !== undefined && to !== undefined && to < from)
    throw invalid('to', `${to} is before from (${from}).`)
  let query = timeEntry.visibleTo(ctx)
  if (personId) query = query.where('time_entries.person_id', '=', personId as Row<'users'>['id'])
  if (project) query = ofProject(ctx, query, project as Row<'projects'>['id'])
  if (taskId) query = query.where('time_entries.task_id', '=', taskId as Row<'tasks'>['id'])
  if (from !== undefined) query = query.where('time_entries.spent_on', '>=', from)
  if (to !== undefined) query = query.where('time_entries.spent_on', '<=', to)
  if (billable !== undefined) query = query.where('time_entries.billable', '=', billable ? 1 : 0)
  if (running === true) query = query.where('time_entries.id', 'in', await runningIds(ctx))
  if (running === false) query = query.where('time_entries.running_since_at', 'is', null)
  return query
}

export const listTimeEntries = operation({
  name: 'list_time_entries',
  searchHint: 'timesheet, my hours, what did I work on, logged time',
  kind: 'read',
  rest: 'GET /api/time-entries',
  about: 'Your time entries and those of projects you lead, including a running timer',
  on: entryFilterParams,
  input: { ...entryFilterInput, ...paging },
  output: pageOf(ListedEntry),
  async handle({ person, project, task, limit, cursor, ...otherFilters }, ctx) {
    const query = await filterEntries(ctx, {
      ...otherFilters,
      person: person?.id,
      project: project?.id,
      task: task?.id,
    })
    const page = await paged(
      query.selectAll('time_entries'),
      [
        { by: 'time_entries.spent_on', as: 'spent_on', dir: 'desc' },
        { by: 'time_entries.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentEntries(ctx, page.items))
  },
})

export const createTimeEntry = operation({
  name: 'create_time_entry',
  searchHint: 'log hours, log time, track time, book hours, add to my timesheet, worked two hours',
  kind: 'write',
  rest: 'POST /api/time-entries',
  about: 'Log time spent on a task or project; use start_timer to measure it',
  on: targetParams,
  input: {
    duration_minutes: duration(),
    spent_on: date().describe('your local day'),
    note: entryNote().optional(),
    billable: z.boolean().optional().describe('default false'),
  },
  output: TimeEntry,
  async handle(
    { task: taskRow, project, duration_minutes, spent_on, note, billable = false },
    ctx,
  ) {
    requireDay(ctx, spent_on)
    const entry = await ctx.add('time_entries', {
      ...requireTarget(taskRow, project),
      person_id: ctx.actor.id,
      spent_on,
      duration_minutes,
      note: note?.trim() || null,
      billable: billable ? 1 : 0,
    })
    return presentEntry(ctx, entry)
  },
})

export const updateTimeEntry = operation({
  name: 'update_time_entry',
  searchHint: 'fix my timesheet, correct hours',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/time-entries/{entry_id}',
  about: 'Change your time entry',
  on: { entry: timeEntry.edit, ...targetParams },
  input: {
    duration_minutes: duration().optional(),
    spent_on: date().optional(),
    note: entryNote().nullable().optional(),
    billable: z.boolean().optional(),
  },
  output: TimeEntry,
  async handle({ entry: row, task: on, project, duration_minutes, spent_on, note, billable }, ctx) {
    if (
      row.running_since_at !== null &&
      (duration_minutes !== undefined || spent_on !== undefined)
    ) {
      const field = duration_minutes === undefined ? 'spent_on' : 'duration_minutes'
      throw new Refusal(
        'conflict',
        'This timer is running: its day and duration are set when it stops.',
        { field, next: { tool: 'stop_timer', arguments: {} } },
      )
    }
    if (spent_on !== undefined && spent_on !== row.spent_on) requireDay(ctx, spent_on)
    const changed = await ctx.change(
      'time_entries',
      row,
      omitUndefined({
        ...(on || project ? timeTargetOf(on, project) : {}),
        duration_minutes,
        spent_on,
        note: note === undefined ? undefined : note?.trim() || null,
        ...(billable === undefined ? {} : { billable: billable ? 1 : 0 }),
      }),
    )
    return presentEntry(ctx, changed)
  },
})

export const deleteTimeEntry = operation({
  name: 'delete_time_entry',
  searchHint: 'remove hours, wrong time entry',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/time-entries/{entry_id}',
  about: 'Delete your time entry',
  on: { entry: timeEntry.own },
  output: DeletedRef,
  async handle({ entry: row }, ctx) {
    // Deleting a running timer stops it: another one may run before it is restored.
    const stoppedEntry =
      row.running_since_at === null
        ? row
        : await ctx.change('time_entries', row, stopColumns(row, ctx.now))
    await ctx.trash('time_entries', stoppedEntry)
    return deletedRef(ctx, timeEntry.ref(stoppedEntry, ctx.baseUrl))
  },
})

/** Presents one of the caller's entries, with a warning if its day has too many hours. */
export async function presentEntry(
  ctx: ReadContext,
  row: Row<'time_entries'>,
  notes: readonly string[] = [],
): Promise<z.infer<typeof TimeEntry>> {
  const [shape] = await presentEntries(ctx, [row])
  const dayTotal = await timeEntry
    .editableBy(ctx)
    .where('time_entries.spent_on', '=', row.spent_on)
    .select((eb) => eb.fn.sum<number | null>('time_entries.duration_minutes').as('minutes'))
    .executeTakeFirst()
  const sum = dayTotal?.minutes ?? 0
  const all = [
    ...notes,
    ...(sum > maxMinutes
      ? [`${durationText(sum)} are logged on ${row.spent_on}, more than 24 hours.`]
      : []),
  ]
  return omitNullish({ ...shape!, notes: all.length > 0 ? all : undefined })
}

function requireDay(ctx: ReadContext, day: string): void {
  const last = addDays(dayAt(ctx.now, ctx.actor.timezone), maxDaysAhead)
  if (day > last)
    throw invalid(
      'spent_on',
      `time cannot be logged later than ${last}, ${quantity(maxDaysAhead, 'day')} from now.`,
    )
  if (day < firstDay) throw invalid('spent_on', `time cannot be logged before ${firstDay}.`)
}
