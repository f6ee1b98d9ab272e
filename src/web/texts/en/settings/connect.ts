export const connect = {
  page: 'Connect a program',
  title: (program: string) => `Connect ${program}?`,
  intro: (person: string, organization: string) =>
    `It would act as you, ${person}, in ${organization}.`,
  otherPerson: 'Not you? Sign out',
  published: (host: string) => `Published by ${host}.`,
  registered: (program: string) => `It calls itself “${program}”. Its identity is not verified.`,
  entered: 'Set up by the operator of this workspace.',
  answer: 'The answer goes to',
  loopback:
    'A program on this computer gets the answer. Go on only if you have just started it yourself.',
  app: 'An app on this computer gets the answer. Go on only if you have just started it yourself.',
  may: 'What it may do',
  mayRead: 'Read what you can see.',
  mayWrite: 'Create and change things in your name.',
  mayNotWrite: 'It asked to read only.',
  narrowed: (areas: string) => `Only in: ${areas}. The address it uses opens no more.`,
  notGranted: (scopes: string) =>
    `It also asked for “${scopes}”, which is not known here and is not granted.`,
  logged:
    'Every call is in your call log. You can end the connection at any time under Keys and connections.',
  replaces: (name: string, date: string) => `This replaces the connection “${name}” of ${date}.`,
  sendHint: 'It asked to send without asking you. It is safer to leave this on.',
  allow: 'Allow',
  deny: 'Deny',
  gone: 'This request is no longer valid. Go back to the program and start again.',
}
