import { markdown } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { project } from '../../portfolio/access.ts'
import { healthEnum, ProjectUpdate, presentUpdates } from '../shapes.ts'

export const postProjectUpdate = operation({
  name: 'post_project_update',
  searchHint: 'status report, weekly update, tell the project how it is going, at risk, on track',
  kind: 'write',
  rest: 'POST /api/projects/{project_id}/updates',
  creates: 'item',
  about:
    'Publish a status report with health to project members; use publish_status_update for customers in an incident',
  on: { project: project.edit },
  input: { health: healthEnum, body_markdown: markdown() },
  output: ProjectUpdate,
  async handle({ project, health, body_markdown }, ctx) {
    if (body_markdown.trim() === '') throw invalid('body_markdown', 'the update must not be empty.')
    const created = await ctx.add('project_updates', {
      project_id: project.id,
      health,
      body_markdown,
    })
    await ctx.change('projects', project, { health })
    ctx.event('project.update_posted', 'projects', project)
    return (await presentUpdates(ctx, project, [created]))[0]!
  },
})
