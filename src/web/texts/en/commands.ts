import type { CommandGroup, CommandId } from '../../keys/keymap.ts'

const groups: Record<CommandGroup, string> = {
  app: 'General',
  go: 'Go to',
  activity: 'Activity',
}

const commands: Record<CommandId, string> = {
  'app.palette': 'Open the command menu',
  'app.find': 'Search',
  'app.help': 'Show keyboard shortcuts',
  'app.theme': 'Switch between light and dark',
  'app.sidebar': 'Fold or unfold the sidebar',
  'app.signOut': 'Sign out',

  'go.home': 'Home',
  'go.search': 'Search',
  'go.activity': 'Activity',
  'go.approvals': 'Approvals',
  'go.keys': 'API keys',
  'go.accounts': 'Connected accounts',
  'go.settings': 'Settings',

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
