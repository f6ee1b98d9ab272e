import { keyText } from '../../keys/key-text.ts'
import { count } from './count.ts'

const hours = (minutes: number) =>
  minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`

export const home = {
  greeting: (name: string) => `Hello, ${name}`,
  first: {
    title: 'Connect your first assistant',
    text: 'Make a key, paste it into Claude, Cursor, VS Code or another program, and see it arrive here.',
    action: 'Begin',
  },
  waiting: {
    title: 'Waiting for you',
    inbox: (n: number) => `${count(n, 'entry', 'entries')} in your inbox`,
    approvals: (n: number) => `${count(n, 'call waits', 'calls wait')} for your approval`,
    look: 'Look at them',
    none: 'Nothing is waiting for you.',
  },
  holds: { one: (key: string) => `The key “${key}” was stopped`, look: 'Look at it' },
  rotate: (n: number) => `${count(n, 'key is', 'keys are')} older than 90 days`,
  rotateAction: 'Rotate',
  stop: 'Stop',
  agenda: {
    title: 'Agenda',
    others: 'Also today',
    allDay: 'All day',
    now: 'now',
    unanswered: ' · not answered',
    onCall: 'you are on call',
    prepare: 'to prepare',
    reply: 'waits for your reply',
    free: (minutes: number) =>
      minutes === 0
        ? 'Nothing on today.'
        : `Nothing on today: ${hours(minutes)} of working time free.`,
  },
  reminders: {
    title: 'Reminders',
    none: 'No reminders.',
    add: 'Remind me',
    text: 'Of what',
    at: 'When',
    repeatLabel: 'Repeats',
    once: 'Once',
    repeat: {
      daily: 'Every day',
      weekdays: 'Every weekday',
      weekly: 'Every week',
      monthly: 'Every month',
    },
    repeats: 'Repeats',
    save: 'Remind me',
    added: (text: string) => `You will be reminded of “${text}”.`,
    cancel: (text: string) => `Cancel the reminder “${text}”`,
    cancelled: (text: string) => `The reminder “${text}” was cancelled.`,
    hidden: 'An item that you can no longer see',
  },
  pulses: {
    title: 'Pulses to answer',
    anonymous: 'anonymous',
    until: (time: string) => `until ${time}`,
  },
  tasks: {
    title: 'My tasks',
    all: 'All of mine',
    overdue: 'Overdue',
    due: 'Due today',
    started: 'In progress',
    get none() {
      return `Nothing is due, and nothing is in progress. ${keyText('task.create')} writes a task down.`
    },
  },
  since: {
    title: 'Since you were here',
    all: 'All activity',
    from: 'Your assistants since',
    none: 'no changes.',
    count: (keys: number, changes: number) =>
      `${count(keys, 'assistant', 'assistants')}, ${count(changes, 'change', 'changes')}.`,
    changes: (changes: number, items: number) =>
      `${count(changes, 'change', 'changes')} in ${count(items, 'item', 'items')}`,
    look: 'Look',
    undoOf: (action: string) => `Undo “${action}”`,
  },
}
