// Chat messages of the people in `workspace demo`. Days count from today.

import type { SamplePerson } from './sample-shapes.ts'

export interface SampleMessage {
  by: SamplePerson
  text: string
  /** Emoji and the people who added them. */
  reactions?: readonly (readonly [string, SamplePerson])[]
  replies?: readonly (readonly [SamplePerson, string])[]
  pinned?: true
}

export interface SampleChannel {
  /** Without a name: a direct conversation of the members. */
  name?: string
  kind: 'public' | 'private' | 'direct'
  topic?: string
  purpose?: string
  project?: string
  by: SamplePerson
  members: readonly SamplePerson[]
  messages: readonly SampleMessage[]
}

export const channels: readonly SampleChannel[] = [
  {
    name: 'general',
    kind: 'public',
    purpose: 'News and questions for everyone',
    topic: 'Lunch on Thursdays at 12:30',
    by: 'mia',
    members: ['tom', 'lena'],
    messages: [
      {
        by: 'mia',
        text: 'Welcome, both. Post anything for everyone here; project questions go in the project’s channel.',
        pinned: true,
        reactions: [
          ['👋', 'tom'],
          ['👋', 'lena'],
        ],
      },
      {
        by: 'lena',
        text: 'I’m at the printer’s on Wednesday morning and won’t see messages until noon.',
        reactions: [['👍', 'mia']],
      },
      {
        by: 'tom',
        text: 'The coffee machine needs descaling again. I have the descaler and will do it tonight.',
        reactions: [
          ['❤️', 'lena'],
          ['🙏', 'mia'],
        ],
      },
      {
        by: 'mia',
        text: 'The lease for the mill is signed! 🎉 We move before the end of the quarter. Floor plans to follow.',
        reactions: [
          ['🎉', 'tom'],
          ['🎉', 'lena'],
        ],
        replies: [
          ['lena', 'Is there a room with north-facing windows?'],
          ['mia', 'Two. One of them is yours.'],
        ],
      },
    ],
  },
  {
    name: 'website',
    kind: 'public',
    purpose: 'The relaunch, until a month after it goes live',
    project: 'WEB',
    by: 'mia',
    members: ['tom', 'lena'],
    messages: [
      {
        by: 'tom',
        text: 'Numbers for the old site over the last 30 days, desktop and phone combined:\n\n| page | visits | bounce rate |\n| --- | ---: | ---: |\n| front page | 8,412 | 41 % |\n| prices | 3,077 | 28 % |\n| blog | 2,950 | 63 % |',
        reactions: [['👀', 'mia']],
      },
      {
        by: 'mia',
        text: 'So the prices page deserves more work than the blog. Let’s keep WEB-5 in this sprint and move the posts later.',
        replies: [
          [
            'tom',
            'Agreed. The switch between monthly and yearly will take me two more days; everything else is on track.',
          ],
          ['lena', 'I can give you the phone design tomorrow morning.'],
          ['mia', 'Perfect, thank you both.'],
        ],
      },
      {
        by: 'lena',
        text: '@Tom Costa the headline on the front page breaks badly at 390 px; I added a screenshot to WEB-4.',
        replies: [
          ['tom', 'Fixed, please look again.'],
          ['lena', 'Looks good now ✅'],
        ],
      },
      {
        by: 'mia',
        text: '412 old addresses so far. Does anyone remember what `/aktion-2019` was?',
        replies: [['tom', 'The summer raffle. It can redirect to the front page.']],
      },
      {
        by: 'tom',
        text: 'Front page is on the test server and loads in 0.8 s on a phone. @Mia Berg @Lena Dupont please break it.',
        reactions: [
          ['🚀', 'mia'],
          ['🔥', 'lena'],
        ],
      },
    ],
  },
  {
    name: 'booking-app',
    kind: 'private',
    purpose: 'The trial at the two restaurants',
    project: 'APP',
    by: 'tom',
    members: ['lena'],
    messages: [
      {
        by: 'tom',
        text: 'Still no certificate for push messages after eight days. If it isn’t here by Monday, we start the trial without them.',
        replies: [
          ['lena', 'Then the app could show a banner an hour before. I’ll design it in any case.'],
          ['tom', 'Good plan.'],
        ],
      },
      {
        by: 'lena',
        text: 'The Anker asks whether two people can manage the bookings on one tablet. Can they?',
        replies: [
          ['tom', 'Yes, but the last one to save wins. I’ll add that to the notes for the trial.'],
        ],
      },
      {
        by: 'tom',
        text: 'APP-8 is done: a booking at 02:30 on the night of the clock change exists once, and only once.',
        reactions: [['🕑', 'lena']],
      },
    ],
  },
  {
    kind: 'direct',
    by: 'mia',
    members: ['tom'],
    messages: [
      {
        by: 'mia',
        text: 'Could you look over the hosting company’s offer before I sign? It is in the drive; page 3 is the interesting one.',
      },
      {
        by: 'tom',
        text: 'I’ve read it. Ask them what happens to the backups when we leave; the rest is fair.',
      },
      { by: 'mia', text: 'Good point, I will.' },
    ],
  },
]
