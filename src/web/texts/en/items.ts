import { localCount as count, localNumberFormat as numberFormat } from './count.ts'
import { fieldNames } from './settings/fields.ts'
import { search } from './search.ts'

const phrase = (text: string) => {
  const words = text.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const items = {
  /** Other people who view the same item. */
  presence: {
    label: 'Also here',
    isHere: (name: string) => `${name} is here`,
    areHere: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} is here too`
        : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are here too`,
    isTyping: (name: string) => `${name} is typing`,
    areTyping: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} is typing…`
        : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are typing…`,
    more: (count: number) => `${count} more`,
  },
  outside: 'from outside',
  image: (alt: string) => (alt === '' ? 'Picture' : `Picture: ${alt}`),
  noPicture: 'The picture could not be shown.',
  done: 'Done',
  toDo: 'To do',
  table: 'Table',
  code: 'Code',
  yes: 'Yes',
  no: 'No',
  noAccess: {
    title: 'You have no access',
    text: 'Ask the person who sent you here, or an administrator.',
  },
  /** Label of a field, by its API name. */
  field: (name: string) =>
    fieldNames[name] ?? phrase(name.replace(/_(markdown|at|on|ids?|minutes|bytes)$/, '')),
  /** Label of an enum value, by its API name. */
  word: phrase,
  kind: (type: string) =>
    ({
      usr: 'Person',
      api_call: 'Call',
      custom_field: 'Custom field',
      email_draft: 'Draft',
      thread: 'Mail',
      time_off: 'Time off',
    })[type] ?? phrase(type),
  minutes: (minutes: number) => {
    const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
    if (hours === 0) return `${rest} min`
    return rest === 0
      ? `${numberFormat.format(hours)} h`
      : `${numberFormat.format(hours)} h ${rest} min`
  },
  bytes: (bytes: number) => {
    const unitIndex = Math.min(4, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
    return new Intl.NumberFormat(undefined, {
      style: 'unit',
      unit: ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'][unitIndex]!,
      unitDisplay: unitIndex === 0 ? 'long' : 'short',
      maximumFractionDigits: 1,
    }).format(bytes / 1000 ** unitIndex)
  },
  number: (value: number) => numberFormat.format(value),
  percent: (share: number) =>
    new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }).format(share),
  money: (amount: number, currency: string) =>
    `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }).format(amount)} ${currency}`,
  createdBy: (name: string) => `created by ${name}`,
  raw: 'As the assistants see it',
  trashed: 'This is in the trash.',
  details: 'Details',
  none: 'Nothing here yet.',
  more: 'More',
  side: {
    related: 'Related',
    noRelated: 'Nothing related found.',
    calls: 'Assistants',
    noCalls: 'No assistant has used it.',
    call: (tool: string, key: string) => `${key}: ${tool.replaceAll('_', ' ')}`,
    all: 'All calls on it',
  },
  history: {
    about: 'It has no page of its own. This is its history.',
    changed: (name: string, verb: string) => `${name}: ${phrase(verb).toLowerCase()}`,
  },
  below: {
    tasks: 'Tasks',
    events: 'The next 30 days',
    found: 'What it finds now',
    files: 'Files',
    interactions: 'Interactions',
    versions: 'Versions',
  },
  task: {
    description: 'Description',
    subtasks: 'Subtasks',
    comments: (n: number) => `Comments (${numberFormat.format(n)})`,
    attachments: 'Attachments',
    dependencies: 'Dependencies',
    blocked: 'Blocked',
    custom: 'Custom fields',
    from: 'Came from',
  },
  project: { customFields: 'Custom fields' },
  page: {
    empty: 'This page has no text yet.',
    outline: 'On this page',
    comments: 'Comments',
    backlinks: 'Linked from',
    versions: 'Versions',
    version: (n: number) => `Version ${n}`,
    rest: 'Read on',
    resolved: 'resolved',
    in: 'In',
  },
  mail: {
    one: (sender: string, time: string) => `Mail from ${sender}, ${time}`,
    from: 'From',
    to: 'To',
    cc: 'Cc',
    noText: 'This mail has no text.',
    pending: 'The text of this mail is still being fetched.',
    drafts: 'Drafts',
    attachments: 'Attachments',
    more: 'More mails',
    unverified: 'The sender could not be verified.',
    cut: 'Only its beginning is shown.',
    calendarUnchanged: (reason: string) => `Not in your calendar: ${reason}`,
    linked: 'Linked with',
    count: (n: number) => count(n, 'mail', 'mails'),
  },
  event: {
    attendees: 'Attendees',
    description: 'Description',
    next: 'Next times',
    allDay: 'All day',
    optional: 'optional',
    video: 'Join the call',
    meeting: 'Meeting',
  },
  file: {
    download: 'Download',
    preview: 'Preview',
    versions: 'Versions',
    version: (n: number) => `Version ${n}`,
    current: 'current',
    text: 'Text',
    reading: 'Its text is being read…',
    noText: 'No preview available. Download it to see it.',
    notPlayed: 'This browser cannot play it. Download it to open it elsewhere.',
    cut: 'Only the beginning is shown; the download is complete.',
    shares: 'Shared with',
    shownVersion: (n: number) => `You see version ${n}.`,
    fetching: 'Preparing the download…',
  },
  meeting: {
    when: 'When',
  },
  service: {
    uptime: 'Available in the last 90 days',
    onCall: 'On call',
    incidents: 'Incidents',
    runbooks: 'Runbooks',
    nobody: 'No one is on call.',
    noIncidents: 'There were no incidents.',
  },
  entity: {
    facts: 'Facts',
    observations: 'Observations',
    relations: 'Relations',
    timeline: 'Timeline',
    aliases: 'Also called',
    until: (time: string) => `until ${time}`,
    since: (time: string) => `since ${time}`,
    hidden: 'from something you cannot see',
    item: 'Stands for',
  },
  search,
  palette: {
    found: 'Found',
    searching: 'Searching…',
    count: (n: number) => (n === 0 ? 'Nothing found' : count(n, 'result', 'results')),
    goTo: 'Go to',
    failed: 'Search failed. Try again.',
  },
}
