import { document } from '../../operations/documents.ts'
import { project, sprint } from '../portfolio/access.ts'
import { textOfProject, textOfSprint } from './document-text.ts'

export const projectDocument = document({
  name: 'projects',
  title: 'Project',
  about:
    'One project by its key (ENG) or id: members, workflow, task counts, and the last 30 days with risks',
  resource: project,
  read: { operation: 'get_project', argument: 'project_id' },
  additional: { operation: 'get_project_summary', argument: 'project_id' },
  searchedColumns: ['projects.key', 'projects.name'],
  text: textOfProject,
})

export const sprintDocument = document({
  name: 'sprints',
  title: 'Sprint',
  about:
    'One sprint by its id: goal, dates, burndown, completed work, and scope changes after the start',
  resource: sprint,
  read: { operation: 'get_sprint_report', argument: 'sprint_id' },
  searchedColumns: ['sprints.name'],
  text: textOfSprint,
})
