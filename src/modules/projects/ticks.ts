import type { TickContext } from '../../operations/jobs/tick.ts'
import type { Id } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { dayAt } from '../../kernel/time/times.ts'

/** Time zone in which days begin first: a day that has not ended there has ended nowhere. */
const firstZone = 'Pacific/Kiritimati'
const batchSize = 20

/**
 * Marks open milestones as missed once their due date has passed in the time zone of the project's lead, in whose
 * name it is recorded. Skips archived and trashed projects.
 */
export async function missMilestones(system: TickContext): Promise<boolean> {
  const overdue = await overdueMilestones(system)
  const due = overdue
    .filter((item) => item.due_on! < dayAt(system.now, item.zone))
    .slice(0, batchSize)
  let updatedCount = 0
  for (const { lead, zone: _, ...row } of due) {
    updatedCount += await system
      .as(lead, async (ctx) => {
        const missed = await ctx.change('milestones', row, { status: 'missed' })
        ctx.event('milestone.missed', 'milestones', missed)
        return 1
      })
      .catch((error: unknown) => {
        // An organization without an eligible actor: its milestones wait without delaying others.
        if (error instanceof Refusal) return 0
        throw error
      })
  }
  return updatedCount === batchSize
}

async function overdueMilestones({
  all,
  now,
}: TickContext): Promise<(Row<'milestones'> & { lead: Id<'users'>; zone: string })[]> {
  return all
    .selectFrom('milestones')
    .innerJoin('projects', 'projects.id', 'milestones.project_id')
    .innerJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'projects.id')
        .on('project_members.role', '=', 'lead'),
    )
    .innerJoin('users', 'users.id', 'project_members.person_id')
    .where('milestones.status', '=', 'open')
    .where('milestones.deleted_at', 'is', null)
    .where('milestones.due_on', '<', dayAt(now, firstZone))
    .where('projects.deleted_at', 'is', null)
    .where('projects.status', '<>', 'archived')
    .selectAll('milestones')
    .select(['users.id as lead', 'users.timezone as zone'])
    .orderBy('milestones.due_on')
    .limit(500)
    .execute()
}
