/** Scopes in which a command is available. Commands of `everywhere` are available in all other scopes, too. */
type CommandScope =
  | 'everywhere'
  | 'tasks'
  | 'table'
  | 'goals'
  | 'contacts'
  | 'deals'
  | 'incidents'
  | 'onCall'
  | 'services'
  | 'automations'
  | 'search'
  | 'forms'
  | 'meetings'
  | 'pulses'
  | 'people'
  | 'knowledge'
  | 'chat'
  | 'activity'
  | 'text'
  | 'inbox'
  | 'mail'
  | 'files'
  | 'calendar'
  | 'pages'
  | 'assistants'

export interface KeyBinding {
  /** Any of these. `g d` is a sequence; `mod` is Ctrl, or ⌘ on a Mac. */
  keys: readonly string[]
  scope: CommandScope
  /** Also works in a text field and in a dialog. */
  whileTyping?: true
  /** The command that it replaces, with its keys, if both are available: `c` creates the item type of the page. */
  insteadOf?: string
}

const bind = (scope: CommandScope, ...keys: string[]): KeyBinding => ({ keys, scope })

/**
 * Every command of the app with its keys: the single source for the handler, the command menu, menus of rows and the
 * help.
 */
const keymap = {
  'app.palette': { keys: ['mod+k'], scope: 'everywhere', whileTyping: true },
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
  'go.files': bind('everywhere', 'g q'),
  'go.calendar': bind('everywhere', 'g l'),
  'go.goals': bind('everywhere', 'g o'),
  'go.time': bind('everywhere', 'g e'),
  'go.chat': bind('everywhere', 'g c'),
  'go.pages': bind('everywhere', 'g n'),
  'go.contacts': bind('everywhere', 'g r'),
  'go.deals': bind('everywhere', 'g b'),
  'go.incidents': bind('everywhere', 'g u'),
  'go.onCall': bind('everywhere', 'g y'),
  'go.automations': bind('everywhere', 'g j'),
  'go.forms': bind('everywhere', 'g f'),
  'go.meetings': bind('everywhere'),

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
  'task.fromTemplate': bind('everywhere', 'alt+n'),
  'task.import': bind('everywhere'),
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
  'task.link': bind('tasks', 'shift+l'),
  'task.repeat': bind('tasks', 'shift+r'),
  'task.attachFile': bind('tasks'),
  'task.attachLink': bind('tasks'),
  'task.saveTemplate': bind('tasks'),
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

  'plan.deleteMilestone': bind('goals', '#'),
  'goal.checkIn': bind('goals', 'i'),

  'deal.create': { keys: ['c'], scope: 'deals', insteadOf: 'task.create' },
  'deal.win': bind('deals', 'shift+w'),
  'deal.lose': bind('deals', 'shift+l'),
  'deal.delete': bind('deals', '#'),
  'deal.export': bind('deals'),

  'incident.declare': bind('everywhere'),
  'incident.create': { keys: ['c'], scope: 'incidents', insteadOf: 'task.create' },
  'incident.acknowledge': bind('incidents', 'shift+k'),
  'incident.mitigate': bind('incidents', 'shift+m'),
  'incident.resolve': bind('incidents', 'shift+r'),
  'incident.reopen': bind('incidents', 'shift+o'),
  'incident.severity': bind('incidents', 's'),
  'incident.lead': bind('incidents', 'a'),
  'incident.services': bind('incidents', 'l'),
  'incident.note': bind('incidents', 'm'),
  'incident.chat': bind('incidents', 'w'),
  'incident.publish': bind('incidents', 'p'),
  'incident.escalate': bind('incidents', 'shift+p'),
  'incident.task': bind('incidents', 'shift+t'),
  'incident.runbook': bind('incidents', 'r'),
  'incident.postmortem': bind('incidents', 'shift+d'),
  'incident.figures': bind('incidents'),
  'incident.export': bind('incidents'),

  'onCall.create': { keys: ['c'], scope: 'onCall', insteadOf: 'task.create' },
  'onCall.edit': bind('onCall', 'e'),
  'onCall.cover': bind('onCall', 'o'),
  'onCall.delete': bind('onCall', '#'),

  'service.create': { keys: ['c'], scope: 'services', insteadOf: 'task.create' },
  'service.edit': bind('services', 'e'),
  'service.delete': bind('services', '#'),

  'automation.create': { keys: ['c'], scope: 'automations', insteadOf: 'task.create' },
  'automation.save': { keys: ['mod+s'], scope: 'automations', whileTyping: true },
  'automation.test': { keys: ['mod+Enter'], scope: 'automations', whileTyping: true },
  'automation.turn': bind('automations', 'shift+e'),
  'automation.run': bind('automations', 'shift+r'),
  'automation.delete': bind('automations', '#'),

  'form.create': { keys: ['c'], scope: 'forms', insteadOf: 'task.create' },
  'form.addField': bind('forms', 'a'),
  'form.fieldUp': { keys: ['alt+ArrowUp'], scope: 'forms', whileTyping: true },
  'form.fieldDown': { keys: ['alt+ArrowDown'], scope: 'forms', whileTyping: true },
  'form.removeField': bind('forms', 'Delete', 'Backspace'),
  'form.publish': bind('forms', 'p'),
  'form.counts': bind('forms', 'v'),
  'form.export': bind('forms', 'shift+e'),
  'form.delete': bind('forms', '#'),

  'meeting.create': { keys: ['c'], scope: 'meetings', insteadOf: 'task.create' },
  'meeting.upcoming': bind('meetings', '1'),
  'meeting.past': bind('meetings', '2'),
  'meeting.state': bind('meetings', 'shift+s'),
  'meeting.edit': bind('meetings', 'e'),
  'meeting.brief': bind('meetings', 'v'),
  'meeting.note': bind('meetings', 'm'),
  'meeting.decision': bind('meetings', 'd'),
  'meeting.action': bind('meetings', 'a'),
  'meeting.tasks': bind('meetings', 'shift+t'),
  'meeting.import': bind('meetings', 'i'),
  'meeting.erase': bind('meetings'),
  'meeting.delete': bind('meetings', '#'),
  'meeting.export': bind('meetings'),

  'pulse.create': { keys: ['c'], scope: 'pulses', insteadOf: 'task.create' },
  'pulse.answer': bind('pulses', 'a'),
  'pulse.edit': bind('pulses', 'e'),
  'pulse.turn': bind('pulses', 'shift+e'),
  'pulse.delete': bind('pulses', '#'),

  'timeOff.create': { keys: ['c'], scope: 'people', insteadOf: 'task.create' },
  'timeOff.cancel': bind('people', '#'),
  'person.message': bind('people', 'm'),
  'person.handOver': bind('people', 'shift+h'),

  'entity.create': { keys: ['c'], scope: 'knowledge', insteadOf: 'task.create' },
  'entity.fact': bind('knowledge', 'i'),
  'entity.relate': bind('knowledge', 'r'),
  'entity.note': bind('knowledge', 'm'),
  'entity.edit': bind('knowledge', 'e'),
  'entity.path': bind('knowledge', 'p'),
  'entity.graph': bind('knowledge', 'v'),
  'entity.merge': bind('knowledge', 'shift+m'),
  'entity.delete': bind('knowledge', '#'),
  'entity.back': bind('knowledge', 'Backspace'),

  'contact.create': { keys: ['c'], scope: 'contacts', insteadOf: 'task.create' },
  'contact.log': bind('contacts', 'i'),
  'contact.merge': bind('contacts', 'shift+m'),
  'contact.duplicates': bind('contacts', 'shift+d'),
  'contact.delete': bind('contacts', '#'),
  'contact.import': bind('contacts', 'shift+i'),
  'contact.export': bind('contacts'),

  'reminder.create': bind('everywhere', 'alt+r'),

  'item.link': bind('everywhere', 'alt+l'),

  'time.export': bind('everywhere'),
  'time.timer': { keys: ['alt+t'], scope: 'everywhere', whileTyping: true },

  'chat.previousChannel': { keys: ['alt+ArrowUp'], scope: 'chat', whileTyping: true },
  'chat.nextChannel': { keys: ['alt+ArrowDown'], scope: 'chat', whileTyping: true },
  'chat.nextUnread': { keys: ['alt+shift+ArrowDown'], scope: 'chat', whileTyping: true },
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
  'chat.pins': bind('chat', 'shift+p'),
  'chat.create': bind('chat', 'shift+c'),
  'chat.direct': bind('chat', 'shift+d'),
  'chat.browse': bind('chat', 'shift+b'),
  'chat.import': bind('chat'),
  'chat.readAll': { keys: ['shift+Escape'], scope: 'chat', whileTyping: true },
  'chat.back': bind('chat', 'Escape'),

  'text.send': bind('text', 'mod+Enter'),
  'text.sendLater': bind('text', 'mod+shift+Enter'),
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
  'inbox.takeOver': bind('inbox', 'shift+r'),
  'inbox.waiting': bind('inbox', '1'),
  'inbox.putOff': bind('inbox', '2'),
  'inbox.dealtWith': bind('inbox', '3'),

  'file.upload': bind('files', 'u'),
  'file.pauseUploads': bind('files', 'p'),
  'file.endUploads': bind('files', 'shift+u'),
  'file.folder': bind('files', 'shift+f'),
  'file.view': bind('files', 'v'),
  'file.tree': bind('files', 'f'),
  'file.rename': bind('files', 'r'),
  'file.move': bind('files', 'm'),
  'file.share': bind('files', 'shift+s'),
  'file.star': bind('files', 's'),
  'file.edit': bind('files', 'e'),
  'file.save': { keys: ['mod+s'], scope: 'files', whileTyping: true },
  'file.trash': bind('files', '#'),

  'mail.write': { keys: ['c'], scope: 'mail', insteadOf: 'task.create' },
  'mail.reply': bind('mail', 'r'),
  'mail.replyAll': bind('mail', 'shift+r'),
  'mail.forward': bind('mail', 'shift+w'),
  'mail.archive': bind('mail', 'e'),
  'mail.later': bind('mail', 'h'),
  'mail.back': bind('mail', 'shift+h'),
  'mail.labels': bind('mail', 'l'),
  'mail.read': bind('mail', 'shift+u'),
  'mail.trash': bind('mail', '#'),
  'mail.saveFiles': bind('mail', 'shift+s'),
  'mail.unsubscribe': bind('mail', 'shift+q'),
  'mail.rule': bind('mail', 'shift+f'),
  'mail.toAnswer': bind('mail', '1'),
  'mail.newOnes': bind('mail', '2'),
  'mail.others': bind('mail', '3'),
  'mail.waiting': bind('mail', '4'),
  'mail.putOff': bind('mail', '5'),
  'mail.outbox': bind('mail', '6'),
  'mail.unschedule': bind('mail', 'x'),

  'calendar.create': { keys: ['c'], scope: 'calendar', insteadOf: 'task.create' },
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
  'calendar.focus': bind('calendar', 'f'),
  'calendar.video': bind('calendar', 'v'),
  'calendar.meeting': bind('calendar', 'shift+m'),
  'calendar.earlier': bind('calendar', 'shift+ArrowUp'),
  'calendar.later': bind('calendar', 'shift+ArrowDown'),
  'calendar.startEarlier': bind('calendar', '<'),
  'calendar.startLater': bind('calendar', '>'),
  'calendar.shorter': bind('calendar', '-'),
  'calendar.longer': bind('calendar', '+'),
  'calendar.conflicts': bind('calendar', 'x'),
  'calendar.people': bind('calendar', 'p'),
  'calendar.zone': bind('calendar'),
  'calendar.tasks': bind('calendar', 's'),
  'calendar.export': bind('calendar'),

  'page.create': { keys: ['c'], scope: 'pages', insteadOf: 'task.create' },
  'page.createBelow': bind('pages', 'shift+c'),
  'page.move': bind('pages', 'm'),
  'page.find': bind('pages', 'f'),
  'page.moveUp': bind('pages', 'alt+ArrowUp'),
  'page.moveDown': bind('pages', 'alt+ArrowDown'),
  'page.moveIn': bind('pages', 'alt+shift+ArrowRight'),
  'page.moveOut': bind('pages', 'alt+shift+ArrowLeft'),
  'page.delete': bind('pages', '#'),
  'page.share': bind('pages', 's'),
  'page.saveTemplate': bind('pages'),
  'page.export': bind('pages'),
  'page.import': bind('pages'),
  'page.comment': { keys: ['mod+alt+m'], scope: 'pages', whileTyping: true },
  'page.who': bind('pages', 'w'),
  'page.edit': bind('pages', 'e'),
  'page.outline': { keys: ["mod+'"], scope: 'pages', whileTyping: true },
  'page.source': { keys: ['mod+;'], scope: 'pages', whileTyping: true },
  'page.versions': bind('pages', 'h'),
  'page.changes': bind('pages', '1'),
  'page.againstNow': bind('pages', '2'),
  'page.versionText': bind('pages', '3'),
  'page.authors': bind('pages', '4'),
  'page.restore': bind('pages', 'r'),

  'assistant.pause': bind('assistants', 'p'),

  'search.kind': bind('search', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
  'search.save': bind('search', 's'),
  'search.handOver': bind('search', 'shift+a'),
  'search.experts': bind('search', 'w'),

  'activity.next': bind('activity', 'j'),
  'activity.previous': bind('activity', 'k'),
  'activity.undo': bind('activity', 'u'),
  'activity.close': bind('activity', 'Escape'),
} as const satisfies Record<string, KeyBinding>

export type CommandId = keyof typeof keymap

export const commandIds = Object.keys(keymap) as CommandId[]

export const bindingOf = (id: CommandId): KeyBinding => keymap[id]

/** The part of an id before its dot, by which commands are grouped. */
export type CommandGroup = CommandId extends `${infer Group}.${string}` ? Group : never

export const groupOf = (id: CommandId) => id.slice(0, id.indexOf('.')) as CommandGroup
