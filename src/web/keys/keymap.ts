/** Where a command can be used. Commands of `everywhere` are there in all other places, too. */
type Place =
  | 'everywhere'
  | 'tasks'
  | 'table'
  | 'goals'
  | 'chat'
  | 'activity'
  | 'text'
  | 'inbox'
  | 'mail'
  | 'calendar'
  | 'pages'
  | 'assistants'

export interface KeyBinding {
  /** Any of these. `g d` is one after the other; `mod` is Ctrl, on a Mac ⌘. */
  keys: readonly string[]
  where: Place
  /** Works in a text field and in a dialog as well. */
  whileTyping?: true
  /** The command whose keys it takes where both are there: `c` creates what fits the screen. */
  insteadOf?: string
}

const bind = (where: Place, ...keys: string[]): KeyBinding => ({ keys, where })

/** Every command of the app with its keys: the handler, the command menu, menus of rows and the help read this alone. */
const keymap = {
  'app.palette': { keys: ['mod+k'], where: 'everywhere', whileTyping: true },
  'app.find': bind('everywhere', '/'),
  'app.help': bind('everywhere', '?'),
  'app.theme': bind('everywhere', 't t'),
  'app.sidebar': bind('everywhere', '['),
  'app.signOut': bind('everywhere'),
  'app.undo': bind('everywhere', 'z', 'mod+z'),
  'app.redo': bind('everywhere', 'shift+z', 'mod+shift+z'),

  'go.home': bind('everywhere', 'g d', 'g h'),
  'go.inbox': bind('everywhere', 'g i'),
  'go.search': bind('everywhere', 'g /'),
  'go.activity': bind('everywhere', 'g a'),
  'go.assistants': bind('everywhere', 'g w'),
  'go.approvals': bind('everywhere', 'g v'),
  'go.keys': bind('everywhere', 'g k'),
  'go.accounts': bind('everywhere', 'g x'),
  'go.settings': bind('everywhere', 'g s'),

  'go.tasks': bind('everywhere', 'g t'),
  'go.projects': bind('everywhere', 'g p'),
  'go.mail': bind('everywhere', 'g m'),
  'go.calendar': bind('everywhere', 'g l'),
  'go.goals': bind('everywhere', 'g o'),
  'go.time': bind('everywhere', 'g e'),
  'go.chat': bind('everywhere', 'g c'),
  'go.pages': bind('everywhere', 'g n'),

  'tab.next': bind('everywhere', '}'),
  'tab.previous': bind('everywhere', '{'),

  'table.edit': bind('table', 'Enter', 'F2'),
  'table.next': bind('table', 'Tab'),
  'table.previous': bind('table', 'shift+Tab'),
  'table.left': bind('table', 'ArrowLeft'),
  'table.right': bind('table', 'ArrowRight'),
  'table.first': bind('table', 'Home'),
  'table.last': bind('table', 'End'),
  'table.extendLeft': bind('table', 'shift+ArrowLeft'),
  'table.extendRight': bind('table', 'shift+ArrowRight'),
  'table.clear': bind('table', 'Delete', 'Backspace'),
  'table.copy': bind('table', 'mod+c'),
  'table.paste': bind('table', 'mod+v'),
  'table.menu': bind('table', 'alt+c'),
  'table.narrower': bind('table', 'mod+shift+ArrowLeft'),
  'table.wider': bind('table', 'mod+shift+ArrowRight'),
  'table.moveLeft': bind('table'),
  'table.moveRight': bind('table'),
  'table.pin': bind('table'),
  'table.hide': bind('table'),
  'table.columns': bind('table'),

  'list.next': bind('tasks', 'j', 'ArrowDown'),
  'list.previous': bind('tasks', 'k', 'ArrowUp'),
  'list.open': bind('tasks', 'Enter', 'o'),
  'list.peek': bind('tasks', 'Space'),
  'list.pick': bind('tasks', 'x'),
  'list.pickDown': bind('tasks', 'shift+ArrowDown'),
  'list.pickUp': bind('tasks', 'shift+ArrowUp'),
  'list.pickAll': bind('tasks', 'mod+a'),
  'list.menu': bind('tasks', 'shift+F10', 'ContextMenu'),
  'list.back': bind('tasks', 'Escape'),

  'task.create': bind('everywhere', 'c'),
  'task.createSub': bind('tasks', 'shift+c'),
  'task.status': bind('tasks', 's'),
  'task.priority': bind('tasks', 'p'),
  'task.assignees': bind('tasks', 'a'),
  'task.delegate': bind('tasks', 'shift+a'),
  'task.toMe': bind('tasks', 'i'),
  'task.labels': bind('tasks', 'l'),
  'task.due': bind('tasks', 'd'),
  'task.project': bind('tasks', 'shift+m'),
  'task.sprint': bind('tasks', 'shift+s'),
  'task.milestone': bind('tasks', 'shift+g'),
  'task.done': bind('tasks', 'e'),
  'task.previousGroup': bind('tasks', 'alt+shift+ArrowLeft'),
  'task.nextGroup': bind('tasks', 'alt+shift+ArrowRight'),
  'task.comment': bind('tasks', 'm'),
  'task.rename': bind('tasks', 'r'),
  'task.copyKey': bind('tasks', '.'),
  'task.copyLink': bind('tasks', '>'),
  'task.copyPrompt': bind('tasks', 'alt+.'),
  'task.delete': bind('tasks', '#'),

  'view.filter': bind('tasks', 'f'),
  'view.clear': bind('tasks', 'shift+f'),
  'view.list': bind('tasks', '1'),
  'view.board': bind('tasks', '2'),
  'view.table': bind('tasks', '3'),
  'view.timeline': bind('tasks', '4'),
  'view.calendar': bind('tasks', '5'),
  'view.closed': bind('tasks', 'shift+d'),

  'days.earlier': bind('tasks', 'shift+ArrowLeft'),
  'days.later': bind('tasks', 'shift+ArrowRight'),
  'days.weekEarlier': bind('tasks', 'mod+shift+ArrowLeft'),
  'days.weekLater': bind('tasks', 'mod+shift+ArrowRight'),
  'days.shorter': bind('tasks', '-'),
  'days.longer': bind('tasks', '+'),
  'timeline.zoom': bind('tasks', 'v'),
  'timeline.today': bind('tasks', 'shift+t'),
  'period.previous': bind('everywhere', 'b'),
  'period.next': bind('everywhere', 'n'),

  'goal.checkIn': bind('goals', 'i'),
  'time.timer': { keys: ['alt+t'], where: 'everywhere', whileTyping: true },

  'chat.previousChannel': { keys: ['alt+ArrowUp'], where: 'chat', whileTyping: true },
  'chat.nextChannel': { keys: ['alt+ArrowDown'], where: 'chat', whileTyping: true },
  'chat.nextUnread': { keys: ['alt+shift+ArrowDown'], where: 'chat', whileTyping: true },
  'chat.next': bind('chat', 'j', 'ArrowDown'),
  'chat.previous': bind('chat', 'k', 'ArrowUp'),
  'chat.firstUnread': bind('chat', 'u'),
  'chat.latest': bind('chat', 'End'),
  'chat.write': bind('chat', 'm'),
  'chat.thread': bind('chat', 'Enter', 'r'),
  'chat.react': bind('chat', '+'),
  'chat.edit': bind('chat', 'e'),
  'chat.quote': bind('chat', 'q'),
  'chat.toTask': bind('chat', 'shift+t'),
  'chat.pin': bind('chat', 'p'),
  'chat.work': bind('chat', 'w'),
  'chat.copyLink': bind('chat', '>'),
  'chat.delete': bind('chat', '#'),
  'chat.search': bind('chat', 'f'),
  'chat.details': bind('chat', 'i'),
  'chat.create': bind('chat', 'shift+c'),
  'chat.direct': bind('chat', 'shift+d'),
  'chat.browse': bind('chat', 'shift+b'),
  'chat.readAll': { keys: ['shift+Escape'], where: 'chat', whileTyping: true },
  'chat.back': bind('chat', 'Escape'),

  'text.send': bind('text', 'mod+Enter'),
  'text.make': bind('text', 'Enter'),

  'sprint.advance': bind('everywhere', 'shift+x'),
  'plan.create': bind('everywhere', 'shift+n'),

  'inbox.done': bind('inbox', 'e'),
  'inbox.later': bind('inbox', 'h'),
  'inbox.unread': bind('inbox', 'shift+u'),
  'inbox.mute': bind('inbox', 'shift+m'),
  'inbox.all': bind('inbox', 'shift+e'),
  'inbox.approve': bind('inbox', 'shift+a'),
  'inbox.deny': bind('inbox', 'shift+d'),
  'inbox.waiting': bind('inbox', '1'),
  'inbox.putOff': bind('inbox', '2'),
  'inbox.dealtWith': bind('inbox', '3'),

  'mail.write': { keys: ['c'], where: 'mail', insteadOf: 'task.create' },
  'mail.reply': bind('mail', 'r'),
  'mail.replyAll': bind('mail', 'shift+r'),
  'mail.forward': bind('mail', 'shift+w'),
  'mail.archive': bind('mail', 'e'),
  'mail.later': bind('mail', 'h'),
  'mail.back': bind('mail', 'shift+h'),
  'mail.read': bind('mail', 'shift+u'),
  'mail.trash': bind('mail', '#'),
  'mail.toAnswer': bind('mail', '1'),
  'mail.newOnes': bind('mail', '2'),
  'mail.others': bind('mail', '3'),
  'mail.waiting': bind('mail', '4'),
  'mail.putOff': bind('mail', '5'),

  'calendar.create': { keys: ['c'], where: 'calendar', insteadOf: 'task.create' },
  'calendar.day': bind('calendar', 'd'),
  'calendar.week': bind('calendar', 'w'),
  'calendar.month': bind('calendar', 'm'),
  'calendar.agenda': bind('calendar', 'a'),
  'calendar.dayBefore': bind('calendar', 'ArrowLeft'),
  'calendar.dayAfter': bind('calendar', 'ArrowRight'),
  'calendar.edit': bind('calendar', 'e'),
  'calendar.delete': bind('calendar', '#'),
  'calendar.accept': bind('calendar', '1'),
  'calendar.maybe': bind('calendar', '2'),
  'calendar.decline': bind('calendar', '3'),
  'calendar.invite': bind('calendar', 'i'),
  'calendar.earlier': bind('calendar', 'shift+ArrowUp'),
  'calendar.later': bind('calendar', 'shift+ArrowDown'),
  'calendar.shorter': bind('calendar', '-'),
  'calendar.longer': bind('calendar', '+'),
  'calendar.people': bind('calendar', 'p'),
  'calendar.zone': bind('calendar'),

  'page.create': { keys: ['c'], where: 'pages', insteadOf: 'task.create' },
  'page.createBelow': bind('pages', 'shift+c'),
  'page.move': bind('pages', 'm'),
  'page.moveUp': bind('pages', 'alt+ArrowUp'),
  'page.moveDown': bind('pages', 'alt+ArrowDown'),
  'page.moveIn': bind('pages', 'alt+shift+ArrowRight'),
  'page.moveOut': bind('pages', 'alt+shift+ArrowLeft'),
  'page.share': bind('pages', 's'),
  'page.saveTemplate': bind('pages'),
  'page.comment': { keys: ['mod+alt+m'], where: 'pages', whileTyping: true },
  'page.who': bind('pages', 'w'),
  'page.edit': bind('pages', 'e'),
  'page.source': { keys: ['mod+;'], where: 'pages', whileTyping: true },
  'page.versions': bind('pages', 'h'),
  'page.changes': bind('pages', '1'),
  'page.againstNow': bind('pages', '2'),
  'page.versionText': bind('pages', '3'),
  'page.authors': bind('pages', '4'),
  'page.restore': bind('pages', 'r'),

  'assistant.pause': bind('assistants', 'p'),

  'activity.next': bind('activity', 'j'),
  'activity.previous': bind('activity', 'k'),
  'activity.undo': bind('activity', 'u'),
  'activity.close': bind('activity', 'Escape'),
} as const satisfies Record<string, KeyBinding>

export type CommandId = keyof typeof keymap

export const commandIds = Object.keys(keymap) as CommandId[]

export const bindingOf = (id: CommandId): KeyBinding => keymap[id]

/** The part of an id before its dot: commands are grouped by it. */
export type CommandGroup = CommandId extends `${infer Group}.${string}` ? Group : never

export const groupOf = (id: CommandId) => id.slice(0, id.indexOf('.')) as CommandGroup
