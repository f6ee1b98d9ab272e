// Mail of the people of `workspace demo`, as if from a connected account, but without a server. Hours count back from
// now.

import type { SamplePerson } from './sample-shapes.ts'

export interface SampleMail {
  owner: SamplePerson
  /** Conversation: messages with the same subject and owner. */
  subject: string
  /** External sender as "Name <address>"; omitted if the owner sends to `to`. */
  from?: string
  to?: string
  hours: number
  text: string
  unread?: true
  starred?: true
  /** Sent by a list or a machine. */
  bulk?: true
  archived?: true
  labels?: readonly string[]
}

const hanne = 'Hanne Petersen <hanne@anker-gasthaus.example>'
const rainer = 'Rainer Schulte <r.schulte@seeblick.example>'
const ines = 'Dr. Ines Falk <kanzlei@falk.example>'
const giulia = 'Giulia Lupo <giulia@lupo.example>'

export const mails: readonly SampleMail[] = [
  {
    owner: 'mia',
    subject: 'Numbers for the old site',
    from: rainer,
    hours: 52,
    starred: true,
    text: 'Dear Ms Berg,\n\nbefore the board meets, I need the visitor numbers for the last two years, by month if you have them. Could you send them by Friday?\n\nKind regards\nRainer Schulte',
  },
  {
    owner: 'mia',
    subject: 'Small print of the prices page',
    from: ines,
    hours: 100,
    text: 'Dear Mia,\n\ntwo questions before I can sign this off: are prices shown with or without VAT, and who is liable for bookings that are cancelled on the day?\n\nBest\nInes Falk',
    labels: ['legal'],
  },
  {
    owner: 'mia',
    subject: 'Small print of the prices page',
    to: ines,
    hours: 76,
    text: 'Hello Ines,\n\nwith VAT. For cancellations, the restaurant is liable; see section 4 of the terms. Is that enough, or should the page say it too?\n\nMia',
  },
  {
    owner: 'mia',
    subject: 'Menus and cards',
    from: 'Aylin Kaya <kaya@kontor-druck.example>',
    hours: 140,
    archived: true,
    text: 'Hello Mia,\n\nthank you for the offer. From January we will do this in-house. I hope we find another project to work on together.\n\nAylin',
  },
  {
    owner: 'mia',
    subject: 'Your invoice for this month',
    from: 'Hosting <no-reply@hosting.example>',
    hours: 30,
    unread: true,
    bulk: true,
    text: 'Your invoice for 48.00 EUR is ready. It will be collected on the first of the month.',
  },
  {
    owner: 'tom',
    subject: 'One tablet for two people',
    from: hanne,
    hours: 28,
    unread: true,
    text: 'Moin Tom,\n\nwe tried it on Saturday. When Jannik takes a booking while mine is open, mine is gone when I come back. Is that intended?\n\nHanne',
  },
  {
    owner: 'tom',
    subject: 'By the month',
    from: giulia,
    hours: 96,
    text: 'Ciao Tom,\n\nmonthly is good, without phone support. Where do I sign?\n\nGiulia',
  },
  {
    owner: 'tom',
    subject: 'By the month',
    to: giulia,
    hours: 92,
    text: 'Ciao Giulia,\n\nthe contract is on its way to you by post; a signature on page two is all it needs.\n\nTom',
  },
  {
    owner: 'tom',
    subject: 'By the month',
    from: giulia,
    hours: 44,
    text: 'It arrived, and I have signed it. Grazie!\n\nGiulia',
    archived: true,
  },
  {
    owner: 'tom',
    subject: 'What is new in browsers: November',
    from: 'Platform Weekly <news@platform-weekly.example>',
    hours: 20,
    unread: true,
    bulk: true,
    text: 'This month: anchors in all engines, a new way to style lists, and what it means for forms.',
  },
]

/** Mail rule of Tom for incoming messages. */
export const sampleMailRule = {
  by: 'tom' as SamplePerson,
  name: 'Newsletters can wait',
  conditions: { all: [{ field: 'from', op: 'matches_domain', value: 'platform-weekly.example' }] },
  actions: [{ type: 'label', params: { label: 'To read' } }, { type: 'mark_read' }],
}
