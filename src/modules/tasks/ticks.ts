import type { WriteContext } from '../../operations/context.ts'
import type { Tick, TickContext } from '../../operations/jobs/tick.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { createOccurrence, creationTime } from './tasks/recurrences.ts'
import { nextAfter } from '../../kernel/time/recurrence.ts'
import { repeatOf } from './tasks/next-occurrence.ts'
import { dayLength } from '../../kernel/time/times.ts'

const repeatBatchSize = 5
const maxRemindersAtOnce = 100

/** Creates the tasks that repeat on schedule, on their start days. */
export const repeatTick: Tick = {
  name: 'repeat_tasks',
  async run(system) {
    const due = await dueRepeats(system)
    for (const { lead, row } of due) await createRepeat(system, lead, row)
    return due.length === repeatBatchSize
  },
}

/** Records task.overdue once for each due date that passes while the task is open. */
export const overdueTick: Tick = {
  name: 'tell_overdue_tasks',
  async run(system) {
    const late = await lateTasks(system)
    const ids = late.map((item) => item.row.id)
    const assignees = await assigneesOfAll(system, ids)
    for (const [lead, tasksOfLead] of Map.groupBy(late, (item) => item.lead)) {
      await onBehalfOf(system, lead, async (ctx) => {
        for (const { row } of tasksOfLead) {
          ctx.event('task.overdue', 'tasks', row)
          ctx.notify('due', assignees.get(row.id) ?? [], 'tasks', row, `${row.key} is overdue`)
        }
      })
    }
    // Not a change of the task: its revision and updated_at stay.
    if (ids.length > 0)
      await system.all
        .updateTable('tasks')
        .set({ overdue_told_at: system.now })
        .where('id', 'in', ids)
        .execute()
    return late.length === maxRemindersAtOnce
  },
}

interface TaskWithLead {
  lead: string
  row: Row<'tasks'>
}

/** Live tasks of live projects, with the lead on whose behalf the system acts. */
export function tasksWithLead({ all }: TickContext) {
  return all
    .selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .innerJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'tasks.project_id')
        .on('project_members.role', '=', 'lead'),
    )
    .selectAll('tasks')
    .select('project_members.person_id as lead')
    .where('tasks.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .where('projects.status', '<>', 'archived')
}

export async function assigneesOfAll(
  { all }: TickContext,
  ids: readonly Row<'tasks'>['id'][],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await all
    .selectFrom('task_people')
    .select(['task_id', 'person_id'])
    .where('role', '=', 'assignee')
    .where('task_id', 'in', ids)
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.task_id)].map(([id, some]) => [
      id,
      some.map((item) => item.person_id),
    ]),
  )
}

async function dueRepeats(system: TickContext): Promise<TaskWithLead[]> {
  const rows = await tasksWithLead(system)
    .where('tasks.recurrence_create_at', '<=', system.now)
    .orderBy('tasks.recurrence_create_at')
    .limit(repeatBatchSize)
    .execute()
  return rows.map(taskWithLead)
}

async function lateTasks(system: TickContext): Promise<TaskWithLead[]> {
  const rows = await tasksWithLead(system)
    .where('tasks.due_at', '<', system.now)
    .where('tasks.completed_at', 'is', null)
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
    .where((eb) =>
      eb.or([
        eb('tasks.overdue_told_at', 'is', null),
        eb('tasks.overdue_told_at', '<', eb.ref('tasks.due_at')),
      ]),
    )
    .orderBy('tasks.due_at')
    .limit(maxRemindersAtOnce)
    .execute()
  return rows.map(taskWithLead)
}

function taskWithLead({ lead, ...row }: Row<'tasks'> & { lead: string }): TaskWithLead {
  return { lead, row }
}

async function createRepeat(system: TickContext, lead: string, row: Row<'tasks'>): Promise<void> {
  const done = await onBehalfOf(
    system,
    lead,
    async (ctx) => void (await createOccurrence(ctx, row, newestDue(row, system.now))),
  )
  // Retried tomorrow, so that others get their turn.
  if (!done)
    await system.all
      .updateTable('tasks')
      .set({ recurrence_create_at: system.now + dayLength })
      .where('id', '=', row.id)
      .execute()
}

/** Runs work on behalf of a lead; false if no one in the organization is left to act for. */
export async function onBehalfOf(
  system: TickContext,
  lead: string,
  work: (ctx: WriteContext) => Promise<void>,
): Promise<boolean> {
  try {
    await system.as(lead, work)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * The latest due date whose task should exist by now: after a long downtime one task is created, not one per missed
 * day.
 */
function newestDue(row: Row<'tasks'>, now: number): number {
  const rule = repeatOf(row)
  const shouldExist = (due: number | undefined): due is number =>
    due !== undefined && creationTime(row, rule.timezone, due) <= now
  let newest = row.recurrence_next_at!
  const ahead = newest - creationTime(row, rule.timezone, newest)
  const recent = nextAfter(rule, now + ahead - 9 * dayLength)
  if (shouldExist(recent) && recent > newest) newest = recent
  for (let next = nextAfter(rule, newest); shouldExist(next); next = nextAfter(rule, next))
    newest = next
  return newest
}
