import type { ReadContext } from '../../core/context.ts'
import type { Id } from '../../core/ids.ts'
import type { Row } from '../../core/resource.ts'
import { addDays, minuteOfDay } from '../../core/times.ts'
import { dutiesOf, type Duty } from '../incidents/access.ts'
import { openAssignments, task } from '../tasks/access.ts'

/** What is asked of people: open tasks in projects that the caller shares with them. Archived projects ask nothing. */

/** Open tasks that are assigned to a person, of those that the caller sees. */
export function openTasksOf(ctx: ReadContext, personId: Id<'users'>) {
  return task.editable(ctx).where('tasks.id', 'in', openAssignments(ctx, [personId]).select('open_assignments.task_id'))
}

/** The same of some people, as far as they have a due date between two moments, soonest first. */
export function openTasksDue(ctx: ReadContext, people: readonly Id<'users'>[], from: number, until: number) {
  return openAssignments(ctx, people)
    .crossJoin('tasks')
    .whereRef('tasks.id', '=', 'open_assignments.task_id')
    .where('open_assignments.due_at', '>=', from)
    .where('open_assignments.due_at', '<', until)
    .orderBy('open_assignments.due_at')
    .orderBy('open_assignments.task_id')
    .selectAll('tasks')
}

/** How many open tasks of a person come due before a moment, and how many of them before an earlier one. */
export async function countDue(ctx: ReadContext, personId: Id<'users'>, earlier: number, until: number): Promise<{ all: number; earlier: number }> {
  return openAssignments(ctx, [personId])
    .where('open_assignments.due_at', '<', until)
    .select(eb => [eb.fn.countAll<number>().as('all'), eb.fn.countAll<number>().filterWhere('open_assignments.due_at', '<', earlier).as('earlier')])
    .executeTakeFirstOrThrow()
}

export interface Due {
  person_id: Id<'users'>
  due_at: number
  task: Row<'tasks'>
}

/** Open tasks that come due while their assignees are away, soonest first: a fixed number of queries, however many absences. */
export async function dueWhileAway(ctx: ReadContext, absences: readonly Row<'time_off'>[], zones: Map<string, string>): Promise<Map<string, Due[]>> {
  if (absences.length === 0) return new Map()
  const spans = absences.map(one => ({ id: one.id, person: one.person_id, ...momentsOf(one, zones.get(one.person_id) ?? 'UTC') }))
  const people = [...new Set(absences.map(one => one.person_id))] as Id<'users'>[]
  const [from, until] = [Math.min(...spans.map(one => one.from)), Math.max(...spans.map(one => one.until))]
  const found = await openTasksDue(ctx, people, from, until).select('open_assignments.person_id').execute()
  const dues = found.map(({ person_id, ...row }) => ({ person_id, due_at: row.due_at!, task: row }))
  return new Map(spans.map(span => [span.id, dues.filter(due => due.person_id === span.person && due.due_at >= span.from && due.due_at < span.until)]))
}

/** On-call shifts of people that touch their absences, by absence, soonest first; of those that are over nothing is asked any more. */
export async function shiftsWhileAway(ctx: ReadContext, absences: readonly Row<'time_off'>[], zones: Map<string, string>): Promise<Map<string, Duty[]>> {
  const spans = absences.map(one => ({ id: one.id, person: one.person_id, ...momentsOf(one, zones.get(one.person_id) ?? 'UTC') })).filter(one => one.until > ctx.now)
  const found = await dutiesOf(ctx, spans)
  return new Map(spans.map((one, i) => [one.id, found[i]!]))
}

/** First moment of an absence, and the one after its last. */
function momentsOf(absence: Pick<Row<'time_off'>, 'starts_on' | 'ends_on'>, zone: string): { from: number; until: number } {
  return { from: minuteOfDay(absence.starts_on, 0, zone), until: minuteOfDay(addDays(absence.ends_on, 1), 0, zone) }
}
