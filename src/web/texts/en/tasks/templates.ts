import { count } from '../count.ts'

/** Tasks from templates. */
export const templates = {
  use: 'New tasks from a template',
  template: 'Template',
  in: (name: string, project: string) => `${name} (${project})`,
  none: 'There is no template yet. Save a task as one from its menu: its subtasks, days and labels go along.',
  project: 'Project',
  startsOn: 'The days count from',
  assignee: 'Tasks of no one go to',
  noOne: 'No one',
  willBe: (n: number) => `${count(n, 'task', 'tasks')} will be made`,
  due: (day: string) => `due ${day}`,
  create: 'Create',
  made: (name: string, n: number) => `${count(n, 'task', 'tasks')} from ${name}`,
  save: (key: string) => `Save ${key} as a template`,
  saveText:
    'Its subtasks, descriptions, people, labels and estimates go along, and its days as so many days after its start. A {{word}} in a title or description is asked for when the template is used. The members of the project can use it.',
  name: 'Name',
  saveAction: 'Save template',
  saved: (name: string) => `Template saved: ${name}`,
  title: 'Task templates',
  text: 'What tasks with all their subtasks are made from: “New tasks from a template” in the command menu, or a button of a new task.',
  about: (tasks: number, uses: number) =>
    `${count(tasks, 'task', 'tasks')}, ${uses === 0 ? 'never used' : `used ${count(uses, 'time', 'times')}`}`,
  everywhere: 'for the whole organization',
  useOf: (name: string) => `Use ${name}`,
  edit: (name: string) => `Edit ${name}`,
  remove: (name: string) => `Delete ${name}`,
  changed: (name: string) => `Template changed: ${name}`,
  removed: (name: string) => `Template moved to the trash: ${name}`,
  editAction: 'Save',
  tasks: 'Tasks',
  outlineHelp:
    'Enter adds a task, Backspace takes an empty one out, Alt Shift and an arrow moves one with those below it. The number says how many days after the start it is due.',
  taskTitle: 'Title of a task',
  days: 'Days',
  dueOf: (title: string) => `Days after the start when ${title || 'the task'} is due`,
  changeOf: (title: string) => `Change ${title || 'the task'}`,
  actions: {
    add: 'Add a task',
    deeper: 'Move below the one before',
    higher: 'Move one level up',
    earlier: 'Move before its neighbor',
    later: 'Move behind its neighbor',
    remove: 'Remove with all below it',
  },
}
