import { count } from './count.ts'
import { dayWords } from '../../ui/work/days.ts'

const empty = {
  projects: {
    title: 'No projects yet',
    text: 'A project holds tasks, sprints and milestones, and the people who work on them.',
    prompt: 'Create a project for our next release and break it down into tasks.',
  },
  milestones: {
    title: 'No milestones',
    text: 'A milestone is something to reach by a day. Tasks point to it, and it shows how far they are.',
    prompt: 'Suggest milestones for this project and assign its tasks to them.',
  },
  activity: {
    title: 'Nothing has happened yet',
    text: 'What people and assistants change in this project appears here.',
  },
}

export const planning = {
  projects: 'Projects',
  edit: 'Edit',
  create: 'Create',
  created: (name: string) => `Created: ${name}`,
  addDescription: 'Add a description…',
  values: 'Values',
  progress: 'Progress',
  risks: 'Risks',
  noTasks: 'No tasks',
  noHealth: 'No update yet',
  percent: (n: number) => `${n} %`,
  doneOf: (done: number, total: number) => `${done} of ${count(total, 'task', 'tasks')} done`,
  leads: (name: string) => `Lead: ${name}`,
  tabsOf: (name: string) => `Tabs of ${name}`,
  tabs: {
    overview: 'Overview',
    tasks: 'Tasks',
    milestones: 'Milestones',
    activity: 'Activity',
  },
  none: { sprint: 'No sprint', milestone: 'No milestone' },
  projectStates: {
    planned: 'Planned',
    active: 'Active',
    paused: 'Paused',
    completed: 'Completed',
    archived: 'Archived',
  },
  health: { on_track: 'On track', at_risk: 'At risk', off_track: 'Off track' },
  fields: {
    name: 'Name',
    description: 'Description',
    status: 'Status',
    health: 'Health',
    lead: 'Lead',
    members: 'Members',
    starts: 'Start',
    ends: 'End',
    due: 'Due',
    sprint: 'Sprint',
    team: 'Team',
    goals: 'Goals',
  },
  figures: {
    open: 'Open',
    overdue: 'Overdue',
    blocked: 'Blocked',
    unassigned: 'Unassigned',
  },
  set: {
    renamed: (name: string) => `renamed to ${name}`,
    description: 'description changed',
    status: (name: string) => name.toLowerCase(),
    lead: (name: string) => `led by ${name}`,
    health: (name: string) => `update posted, ${name.toLowerCase()}`,
    day: (field: string, day: string | null) =>
      day === null ? `no ${field.toLowerCase()} date` : `${field.toLowerCase()} ${dayWords(day)}`,
  },
  update: {
    title: 'Latest update',
    write: 'Write an update',
    none: 'No update yet. An update tells the members how the project stands.',
    text: 'What happened, and what comes next',
    post: 'Post update',
  },
  newProject: {
    title: 'New project',
    key: 'Key of its tasks',
    keyHint: 'From the name, such as WEB',
  },
  milestone: {
    create: 'New milestone',
    states: { open: 'Open', reached: 'Reached', missed: 'Missed', cancelled: 'Cancelled' },
    reached: (name: string) => `${name} is reached`,
    due: (name: string) => `Due date of ${name}`,
  },
  sprint: {
    until: (day: string) => `until ${day}`,
  },
  empty,
}
