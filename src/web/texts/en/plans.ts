import { keyText } from '../../keys/key-text.ts'
import { count } from './count.ts'
import { goalTexts } from './goals.ts'
import { timeTexts } from './time.ts'
import { relativeDay } from '../../ui/work/days.ts'

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
  sprints: {
    title: 'No sprint is planned',
    text: 'A sprint is what the team wants to finish in a few weeks. Plan it from the backlog, start it, and see how it burns down.',
    prompt: 'Plan a two-week sprint for this project from its backlog.',
  },
  goals: {
    title: 'No goals yet',
    text: 'A goal says where you want to be at the end of a period, and its key results say how far you are.',
    prompt: 'Draft goals with measurable key results for the next quarter from our plans.',
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
  ofTotal: (done: number, total: number) => `${done} of ${total} done`,
  doneOf: (done: number, total: number) => `${done} of ${count(total, 'task', 'tasks')} done`,
  leads: (name: string) => `Lead: ${name}`,
  tabsOf: (name: string) => `Tabs of ${name}`,
  tabs: {
    overview: 'Overview',
    tasks: 'Tasks',
    sprints: 'Sprints',
    milestones: 'Milestones',
    activity: 'Activity',
    settings: 'Settings',
  },
  points: (n: number) => count(n, 'point', 'points'),
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
    goal: 'goal changed',
    status: (name: string) => name.toLowerCase(),
    lead: (name: string) => `led by ${name}`,
    health: (name: string) => `update posted, ${name.toLowerCase()}`,
    day: (field: string, day: string | null) =>
      day === null
        ? `no ${field.toLowerCase()} date`
        : `${field.toLowerCase()} ${relativeDay(day)}`,
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
    remove: (name: string) => `Delete ${name}`,
  },
  sprint: {
    until: (day: string) => `until ${day}`,
    create: 'New sprint',
    numbered: (n: number) => `Sprint ${n}`,
    firstDay: 'First day',
    lastDay: 'Last day',
    goal: 'Goal',
    addGoal: 'Add a goal…',
    backlog: 'Backlog',
    backlogEmpty: 'Every open task of the project is in a sprint.',
    get sprintEmpty() {
      return `Nothing is planned yet. Drag tasks here, or press ${keyText('task.nextGroup')} on one.`
    },
    planTask: (key: string, sprint: string) => `Plan ${key} in ${sprint}`,
    unplanTask: (key: string) => `Move ${key} back to the backlog`,
    picked: '(selected)',
    past: 'Past sprints',
    states: {
      planned: 'Planned',
      active: 'Active',
      completed: 'Completed',
      cancelled: 'Cancelled',
    },
    start: 'Start sprint',
    started: 'started',
    complete: 'Complete sprint',
    completeOf: (name: string) => `Complete ${name}`,
    completed: 'completed',
    summary: (done: number, remaining: number) =>
      remaining === 0
        ? `All ${count(done, 'task is', 'tasks are')} done.`
        : `${count(done, 'task is', 'tasks are')} done, ${count(remaining, 'is', 'are')} not.`,
    carryTo: 'Move what is not done to',
    more: (n: number) => `and ${n} more`,
    capacity: 'Capacity',
    ofHours: (planned: number, free: number) => `${planned} of ${free} h`,
    lastDone: (amount: string) => `Last sprint: ${amount} done`,
    burndown: 'Burndown',
    burndownOf: (unit: string) => `Work left, in ${unit}`,
    noBurndown: 'The burndown begins on the first day of the sprint.',
    units: { points: 'points', tasks: 'tasks' },
    amounts: { points: 'Points', tasks: 'Tasks' },
    table: 'Show as a table',
    chart: 'Show as a chart',
    day: 'Day',
    remaining: 'Left',
    ideal: 'Even pace',
    lists: {
      completed: 'Completed',
      carried_over: 'Not done',
      added_after_start: 'Added after the start',
      removed_after_start: 'Removed after the start',
    },
  },
  goal: goalTexts,
  time: timeTexts,
  empty,
}
