import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import type { Handover, HeldItem } from '../directory/shapes.ts'
import { isOpen } from '../tasks/shapes.ts'
import { openTasksByProject, projectsLedBy } from './access-handovers.ts'
import { assignTo, handLead, join, membershipOf } from './projects/memberships.ts'

/** Projects that a person leads; archived ones as well, since only their lead restores them. */
export const projectHandover: Handover = {
  kind: 'projects',
  async held(ctx, person) {
    return (await projectsLedBy(ctx, person.id)).map((row) => ({
      table: 'projects' as const,
      id: row.id,
      give: (write, heir) => handLead(write, row, heir),
    }))
  },
}

/** Open tasks of a person. The heir becomes a member of their projects. */
export const taskHandover: Handover = {
  kind: 'tasks',
  async held(ctx, person) {
    const all: HeldItem[] = []
    for (const { project, tasks } of await openTasksByProject(ctx, person.id))
      for (const { task, tie } of tasks)
        if (isOpen(task))
          all.push({ table: 'tasks', id: task.id, give: taskGiver(project, task, tie) })
    return all
  },
}

function taskGiver(
  project: Row<'projects'>,
  task: Row<'tasks'>,
  tie: Row<'task_people'>,
): NonNullable<HeldItem['give']> {
  return async (ctx, heir) => {
    if (!(await isMember(ctx, project, heir))) await join(ctx, project, heir, 'member')
    await ctx.remove('task_people', tie)
    await assignTo(ctx, task, heir)
  }
}

async function isMember(
  ctx: ReadContext,
  project: Row<'projects'>,
  heir: Row<'users'>,
): Promise<boolean> {
  return (await membershipOf(ctx, project.id, heir.id)) !== undefined
}
