import type { Id } from '../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import type { Row } from '../../records/resource.ts'
import { isOpenTask } from '../tasks/shapes.ts'
import { taskLinksOf } from './access-tasks.ts'

// A person's responsibilities in projects, visible to the caller or not. Used only in hand-overs, which name only
// visible projects.

export function projectsLedBy(viewer: Viewer, person: Id<'users'>): Promise<Row<'projects'>[]> {
  return projectsOf(viewer, person, 'lead')
}

/** A person's task, with its project and assignment row. */
export interface AssignedTask {
  project: Row<'projects'>
  task: Row<'tasks'>
  assignment: Row<'task_people'>
}

/** A person's open tasks in projects that are not archived. */
export async function tasksToHandOver(
  viewer: Viewer,
  person: Id<'users'>,
): Promise<readonly AssignedTask[]> {
  const all: AssignedTask[] = []
  for (const project of await projectsOf(viewer, person)) {
    if (project.status === 'archived') continue
    for (const { task, links } of await taskLinksOf(viewer, project.id, person)) {
      const assignment = links.find(({ role }) => role === 'assignee')
      if (assignment && task.deleted_at === null && isOpenTask(task))
        all.push({ project, task, assignment })
    }
  }
  return all
}

async function projectsOf(
  reader: Viewer,
  person: Id<'users'>,
  role?: 'lead',
): Promise<Row<'projects'>[]> {
  const { all, actor } = accessScopeOf(reader)
  const memberships = all
    .selectFrom('project_members')
    .select('project_members.project_id')
    .where('project_members.person_id', '=', person)
  const ids = role ? memberships.where('project_members.role', '=', role) : memberships
  return all
    .selectFrom('projects')
    .selectAll('projects')
    .where('projects.org_id', '=', actor.org_id)
    .where('projects.deleted_at', 'is', null)
    .where('projects.id', 'in', ids)
    .orderBy('projects.id')
    .execute()
}
