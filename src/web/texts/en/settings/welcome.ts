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
