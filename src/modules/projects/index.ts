import type { Module } from '../../operations/module.ts'
import * as customFields from './workflows/custom-fields.ts'
import { projectDocument, sprintDocument } from './documents.ts'
import { searchableProjects } from './searchable.ts'
import * as members from './projects/members.ts'
import * as milestones from './milestones/milestones.ts'
import * as projects from './projects/projects.ts'
import { planSprint, projectRisks, sprintReview, weeklyProjectReport } from './prompts.ts'
import * as sprintReports from './sprints/reports.ts'
import * as sprints from './sprints/sprints.ts'
import * as summaries from './projects/summaries.ts'
import { missMilestones } from './ticks.ts'
import * as updates from './projects/updates.ts'
import * as workflows from './workflows/workflows.ts'
import { projectsPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { projectHandover, taskHandover } from './handover.ts'

const nouns = [
  projects,
  summaries,
  members,
  workflows,
  sprints,
  sprintReports,
  milestones,
  updates,
  customFields,
]

handovers.register(projectHandover)
handovers.register(taskHandover)

export const projectsModule: Module = {
  name: 'projects',
  about:
    'Projects with members, workflow, custom fields and plans. Nouns: project, project member, workflow, sprint, sprint report, milestone, project update, custom field.',
  operations: nouns.flatMap((noun) => Object.values(noun)),
  events: [
    'project.archived',
    'project.member_added',
    'project.member_removed',
    'project.update_posted',
    'sprint.started',
    'sprint.completed',
    'milestone.reached',
    'milestone.missed',
  ],
  documents: [projectDocument, sprintDocument],
  prompts: [weeklyProjectReport, planSprint, sprintReview, projectRisks],
  ticks: [{ name: 'miss_milestones', run: missMilestones }],
  searchables: [searchableProjects],
  presenters: projectsPresenters,
}
