import type { ReadContext } from '../../core/context.ts'
import type { Id } from '../../core/ids.ts'
import type { Row } from '../../core/resource.ts'
import { addDays, minuteOfDay } from '../../core/times.ts'
import { dutiesOf, type Duty } from '../incidents/access.ts'
import { task, taskPerson } from '../tasks/access.ts'

/** What is asked of people: open tasks in projects that the caller shares with them. Archived projects ask nothing. */

/** Open tasks that are assigned to a person, of those that the caller sees. */
export function openTasksOf(ctx: ReadContext, personId: Id<'users'>) {
  const assigned = taskPerson.of(ctx, [personId], 'person_id').where('task_people.role', '=', 'assignee').select('task_people.task_id')
  return task.editable(ctx).where('tasks.id', 'in', assigned).where('tasks.status_category', 'not in', ['done', 'cancelled'])
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
  const found = await taskPerson
    .of(ctx, people, 'person_id')
    .innerJoin('tasks', 'tasks.id', 'task_people.task_id')
    .where('task_people.role', '=', 'assignee')
    .where('tasks.due_at', '>=', Math.min(...spans.map(one => one.from)))
    .where('tasks.due_at', '<', Math.max(...spans.map(one => one.until)))
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
    .where(task.holds(ctx, 'task_people.task_id', 'edit'))
    .selectAll('tasks')
    .select('task_people.person_id')
    .orderBy('tasks.due_at')
    .orderBy('tasks.id')
    .execute()
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
