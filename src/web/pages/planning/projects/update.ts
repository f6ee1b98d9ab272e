import { call, type Input } from '../../../api/client.ts'
import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import type { ProjectRow } from '../data.ts'

type ProjectChange = Omit<Input<'update_project'>, 'project_id' | 'lead_id' | 'expected_revision'>

/** Changes values of a project; shown immediately. */
export function updateProject(project: ProjectRow, change: ProjectChange, message: string): void {
  const set = Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value ?? undefined]),
  )
  void write(
    'update_project',
    { project_id: project.id, ...change },
    {
      rows: [{ type: 'project', id: project.id, set }],
      text: t.tasks.changed(project.key, message),
    },
  )
}

/** The name or description of a project, which others may change meanwhile. */
export const projectText = ({ id, key }: ProjectRow, field: 'name' | 'description_markdown') =>
  operationTextSource({
    read: async () => {
      const project = await call('get_project', { project_id: id })
      return { text: project[field] ?? '', revision: project.revision }
    },
    operation: 'update_project',
    input: (text, expected_revision) => ({ project_id: id, [field]: text, expected_revision }),
    row: (text) => ({ type: 'project', id, set: { [field]: text ?? undefined } }),
    description: t.tasks.changed(
      key,
      field === 'name' ? t.tasks.set.title : t.planning.set.description,
    ),
  })

/** Sets the lead of a project. */
export function setLead(project: ProjectRow, lead: { id: string; title: string }): void {
  void write(
    'update_project',
    { project_id: project.id, lead_id: lead.id },
    {
      rows: [{ type: 'project', id: project.id, set: { lead } }],
      text: t.tasks.changed(project.key, t.planning.set.lead(lead.title)),
    },
  )
}
