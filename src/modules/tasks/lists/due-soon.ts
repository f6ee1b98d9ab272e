import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { assigneesOfAll, onBehalfOf, tasksWithLead } from '../ticks.ts'

const maxTasks = 100

/** Notifies assignees once, a day before a task is due. Skips tasks created within that day. */
export const dueSoonTick: Tick = {
  name: 'tell_tasks_due_soon',
  async run(system) {
    const due = await dueSoon(system)
    await notifyDue(
      system,
      due.filter(({ row }) => row.created_at <= row.due_at! - dayLength),
    )
    for (const { row } of due) await recordDueNotice(system, row)
    return due.length === maxTasks
  },
}

interface DueTask {
  lead: string
  row: Row<'tasks'>
}

async function notifyDue(system: TickContext, due: readonly DueTask[]): Promise<void> {
  const assignees = await assigneesOfAll(
    system,
    due.map((dueTask) => dueTask.row.id),
  )
  for (const [lead, tasksOfLead] of Map.groupBy(due, (dueTask) => dueTask.lead)) {
    await onBehalfOf(system, lead, async (ctx) =>
      tasksOfLead.forEach(({ row }) =>
        ctx.notify(
          'due',
          assignees.get(row.id) ?? [],
          'tasks',
          row,
          `${row.key} is due within a day`,
        ),
      ),
    )
  }
}

/** Open tasks that are due within a day and have no notification for that date yet. */
async function dueSoon(system: TickContext): Promise<DueTask[]> {
  const rows = await tasksWithLead(system)
    .leftJoin('task_due_notices', 'task_due_notices.task_id', 'tasks.id')
    .where('tasks.due_at', '>', system.now)
    .where('tasks.due_at', '<=', system.now + dayLength)
    .where('tasks.completed_at', 'is', null)
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
    .where((eb) =>
      eb.or([
        eb('task_due_notices.due_at', 'is', null),
        eb('task_due_notices.due_at', '<>', eb.ref('tasks.due_at')),
      ]),
    )
    .orderBy('tasks.due_at')
    .limit(maxTasks)
    .execute()
  return rows.map(({ lead, ...row }) => ({ lead, row }))
}

/** Not a change of the task: its revision and updated_at stay. */
async function recordDueNotice(
  { all }: TickContext,
  { id, org_id, due_at }: Row<'tasks'>,
): Promise<void> {
  const notice = { due_at: due_at! }
  await all
    .insertInto('task_due_notices')
    .values({ task_id: id, org_id, ...notice })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet(notice))
    .execute()
}
