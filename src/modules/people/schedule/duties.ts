import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { addDays, instantOfMinute } from '../../../kernel/time/times.ts'
import { dutiesOf, type Duty } from '../../incidents/access.ts'
import { dueBound, dueDay, dueFrom, dueUntil, openAssignments, task } from '../../tasks/access.ts'

// Open tasks of people, in projects that the caller shares with them. Archived projects do not count.

/** Visible open tasks assigned to a person. */
export function openTasksOf(ctx: ReadContext, personId: Id<'users'>) {
  return task
    .editableBy(ctx)
    .where('tasks.id', 'in', openAssignments(ctx, [personId]).select('open_assignments.task_id'))
}

/** Visible overdue open tasks assigned to several people, soonest first. */
export function openTasksOverdue(ctx: ReadContext, people: readonly Id<'users'>[]) {
  return assignedTasks(ctx, people).where('open_assignments.due_at', '<', ctx.now)
}

/** Visible open tasks of several people due on given days (in a time zone if they have a time). */
export function openTasksDue(
  ctx: ReadContext,
  people: readonly Id<'users'>[],
  { first, last, zone }: { first: string; last: string; zone: string },
) {
  return assignedTasks(ctx, people)
    .where(dueFrom(dueBound(first, zone, 'start', 'from'), 'open_assignments'))
    .where(dueUntil(dueBound(last, zone, 'end', 'to'), 'open_assignments'))
}

function assignedTasks(ctx: ReadContext, people: readonly Id<'users'>[]) {
  return openAssignments(ctx, people)
    .crossJoin('tasks')
    .whereRef('tasks.id', '=', 'open_assignments.task_id')
    .orderBy('open_assignments.due_at')
    .orderBy('open_assignments.task_id')
    .selectAll('tasks')
}

/** Counts a person's overdue open tasks, and the others due by the given day. */
export async function countDue(
  ctx: ReadContext,
  personId: Id<'users'>,
  day: string,
  zone: string,
): Promise<{ overdue: number; due: number }> {
  const bound = dueBound(day, zone, 'end', 'day')
  return openAssignments(ctx, [personId])
    .where('open_assignments.due_at', '<=', Math.max(ctx.now, bound.reach))
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('open_assignments.due_at', '<', ctx.now).as('overdue'),
      eb.fn
        .countAll<number>()
        .filterWhere(
          eb.and([
            eb('open_assignments.due_at', '>=', ctx.now),
            dueUntil(bound, 'open_assignments'),
          ]),
        )
        .as('due'),
    ])
    .executeTakeFirstOrThrow()
}

export interface DueTask {
  person_id: Id<'users'>
  due_at: number
  task: Row<'tasks'>
}

/**
 * Open tasks due during their assignees' absences, soonest first: a fixed number of queries for any number of
 * absences.
 */
export async function dueWhileAway(
  ctx: ReadContext,
  absences: readonly Row<'time_off'>[],
  zones: Map<string, string>,
): Promise<Map<string, DueTask[]>> {
  if (absences.length === 0) return new Map()
  const spans = absences.map((absence) => ({
    id: absence.id,
    person: absence.person_id,
    first: absence.starts_on,
    last: absence.ends_on,
    zone: zones.get(absence.person_id) ?? 'UTC',
  }))
  const people = [...new Set(absences.map((absence) => absence.person_id))] as Id<'users'>[]
  const first = spans.map((span) => span.first).toSorted()[0]!
  const last = spans
    .map((span) => span.last)
    .toSorted()
    .at(-1)!
  const assignments = await openTasksDue(ctx, people, {
    first: addDays(first, -1),
    last: addDays(last, 1),
    zone: 'UTC',
  })
    .select('open_assignments.person_id')
    .execute()
  const dueTasks = assignments.map(({ person_id, ...row }) => ({
    person_id,
    due_at: row.due_at!,
    task: row,
  }))
  return new Map(
    spans.map((span) => [
      span.id,
      dueTasks.filter((due) => due.person_id === span.person && isDueWithin(due.task, span)),
    ]),
  )
}

/** Whether a task is due on one of the days of a span in a zone. */
function isDueWithin(
  row: Row<'tasks'>,
  { first, last, zone }: { first: string; last: string; zone: string },
): boolean {
  const day = dueDay(row, zone)
  return day !== undefined && day >= first && day <= last
}

/** On-call shifts overlapping people's absences, by absence, soonest first; past absences are skipped. */
export async function shiftsWhileAway(
  ctx: ReadContext,
  absences: readonly Row<'time_off'>[],
  zones: Map<string, string>,
): Promise<Map<string, Duty[]>> {
  const spans = absences
    .map((absence) => ({
      id: absence.id,
      person: absence.person_id,
      ...momentsOf(absence, zones.get(absence.person_id) ?? 'UTC'),
    }))
    .filter((item) => item.until > ctx.now)
  const duties = await dutiesOf(ctx, spans)
  return new Map(spans.map((span, i) => [span.id, duties[i]!]))
}

/** First moment of an absence, and the first one after it. */
function momentsOf(
  absence: Pick<Row<'time_off'>, 'starts_on' | 'ends_on'>,
  zone: string,
): { from: number; until: number } {
  return {
    from: instantOfMinute(absence.starts_on, 0, zone),
    until: instantOfMinute(addDays(absence.ends_on, 1), 0, zone),
  }
}
