import type { Row } from '../../records/resource.ts'
import type { Handover, HandoverItem } from '../directory/shapes.ts'
import { isMember } from '../portfolio/access.ts'
import { projectsLedBy, tasksToHandOver } from './access-handovers.ts'
import { assignTo, makeLead, joinProject } from './projects/memberships.ts'

/** Projects led by a person, including archived ones, since only their lead can restore them. */
export const projectHandover: Handover = {
  kind: 'projects',
  async listItems(ctx, person) {
    return (await projectsLedBy(ctx, person.id)).map((row) => ({
      table: 'projects' as const,
      id: row.id,
      transfer: (write, heir) => makeLead(write, row, heir),
    }))
  },
}

/** A person's open tasks. The heir becomes a member of their projects. */
export const taskHandover: Handover = {
  kind: 'tasks',
  async listItems(ctx, person) {
    return (await tasksToHandOver(ctx, person.id)).map(({ project, task, assignment }) => ({
      table: 'tasks' as const,
      id: task.id,
      transfer: taskHandOver(project, task, assignment),
    }))
  },
}

function taskHandOver(
  project: Row<'projects'>,
  task: Row<'tasks'>,
  assignment: Row<'task_people'>,
): NonNullable<HandoverItem['transfer']> {
  return async (ctx, heir) => {
    if (!(await isMember(ctx, project.id, heir.id))) await joinProject(ctx, project, heir, 'member')
    await ctx.remove('task_people', assignment)
    await assignTo(ctx, task, heir)
  }
}
