import type { Module } from '../../core/module.ts'
import * as customFields from './custom-fields.ts'
import { projectDocument, sprintDocument } from './documents.ts'
import { foundProjects } from './finds.ts'
import * as members from './members.ts'
import * as milestones from './milestones.ts'
import * as projects from './projects.ts'
import { planSprint, projectRisks, sprintReview, weeklyProjectReport } from './prompts.ts'
import * as sprintReports from './sprint-reports.ts'
import * as sprints from './sprints.ts'
import * as summaries from './summaries.ts'
import { missMilestones } from './ticks.ts'
import * as updates from './updates.ts'
import * as workflows from './workflows.ts'

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
  finds: [foundProjects],
}
