import { findable } from '../../search/findable.ts'
import { person } from '../directory/access.ts'
import { project, projectMember } from '../portfolio/access.ts'

/** Projects by name, key and description, for their members; each lies under itself, as its tasks do. */
export const foundProjects = findable({
  kind: 'project',
  source: 'projects',
  resource: project,
  containers: async (ctx) =>
    (await project.seen(ctx).select('projects.id').execute()).map((row) => row.id),
  narrow(ctx, projects, { project: of, person: who }) {
    const some = of ? projects.where('projects.id', '=', of.id) : projects
    if (!who) return some
    const joined = projectMember.of(ctx, [who.id], 'person_id').select('project_members.project_id')
    return some.where((eb) =>
      eb.or([eb('projects.created_by', '=', who.id), eb('projects.id', 'in', joined)]),
    )
  },
  async facts(ctx, rows) {
    const leads = await projectMember
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .where('project_members.role', '=', 'lead')
      .select(['project_members.project_id', 'project_members.person_id'])
      .execute()
    const people = await person.among(
      ctx,
      leads.map((one) => one.person_id),
    )
    return new Map(
      rows.map((row) => {
        const own = leads.filter((one) => one.project_id === row.id)
        return [
          row.id,
          {
            people: own.flatMap((one) => people.get(one.person_id)?.display_name ?? []),
            trust: 'internal' as const,
          },
        ]
      }),
    )
  },
})
