import { count } from './count.ts'

export const home = {
  greeting: (name: string) => `Hello, ${name}`,
  first: {
    title: 'Connect your first assistant',
    text: 'Make a key, paste it into Claude, Cursor, VS Code or another program, and see it arrive here.',
    action: 'Begin',
  },
  waiting: {
    title: 'Waiting for you',
    approvals: (n: number) => `${count(n, 'call waits', 'calls wait')} for your approval`,
    look: 'Look at them',
    none: 'Nothing is waiting for you.',
  },
  holds: { one: (key: string) => `The key “${key}” was stopped`, look: 'Look at it' },
  rotate: (n: number) => `${count(n, 'key is', 'keys are')} older than 90 days`,
  rotateAction: 'Rotate',
  calls: {
    title: 'What assistants did',
    all: 'All activity',
    empty: 'Your assistants have not done anything yet.',
  },
  places: 'Places',
}

export const welcome = {
  title: 'Welcome',
  about: 'A few steps, and your assistant works here. You can leave at any time: Home leads back.',
  steps: { address: 'Your address', key: 'Your first key', connect: 'Connect', next: 'What next' },
  address: {
    text: 'Your assistants reach this workspace at',
    fine: 'Assistants everywhere can reach this address.',
    go: 'Continue',
  },
  key: {
    text: 'A key lets one assistant do what you can do. Name it after the program and machine, so that you can revoke it without affecting the others.',
    name: 'My first assistant',
  },
  connect: {
    text: 'Choose your program and follow the steps.',
    another: 'Make another key',
    go: 'Continue',
  },
  next: {
    text: 'You are all set. Some things to try:',
    ask: 'Ask your assistant: “What can you do in my workspace?”',
    activity: 'See what your assistants do, and undo it',
    accounts: 'Connect your mail, calendar and files',
    people: 'Invite your colleagues',
    keys: 'Make a key for every other assistant',
    home: 'Go to Home',
  },
}
