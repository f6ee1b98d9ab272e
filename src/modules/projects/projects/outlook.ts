import { chunks } from '../../../kernel/chunks.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { yieldOrCancel } from '../../../operations/call/progress.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, dayAt } from '../../../kernel/time/times.ts'
import { task } from '../../tasks/access.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { openBlockers } from '../access-tasks.ts'
import { isoWeekOf, weeksOf } from './weeks.ts'

/** The open tasks of a project, as a query. */
function openTasks(ctx: ReadContext, project: Row<'projects'>) {
  return task
    .visibleTo(ctx)
    .where('tasks.project_id', '=', project.id)
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
}

export interface CountedTasks {
  count: number
  rows: Row<'tasks'>[]
}

/** Open overdue tasks, oldest first. */
export async function overdueTasks(
  ctx: ReadContext,
  project: Row<'projects'>,
  limit: number,
): Promise<CountedTasks> {
  return taskCountOf(openTasks(ctx, project).where('tasks.due_at', '<', ctx.now), limit)
}

/** Open tasks due within this many days. */
export async function tasksDueSoon(
  ctx: ReadContext,
  projectRow: Row<'projects'>,
  inDays: number,
  maxTasks: number,
): Promise<CountedTasks> {
  return taskCountOf(
    openTasks(ctx, projectRow)
      .where('tasks.due_at', '>=', ctx.now)
      .where('tasks.due_at', '<=', ctx.now + inDays * dayLength),
    maxTasks,
  )
}

async function taskCountOf(
  query: ReturnType<typeof openTasks>,
  limit: number,
): Promise<CountedTasks> {
  const { count } = await query
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows =
    count > 0
      ? await query
          .selectAll('tasks')
          .orderBy('tasks.due_at')
          .orderBy('tasks.id')
          .limit(limit)
          .execute()
      : []
  return { count, rows }
}

export interface BlockedTask {
  row: Row<'tasks'>
  /** Creation time of the oldest link to an open blocker. */
  since: number
}

/** Open tasks blocked by a visible open task, longest waiting first. */
export async function blockedTasks(
  ctx: ReadContext,
  project: Row<'projects'>,
): Promise<BlockedTask[]> {
  const links = await openBlockers(ctx, project.id)
  const blockers = await tasksById(
    ctx,
    links.map((link) => link.other_id),
  )
  const since = new Map<string, number>()
  for (const { id, other_id, added_at } of links) {
    const blocker = blockers.get(other_id)
    if (blocker && isOpenTask(blocker) && !since.has(id)) since.set(id, added_at)
  }
  const rows = await tasksById(ctx, [...since.keys()])
  return [...since].flatMap(([id, at]) => (rows.has(id) ? [{ row: rows.get(id)!, since: at }] : []))
}

/** Tasks by id, queried in batches within the parameter limit. */
async function tasksById(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Row<'tasks'>>> {
  const rows = new Map<string, Row<'tasks'>>()
  for (const batch of chunks(ids, 1000)) {
    await yieldOrCancel(ctx)
    for (const [id, row] of await task.among(ctx, batch)) rows.set(id, row)
  }
  return rows
}

/** Completed tasks per ISO week between two local days of the caller; weeks without any count 0. */
export async function throughputOf(
  ctx: ReadContext,
  project: Row<'projects'>,
  from: string,
  to: string,
  start: number,
  end: number,
): Promise<{ week: string; done: number }[]> {
  const done = await task
    .visibleTo(ctx)
    .where('tasks.project_id', '=', project.id)
    .where('tasks.status_category', '=', 'done')
    .where('tasks.completed_at', '>=', start)
    .where('tasks.completed_at', '<=', end)
    .select('tasks.completed_at')
    .execute()
  const counts = new Map(weeksOf(from, to).map((week) => [week, 0]))
  for (const { completed_at } of done) {
    const week = isoWeekOf(dayAt(completed_at!, ctx.actor.timezone))
    counts.set(week, (counts.get(week) ?? 0) + 1)
  }
  return [...counts].map(([week, count]) => ({ week, done: count }))
}
