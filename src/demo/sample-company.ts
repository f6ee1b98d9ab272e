// Contacts of the people in `workspace demo`, one incident, a form, and automations. Days count from today.

import type { SamplePerson } from './sample-shapes.ts'

/** Sample people who are not guests: guests see nothing of the directory. */
type Member = Exclude<SamplePerson, 'lena'>

export const companies: readonly {
  name: string
  domain: string
  industry: string
  size: string
  owner: Member
  note?: string
}[] = [
  {
    name: 'Gasthaus zum Anker',
    domain: 'anker-gasthaus.example',
    industry: 'Restaurant',
    size: '11-50',
    owner: 'tom',
    note: 'First of the two trial restaurants. Two people manage bookings on one tablet.',
  },
  {
    name: 'Trattoria Lupo',
    domain: 'lupo.example',
    industry: 'Restaurant',
    size: '1-10',
    owner: 'tom',
  },
  {
    name: 'Hotel Seeblick',
    domain: 'seeblick.example',
    industry: 'Hotel',
    size: '51-200',
    owner: 'mia',
  },
  {
    name: 'Kontor Druck',
    domain: 'kontor-druck.example',
    industry: 'Printing',
    size: '11-50',
    owner: 'mia',
  },
]

export const contacts: readonly {
  name: string
  email: string
  phone?: string
  title?: string
  company?: string
  owner: Member
  labels?: readonly string[]
  note?: string
}[] = [
  {
    name: 'Hanne Petersen',
    email: 'hanne@anker-gasthaus.example',
    phone: '+49 40 55550111',
    title: 'Owner',
    company: 'Gasthaus zum Anker',
    owner: 'tom',
    note: 'Best reached before 10 a.m.',
  },
  {
    name: 'Jannik Voss',
    email: 'jannik@anker-gasthaus.example',
    title: 'Bookings',
    company: 'Gasthaus zum Anker',
    owner: 'tom',
  },
  {
    name: 'Giulia Lupo',
    email: 'giulia@lupo.example',
    phone: '+49 40 55550142',
    title: 'Owner',
    company: 'Trattoria Lupo',
    owner: 'tom',
  },
  {
    name: 'Rainer Schulte',
    email: 'r.schulte@seeblick.example',
    phone: '+49 451 5555017',
    title: 'Managing director',
    company: 'Hotel Seeblick',
    owner: 'mia',
  },
  {
    name: 'Aylin Kaya',
    email: 'kaya@kontor-druck.example',
    title: 'Customer care',
    company: 'Kontor Druck',
    owner: 'mia',
  },
  {
    name: 'Dr. Ines Falk',
    email: 'kanzlei@falk.example',
    title: 'Lawyer',
    owner: 'mia',
    labels: ['legal'],
  },
]

export interface SampleDeal {
  name: string
  by: Member
  company: string
  people: readonly string[]
  amount: number
  currency?: string
  /** Day of the expected close. */
  close: number
  /** The stages it went through, and the outcome. */
  updates: readonly (
    | { stage: string }
    | { status: 'won' }
    | { status: 'lost'; lost_reason: string }
  )[]
  note?: string
}

export const deals: readonly SampleDeal[] = [
  {
    name: 'Booking app, one year',
    by: 'tom',
    company: 'Gasthaus zum Anker',
    people: ['Hanne Petersen', 'Jannik Voss'],
    amount: 2388,
    close: 20,
    updates: [{ stage: 'Qualified' }, { stage: 'Proposal' }],
    note: 'Depends on how the trial goes.',
  },
  {
    name: 'Booking app, monthly',
    by: 'tom',
    company: 'Trattoria Lupo',
    people: ['Giulia Lupo'],
    amount: 228,
    close: -2,
    updates: [{ stage: 'Proposal' }, { status: 'won' }],
  },
  {
    name: 'New site with bookings',
    by: 'mia',
    company: 'Hotel Seeblick',
    people: ['Rainer Schulte'],
    amount: 18_500,
    close: 45,
    updates: [{ stage: 'Qualified' }],
  },
  {
    name: 'Menus and cards',
    by: 'mia',
    company: 'Kontor Druck',
    people: ['Aylin Kaya'],
    amount: 940.5,
    close: 10,
    updates: [{ status: 'lost', lost_reason: 'They will do it in-house from January.' }],
  },
]

export const interactions: readonly {
  by: Member
  kind: 'call' | 'meeting' | 'note'
  day: number
  people: readonly string[]
  deal?: string
  text: string
  next?: readonly [step: string, day: number]
}[] = [
  {
    by: 'mia',
    kind: 'call',
    day: -9,
    people: ['Rainer Schulte'],
    deal: 'New site with bookings',
    text: 'Called about the site. He wants one place to book rooms and tables; the board decides in January.',
    next: ['Send him the numbers for the old site', 3],
  },
  {
    by: 'tom',
    kind: 'meeting',
    day: -7,
    people: ['Hanne Petersen', 'Jannik Voss'],
    deal: 'Booking app, one year',
    text: 'At the Anker, an hour before they open.\n\n- Their main worry is two people sharing one tablet\n- Saturday evening must not be the first evening',
  },
  {
    by: 'tom',
    kind: 'call',
    day: -5,
    people: ['Giulia Lupo'],
    deal: 'Booking app, monthly',
    text: 'She says yes: monthly, without phone support.',
  },
  {
    by: 'mia',
    kind: 'note',
    day: -4,
    people: ['Dr. Ines Falk'],
    text: 'Is reviewing the small print of the prices page; reply due by the end of the week.',
  },
]

export const incident = {
  service: {
    name: 'Booking app',
    description: 'The app guests use to book; the trial runs on it.',
  },
  title: 'Bookings for tonight cannot be saved',
  severity: 'sev2',
  summary: 'Booking a table for this evening fails with an error; other days work.',
  notes: [
    ['tom', 'Only bookings for today fail. The nightly job moved the server clock by an hour.'],
    ['mia', 'Called the Anker and the Lupo; they take bookings on paper until we are back.'],
  ] as readonly (readonly [Member, string])[],
  cause:
    'The nightly job changed the server’s time zone, and opening hours were compared in local time.',
  mitigation: 'Clock corrected manually; bookings work again.',
  resolution:
    'Opening hours are now compared in UTC, and the nightly job no longer changes the clock.',
} as const

export const form = {
  title: 'How was the evening?',
  about: 'Takes two minutes, after each evening of the trial.',
  fields: [
    {
      id: 'again',
      label: 'How likely are you to use the app tomorrow?',
      type: 'nps',
      required: true,
    },
    { id: 'lost', label: 'Was a booking lost?', type: 'yes_no', required: true },
    {
      id: 'which',
      label: 'Which one?',
      type: 'short_text',
      show_if: { field_id: 'lost', op: 'equals', value: true },
    },
    { id: 'more', label: 'What else?', type: 'long_text' },
  ],
  answers: [
    ['mia', { again: 9, lost: false, more: 'The list for the evening could be larger.' }],
    ['tom', { again: 7, lost: false }],
    [
      'lena',
      {
        again: 4,
        lost: true,
        which: 'Table 7 at half past seven',
        more: 'No one noticed until the guests arrived.',
      },
    ],
  ] as readonly (readonly [SamplePerson, Record<string, unknown>])[],
} as const

export const automations: readonly {
  by: Member
  name: string
  trigger: object
  conditions?: readonly object[]
  actions: readonly object[]
}[] = [
  {
    by: 'tom',
    name: 'Lost bookings become tasks',
    trigger: { type: 'event', params: { event: 'form.response_received' } },
    conditions: [{ type: 'expression', expression: 'item.score < 7.0' }],
    actions: [
      {
        type: 'create_task',
        params: {
          project_id: 'APP',
          title: 'Follow up on a response to {{ item.form.title }}',
          priority: 'high',
        },
        on_error: 'stop',
      },
    ],
  },
  {
    by: 'mia',
    name: 'Monday question',
    trigger: { type: 'schedule', params: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' } },
    actions: [
      {
        type: 'send_message',
        params: {
          channel_id: '#general',
          body_markdown: 'Good morning! What is the one thing that must get done this week?',
        },
        on_error: 'stop',
      },
    ],
  },
]
