import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { customField, milestone, project, projectUpdate, sprint } from '../portfolio/access.ts'
import { projectRef } from '../portfolio/shapes.ts'
import { presentField, presentProjects, presentUpdates } from './shapes.ts'
import { presentMilestones } from './milestones/shapes.ts'
import { presentSprints } from './sprints/shapes.ts'

export const projectsPresenters = [
  presenter(project, {
    operation: 'list_projects',
    entries: presentProjects,
    get: { operation: 'get_project', argument: 'project_id' },
  }),
  partPresenter(projectUpdate, {
    operation: 'get_project_summary',
    resource: project,
    by: 'project_id',
    entries: presentUpdates,
  }),
  partPresenter(customField, {
    operation: 'get_project',
    resource: project,
    by: 'project_id',
    entries: async (ctx, project, rows) => {
      const creatorIds = rows.map((row) => row.created_by)
      const people = await peopleRefs(ctx, creatorIds)
      return rows.map((row) => presentField(row, projectRef(project), people, ctx.baseUrl))
    },
  }),
  presenter(sprint, {
    operation: 'list_sprints',
    entries: presentSprints,
    get: { operation: 'get_sprint_report', argument: 'sprint_id', field: 'sprint' },
  }),
  presenter(milestone, { operation: 'list_milestones', entries: presentMilestones }),
]
