import type { Id } from '../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import type { Row } from '../../records/resource.ts'
import { tiesOf } from './access-tasks.ts'

// Responsibilities of a person in projects, whether or not the caller sees the projects. Only a hand-over reads them, and it names only
// the projects that the caller sees.

export function projectsLedBy(from: Viewer, person: Id<'users'>): Promise<Row<'projects'>[]> {
  return projectsOf(from, person, 'lead')
}

/** The open and closed tasks of a person by project, with the row that assigns each. */
export async function openTasksByProject(
  from: Viewer,
  person: Id<'users'>,
): Promise<
  { project: Row<'projects'>; tasks: { task: Row<'tasks'>; tie: Row<'task_people'> }[] }[]
> {
  const all = []
  for (const project of await projectsOf(from, person)) {
    const ties = await tiesOf(from, project.id, person)
    const tasks = ties.flatMap(({ task, ties: roles }) => {
      const tie = roles.find(({ role }) => role === 'assignee')
      return tie && task.deleted_at === null ? [{ task, tie }] : []
    })
    if (project.status !== 'archived') all.push({ project, tasks })
  }
  return all
}

async function projectsOf(
  from: Viewer,
  person: Id<'users'>,
  role?: 'lead',
): Promise<Row<'projects'>[]> {
  const { all, actor } = accessScopeOf(from)
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
