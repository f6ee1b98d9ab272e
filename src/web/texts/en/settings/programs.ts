/** Programs connected by signing in (OAuth clients). */
export const programs = {
  title: 'Programs',
  about:
    'Programs that people of your organization connect by signing in, such as Claude and ChatGPT. Each person decides what a program may do for them; you decide which may be connected at all.',
  none: 'No programs yet',
  noneText:
    'A program appears here when someone connects it. Those that cannot register themselves are entered below.',
  list: 'Programs',
  source: {
    document: (host: string) => `published by ${host}`,
    registered: 'registered itself; its identity is not verified',
    entered: 'entered by an administrator',
  },
  policy: { default: '', allow: 'Allowed', refuse: 'Refused' },
  connections: (n: number) => (n === 1 ? '1 connection' : `${n} connections`),
  unused: 'never used',
  used: 'last used',
  answersAt: (hosts: readonly string[]) => `answers go to ${hosts.join(', ')}`,
  refuse: 'Refuse',
  refuseOne: (name: string) => `Refuse ${name}`,
  refuseTitle: 'Refuse this program?',
  refuseText: (name: string, n: number) =>
    `No one can connect ${name} any more${n === 0 ? '' : `, and its ${n === 1 ? 'connection gets' : `${n} connections get`} no more tokens`}.`,
  refused: (name: string) => `${name} is refused.`,
  reset: 'Lift',
  resetOne: (name: string) => `Lift the decision about ${name}`,
  wasReset: (name: string) => `The settings decide about ${name} again.`,
  enter: 'Enter a program',
  enterText:
    'For programs that ask for a client ID and a secret, such as Copilot Studio and Gemini Enterprise.',
  name: 'Name',
  nameText: 'People see it when they connect the program.',
  redirects: 'Redirect addresses',
  redirectsText: 'As the program shows them, one in each line.',
  create: 'Create',
  entered: (name: string) => `${name} was entered`,
  enteredText: (id: string) =>
    `Give the program this client ID: ${id}. And this secret, which is shown once:`,
  secret: 'Client secret',
  copySecret: 'Copy secret',
  done: 'Done',
  hosts: {
    title: 'Hosts',
    about:
      'Where answers to programs go. An allowed host counts as a known one. At a refused host nothing can be connected, whichever program asks, and connections that were get no more tokens.',
    list: 'Hosts',
    host: 'Host',
    hostText: 'The name alone, such as assistant.example.',
    allow: 'Allow',
    refuse: 'Refuse',
    refuseTitle: 'Refuse this host?',
    refuseText: (host: string) =>
      `No one can connect a program that is answered at ${host} any more, and connections that were get no more tokens.`,
    allowed: (host: string) => `${host} is allowed.`,
    refused: (host: string) => `${host} is refused.`,
    resetOne: (host: string) => `Lift the decision about ${host}`,
    wasReset: (host: string) => `The settings decide about ${host} again.`,
    since: 'since',
  },
}
