import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { project, projectMember, visibleProjectIds } from '../portfolio/access.ts'

/** Projects by name, key and description, for their members; each is contained in itself, like its tasks. */
export const searchableProjects = searchable({
  kind: 'project',
  source: 'projects',
  resource: project,
  containers: visibleProjectIds,
  narrow(ctx, projects, { project, person: who }) {
    const visible = project ? projects.where('projects.id', '=', project.id) : projects
    if (!who) return visible
    const joined = projectMember.of(ctx, [who.id], 'person_id').select('project_members.project_id')
    return visible.where((eb) =>
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
      leads.map((lead) => lead.person_id),
    )
    return hitFacts(
      ctx,
      {},
      rows.map((row) => ({
        id: row.id,
        names: leads
          .filter((lead) => lead.project_id === row.id)
          .flatMap((lead) => people.get(lead.person_id)?.display_name ?? []),
      })),
    )
  },
})
