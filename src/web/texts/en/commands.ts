import type { CommandGroup, CommandId } from '../../keys/keymap.ts'

const groups: Record<CommandGroup, string> = {
  app: 'General',
  go: 'Go to',
  tab: 'Tabs',
  list: 'List',
  task: 'Task',
  view: 'View',
  plan: 'Planning',
  sprint: 'Sprint',
  text: 'Writing',
  activity: 'Activity',
}

const commands: Record<CommandId, string> = {
  'app.palette': 'Open the command menu',
  'app.find': 'Search',
  'app.help': 'Show keyboard shortcuts',
  'app.theme': 'Switch between light and dark',
  'app.sidebar': 'Fold or unfold the sidebar',
  'app.signOut': 'Sign out',
  'app.undo': 'Undo what I did last',
  'app.redo': 'Redo',

  'go.home': 'Home',
  'go.search': 'Search',
  'go.activity': 'Activity',
  'go.approvals': 'Approvals',
  'go.keys': 'API keys',
  'go.accounts': 'Connected accounts',
  'go.settings': 'Settings',

  'go.tasks': 'Tasks',
  'go.projects': 'Projects',

  'tab.next': 'Next tab',
  'tab.previous': 'Previous tab',

  'list.next': 'Next row',
  'list.previous': 'Previous row',
  'list.open': 'Open the task',
  'list.peek': 'Look at the task beside the list',
  'list.pick': 'Select',
  'list.pickDown': 'Extend the selection down',
  'list.pickUp': 'Extend the selection up',
  'list.pickAll': 'Select all',
  'list.back': 'Clear the selection, or close',

  'task.create': 'New task',
  'task.createSub': 'New subtask',
  'task.status': 'Set status…',
  'task.priority': 'Set priority…',
  'task.assignees': 'Assign to…',
  'task.toMe': 'Assign to me',
  'task.labels': 'Change labels…',
  'task.due': 'Set due date…',
  'task.project': 'Move to project…',
  'task.sprint': 'Plan in sprint…',
  'task.milestone': 'Set milestone…',
  'task.done': 'Mark as done',
  'task.previousGroup': 'Move to the group before',
  'task.nextGroup': 'Move to the next group',
  'task.comment': 'Comment',
  'task.rename': 'Rename',
  'task.copyKey': 'Copy key',
  'task.copyLink': 'Copy link',
  'task.copyPrompt': 'Copy a prompt for an assistant',
  'task.delete': 'Move to trash',

  'view.filter': 'Filter…',
  'view.clear': 'Clear filters',
  'view.list': 'Show as a list',
  'view.board': 'Show as a board',
  'view.closed': 'Show or hide done tasks',

  'text.send': 'Save or send',
  'text.make': 'Create',

  'sprint.advance': 'Start or complete the sprint',
  'plan.create': 'New project, sprint, milestone or goal',

  'activity.next': 'Next call',
  'activity.previous': 'Previous call',
  'activity.undo': 'Undo this call',
  'activity.close': 'Close the call',
}

export const keys = {
  title: 'Keyboard shortcuts',
  groups,
  commands,
  single: 'Single-letter shortcuts',
  singleAbout: 'Switch this off if you dictate or type by accident. Ctrl K still opens everything.',
}
